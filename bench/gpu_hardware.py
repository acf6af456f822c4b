#!/usr/bin/env python3
"""The benchmark's kernels beside the hardware's counters: requests and sectors of global loads, stores and atomics, and wavefronts and
bank conflicts of shared memory, as profiles count them and as Nsight Compute reads them of the plain program.

  build (here):        python3 bench/gpu_suite.py build --bin build/ci/bin --to DIR
  run   (on the GPU):  python3 DIR/gpu_hardware.py run --in DIR [--kind element|several]

Prints a Markdown table for each kind (tests/gpu/ncu_compare.py). What is known to differ, by how much and why, is in
gpu_suite/known_differences; exit status 1 if anything else does. Needs a GPU, Nsight Compute (`ncu`) and Python 3.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from gpu_suite import KINDS, LIMIT_S, MANY_LAUNCHES, TITLES, times


def compare(folder, kind):
    """0 if all is as it must be."""
    plain, traced = (folder / f"{KINDS[kind]}.{what}" for what in ("plain", "cuda"))
    left_out = MANY_LAUNCHES if kind == "element" else set()
    kernels = [name for name in times(plain, {}, []) if name not in left_out]
    comparison = [sys.executable, folder / "ncu_compare.py"]
    with tempfile.TemporaryDirectory() as name:
        trace, counters = Path(name) / "profile.db", Path(name) / "counters.csv"
        times(traced, {"CUINSTRUMENT_DB": str(trace), "CUINSTRUMENT_MODE": "profile"}, kernels)
        metrics = subprocess.run([*comparison, "--metrics"], capture_output=True, text=True, check=True).stdout.strip()
        line = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--metrics", metrics, plain, *kernels]
        with open(counters, "w", encoding="utf-8") as output:
            subprocess.run(line, stdout=output, check=True, timeout=LIMIT_S)
        print(f"\n{TITLES[kind]}:\n", flush=True)
        return subprocess.run([*comparison, trace, counters, "--allow", folder / "known_differences"], timeout=LIMIT_S).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    step = parser.add_subparsers(required=True).add_parser("run")
    step.add_argument("--in", dest="folder", type=lambda p: Path(p).resolve(), required=True)
    step.add_argument("--kind", choices=KINDS)
    options = parser.parse_args()
    if not shutil.which("ncu"):
        sys.exit("gpu_hardware: ncu is not on PATH: Nsight Compute is part of the CUDA Toolkit")
    os.chdir(options.folder)
    sys.exit(max(compare(options.folder, kind) for kind in ([options.kind] if options.kind else KINDS)))


main()
