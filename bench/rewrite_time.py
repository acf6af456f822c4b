#!/usr/bin/env python3
"""Rewriting time as a share of nvcc's own time on the same file, and nvcc's time on the instrumented file, for both
modes and for one only (`cuinstrument --mode`).

Each file is compiled `--runs` times in each way, interleaved; the table shows medians of processor seconds, user and system, of
the command and all that it starts, so that other work on the machine hardly counts. Usage: python3 bench/rewrite_time.py --bin build/ci/bin [--runs 3] [FILE.cu …]
"""
import argparse
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

arguments = argparse.ArgumentParser()
arguments.add_argument("--bin", type=Path, required=True, help="folder of cuinstrument-rewrite, with the include folder beside it")
arguments.add_argument("--arch", default="sm_90")
arguments.add_argument("--runs", type=int, default=3)
arguments.add_argument("files", nargs="*", type=Path)
options = arguments.parse_args()
root = Path(__file__).resolve().parent.parent
files = options.files or [*sorted(p for p in (root / "examples").glob("*/*.cu") if "integration" not in str(p)),
                          root / "bench/gpu_suite/suite.cu"]


def seconds(command):
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime


MODES = {"both": [], "trace": ["-DCUI_TRACE_ONLY"], "profile": ["-DCUI_PROFILE_ONLY"]}
print(f"{'file':28} {'nvcc s':>7} {'rewrite s':>9} {'share':>6}" + "".join(f" {mode + ' s':>10} {'ratio':>6}" for mode in MODES))
shares, ratios = [], {mode: [] for mode in MODES}
with tempfile.TemporaryDirectory() as scratch:
    output = Path(scratch) / "out.cu"
    nvcc = ["nvcc", "-O3", f"-arch={options.arch}", "-std=c++17", "-c", "-o", scratch + "/out.o"]
    rewrite = [options.bin / "cuinstrument-rewrite", "--backend", "cuda", "-o", output]
    instrumented = [*nvcc, "-I", options.bin.parent / "include", output]
    for file in files:
        times = [(seconds([*nvcc, file]), seconds([*rewrite, file, "--", "-std=c++17"]),
                  *(seconds([*instrumented, *flags]) for flags in MODES.values())) for _ in range(options.runs)]
        plain, rewriting, *compiling = (statistics.median(column) for column in zip(*times))
        shares.append(rewriting / plain)
        line = f"{file.name:28} {plain:7.2f} {rewriting:9.2f} {shares[-1]:6.0%}"
        for mode, time in zip(MODES, compiling):
            ratios[mode].append(time / plain)
            line += f" {time:10.2f} {ratios[mode][-1]:6.2f}"
        print(line, flush=True)
print(f"{'geometric mean':28} {'':7} {'':9} {statistics.geometric_mean(shares):6.0%}"
      + "".join(f" {'':10} {statistics.geometric_mean(ratios[mode]):6.2f}" for mode in MODES))
