#!/usr/bin/env python3
"""Rewriting time as a share of nvcc's own time on the same file, and nvcc's time on the instrumented file: with the recorder
linked to it, and the code without it, as `cuinstrument nvcc` does, and compiled in it, for both modes and for one only (`--recorder`, `--mode`).

Each file is compiled `--runs` times in each way, interleaved; the table shows medians of processor seconds, user and system, of
the command and all that it starts, so that other work on the machine hardly counts. "trace" and "profile": the recorder linked for that mode. With `--rows N` there is one more file, whose table
has N rows of templates that nothing uses; it does not count in the mean.
Usage: python3 bench/rewrite_time.py --bin build/ci/bin [--runs 3] [--rows 30000] [--line='-arch=sm_90 -rdc=true' --only compiled] [FILE.cu …]
"""
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

from compiling import arguments, files, measured

parser = arguments(__doc__, runs=3)
parser.add_argument("--only", help="one of the ways: linked, trace, profile, compiled")
parser.add_argument("--rows", type=int, default=0)
options = parser.parse_args()


def many_rows(path, rows):
    """A kernel behind templates of fifteen statements, of two accesses each."""
    lines = ["__global__ void add(float* a) { a[threadIdx.x] += 1; }"]
    for number in range(-(-rows // 30)):
        lines.append(f"template <class T> __device__ void unused{number}(T* a, const T* b, int n) {{")
        lines += [f"  a[n + {i}] = b[n * {i + 1}];" for i in range(15)] + ["}"]
    path.write_text("\n".join(lines) + "\n")
    return path


def seconds(command, environment=None):
    return measured(command, environment)[1]


def linking_nvcc(scratch):
    """The nvcc that `cuinstrument nvcc` runs. Afterwards the recorder is in the cache, for each mode."""
    source = Path(scratch) / "empty.cu"
    source.write_text("__global__ void touch(int* a) { *a = 1; }\n")
    for mode in "trace", "profile", "both":
        said = subprocess.run([options.bin / "cuinstrument", "--verbose", "--mode", mode, "nvcc", *options.line.split(), "-c", source, "-o",
                               scratch + "/empty.o"], check=True, capture_output=True, text=True).stderr
    return next(line.split()[0] for line in said.splitlines() if "-DCUI_RECORDER_LINKED" in line)


LINKED = "-DCUI_RECORDER_LINKED"
MODES = {"linked": [LINKED], "trace": [LINKED, "-DCUI_TRACE_ONLY"], "profile": [LINKED, "-DCUI_PROFILE_ONLY"], "compiled": []}
if options.only:
    MODES = {options.only: MODES[options.only]}
print(f"{'file':28} {'nvcc s':>7} {'rewrite s':>9} {'share':>6}" + "".join(f" {mode + ' s':>10} {'ratio':>6}" for mode in MODES))
shares, ratios = [], {mode: [] for mode in MODES}
with tempfile.TemporaryDirectory() as scratch:
    output = Path(scratch) / "out.cu"
    nvcc = ["nvcc", "-O3", *options.line.split(), "-std=c++17", "-c", "-o", scratch + "/out.o"]
    rewrite = [options.bin / "cuinstrument", "rewrite", "--backend", "cuda", "-o", output]
    instrumented = [*nvcc, "-I", options.bin.parent / "include", output]
    if any(LINKED in words for words in MODES.values()):
        linking = linking_nvcc(scratch)
        plain_code = Path(scratch) / "plain"
        plain_code.mkdir()
        environment = {**os.environ, "CUINSTRUMENT_TOOLCHAIN": str(Path(linking).parent), "CUINSTRUMENT_PLAIN_CODE": str(plain_code)}

    def instrumented_seconds(mode):
        command = [*instrumented, *MODES[mode]]
        return seconds([linking, *command[1:]], environment) if LINKED in MODES[mode] else seconds(command)

    generated = [many_rows(Path(scratch) / f"rows_{options.rows}.cu", options.rows)] if options.rows else []
    for file in [*generated, *files(options)]:
        times = [(seconds([*nvcc, file]), seconds([*rewrite, file, "--", "-std=c++17"]),
                  *map(instrumented_seconds, MODES)) for _ in range(options.runs)]
        plain, rewriting, *compiling = (statistics.median(column) for column in zip(*times))
        line = f"{file.name:28} {plain:7.2f} {rewriting:9.2f} {rewriting / plain:6.0%}"
        if file not in generated:
            shares.append(rewriting / plain)
        for mode, time in zip(MODES, compiling):
            if file not in generated:
                ratios[mode].append(time / plain)
            line += f" {time:10.2f} {time / plain:6.2f}"
        print(line, flush=True)
print(f"{'geometric mean':28} {'':7} {'':9} {statistics.geometric_mean(shares):6.0%}"
      + "".join(f" {'':10} {statistics.geometric_mean(ratios[mode]):6.2f}" for mode in MODES))
