#!/usr/bin/env python3
"""How long users wait for `cuinstrument nvcc`, rewriting and all, beside nvcc: with one process and thread at a time (`--jobs 1`) and with two.

Each file is compiled `--runs` times in each way, in turns; the table shows medians of seconds by the clock and of processor seconds of
everything that runs. The machine should have a processor that is free.
Usage: python3 bench/compile_time.py --bin build/ci/bin [--runs 5] [--line='-arch=sm_90 -rdc=true'] [FILE.cu …]
"""
import statistics
import subprocess
import tempfile

from compiling import arguments, files, measured

options = arguments(__doc__, runs=5).parse_args()
cuinstrument = str(options.bin / "cuinstrument")
WAYS = {"nvcc": [], "no plain": [cuinstrument, "--no-plain-code"], "one": [cuinstrument, "--jobs", "1"], "two": [cuinstrument]}

print(f"{'file':22}" + "".join(f" {way + ' s':>10} {'cpu s':>6}" + ("" if way == "nvcc" else f" {'ratio':>6}") for way in WAYS) + f" {'two/one':>8}")
clocks, processors, gains = {way: [] for way in WAYS}, {way: [] for way in WAYS}, []
with tempfile.TemporaryDirectory() as scratch:
    nvcc = ["nvcc", "-O3", *options.line.split(), "-std=c++17", "-c", "-o", scratch + "/out.o"]
    subprocess.run([cuinstrument, *nvcc, files(options)[0]], check=True)  # from here on, the recorder is in the cache
    for file in files(options):
        runs = {way: [] for way in WAYS}
        for _ in range(options.runs):
            for way, prefix in WAYS.items():
                runs[way].append(measured([*prefix, *nvcc, file]))
        line, medians = f"{file.name:22}", {}
        for way, times in runs.items():
            medians[way] = clock, processor = [statistics.median(column) for column in zip(*times)]
            line += f" {clock:10.2f} {processor:6.2f}"
            clocks[way].append(clock / medians["nvcc"][0])
            processors[way].append(processor / medians["nvcc"][1])
            if way != "nvcc":
                line += f" {clocks[way][-1]:6.2f}"
        gains.append(medians["two"][0] / medians["one"][0])
        print(f"{line} {gains[-1]:8.2f}", flush=True)
for name, ratios in (("clock", clocks), ("processors", processors)):
    print(f"geometric mean, {name}: " + ", ".join(f"{way} {statistics.geometric_mean(ratios[way]):.2f}" for way in WAYS))
print(f"geometric mean, two/one by the clock: {statistics.geometric_mean(gains):.3f}")
