#!/usr/bin/env python3
"""Relocatable code on a real GPU: runs the programs that linked_units.sh built, traced, profiled and switched off.

  linked_units.py --programs FOLDER [--cuinstrument PATH]

Each checks its own results. What it recorded is counted by hand in COUNTS; with --cuinstrument every trace is validated too. Needs a GPU, Python 3
and nothing else. Prints one line per run; exits 1 if any is not as it must be.
"""
import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

LIMIT_S = 60
RECORDING = ["ours", "dlink", "nvcc", "mixed", "bounded", "bounded_first", "compiled", "text", "driver"]
THREADS, WARP = 2 * 1024, 32
ACCESSES = {"first": 7, "second": 4, "sums": 8 + 1}  # of each thread: linked_units.cu says which
COUNTS = [(kernel, THREADS // WARP * each, THREADS * each) for kernel, each in sorted(ACCESSES.items())]


def run(options, program, mode, database):
    """What is wrong, or nothing."""
    environment = dict(os.environ, CUINSTRUMENT_DB=str(database))
    if mode == "off":
        environment["CUINSTRUMENT"] = "off"
    else:
        environment["CUINSTRUMENT_MODE"] = mode
    try:
        result = subprocess.run([options.programs / program], env=environment, capture_output=True, text=True, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return "hung"
    if result.returncode != 0 or "right" not in result.stdout:
        return f"exit status {result.returncode}: {result.stdout}{result.stderr}".strip()
    if mode == "off":
        return "has a trace" if database.exists() else None
    if program in RECORDING:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as trace:
            counts = trace.execute("""SELECT kernel, sum(requests), sum(thread_accesses) FROM site_metric JOIN launch USING (launch_id)
                                      GROUP BY kernel ORDER BY kernel""").fetchall()
        if counts != COUNTS:
            return f"{counts} instead of {COUNTS}"
    if options.cuinstrument:
        valid = subprocess.run([options.cuinstrument, "validate", database], capture_output=True, text=True, timeout=LIMIT_S)
        if valid.returncode != 0:
            return valid.stdout + valid.stderr
    return None


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--programs", type=lambda path: Path(path).resolve(), required=True)
parser.add_argument("--cuinstrument", type=lambda path: Path(path).resolve())
options = parser.parse_args()
options.programs = options.programs.absolute()
failed = False
with tempfile.TemporaryDirectory() as scratch:
    runs = [(program, mode) for program in RECORDING + ["relocatable"] for mode in ("trace", "profile", "off")]
    for number, (program, mode) in enumerate([("plain_driver", "off")] + runs):
        wrong = run(options, program, mode, Path(scratch) / f"{number}.db")
        failed |= wrong is not None
        print(f"{program} {mode}: {wrong or 'right'}", flush=True)
sys.exit(failed)
