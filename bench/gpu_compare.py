#!/usr/bin/env python3
"""Kernel times of several builds of the suite, in turn, on one GPU: what a change makes of them. Single runs of gpu_suite.py
differ by a tenth where nothing has changed; medians over some repetitions by a fiftieth.

  gpu_compare.py --plain DIR/suite.plain|DIR/several.plain [--mode profile|trace|sample] [--repeat 7] [--kernels "scan sparse"] BUILD…

BUILD: a folder that `gpu_suite.py build` filled. The plain program says which kind of kernels; without names all but four that say
little. Prints each kernel's median in microseconds and its ratio to the plain program's, and the geometric means. Needs a GPU,
Python 3 and nothing else; every program has a time limit.
"""
import argparse
import math
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

LIMIT_S = 120
LEFT_OUT = {"histogram_global", "nbody", "launch_storm", "beyond_pool"}
MODES = {"profile": {"CUINSTRUMENT_MODE": "profile"}, "trace": {"CUINSTRUMENT_MODE": "trace"}, "sample": {"CUINSTRUMENT_SAMPLE_BLOCKS": "64"}}


def times(program, kernels, environment):
    """{kernel: microseconds}"""
    done = subprocess.run([program, *kernels], capture_output=True, text=True, timeout=LIMIT_S, check=True, env={**os.environ, **environment})
    rows = [line.split(",") for line in done.stdout.splitlines() if line.count(",") == 2]
    return {name: float(ms) * 1000 for name, ms, _ in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plain", type=lambda p: Path(p).resolve(), required=True)
    parser.add_argument("--mode", choices=MODES, default="profile")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--kernels", type=str.split)
    parser.add_argument("build", nargs="+", type=lambda p: Path(p).resolve())
    options = parser.parse_args()
    kernels = options.kernels or [name for name in times(options.plain, [], {}) if name not in LEFT_OUT]
    programs = {"plain": (options.plain, {})}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**MODES[options.mode], "CUINSTRUMENT_DB": str(Path(folder) / "trace.db")}
        programs.update({build.name: (build / f"{options.plain.stem}.cuda", environment) for build in options.build})
        all_times = {name: [] for name in programs}
        for _ in range(options.repeat):
            for name, (program, variables) in programs.items():
                all_times[name].append(times(program, kernels, variables))
    logarithms = {name: [] for name in programs}
    print("| kernel | " + " | ".join(programs) + " |\n|" + "---|" * (1 + len(programs)))
    for kernel in kernels:
        medians = {name: statistics.median(run[kernel] for run in runs) for name, runs in all_times.items()}
        cells = [f"{median:.1f} µs ({median / medians['plain']:.2f}×)" for median in medians.values()]
        print(f"| {kernel} | " + " | ".join(cells) + " |")
        for name, median in medians.items():
            logarithms[name].append(math.log(median / medians["plain"]))
    print("| **geometric mean** | " + " | ".join(f"**{math.exp(statistics.mean(logs)):.2f}×**" for logs in logarithms.values()) + " |")


if __name__ == "__main__":
    main()
