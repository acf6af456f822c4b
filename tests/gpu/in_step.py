#!/usr/bin/env python3
"""A warp whose lanes count on going in step (in_step.cu) computes the same when it is recorded, wherever its records go, and makes
the requests that it makes without.

  in_step.py --program PATH --cuinstrument PATH      (PATH: in_step.cu, built with `cuinstrument nvcc`, the recorder linked)

One line a case; exits 1 if anything is not as it must be.
"""
import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCKS, WARPS, ROUNDS = 256, 4, 200  # in_step.cu
BEYOND = {"CUINSTRUMENT_POOL": "320M"}  # more than is set aside for each lane; used up soon
CASES = [{}, {"CUINSTRUMENT_MODE": "profile"}, {"CUINSTRUMENT_TIMESTAMPS": "accesses"}, {"CUINSTRUMENT_POOL": "0"},
         {"CUINSTRUMENT_POOL": "0", "CUINSTRUMENT_BUFFER": "128K"}, BEYOND, {**BEYOND, "CUINSTRUMENT_CHUNKS": "1M"}, {**BEYOND, "CUINSTRUMENT_CHUNKS": "0"}]


def made():
    """What the source says: requests, without the loop's, and the loop's thread accesses. Of each warp and round there are 16, and those of
    each branch that a lane takes; two more of each warp."""
    seed, count, of_loop = 7, 0, 0
    for _ in range(BLOCKS * WARPS):
        for _ in range(ROUNDS):
            numbers = []
            for _ in range(32):
                seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
                numbers.append(seed >> 28 & 7)
            count += 16 + any(number >= 4 for number in numbers) + any(number < 4 for number in numbers)
            of_loop += sum(abs(number - 4) for number in numbers)
        count += 2
    return count, of_loop


def problem(options, environment, expected, loops, trace):
    """What is wrong, or None. `loops`: what the loop's requests were in the cases before, to which this one's are added."""
    done = subprocess.run([options.program], env={**os.environ, **environment, "CUINSTRUMENT_DB": str(trace)}, text=True, capture_output=True, timeout=60)
    if (done.returncode, done.stdout, done.stderr) != (0, "right\n", ""):
        return f"exit status {done.returncode}: {done.stdout.strip()} {done.stderr.strip()}"
    with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
        in_loop = "expression = 'written[number * room + next]'"
        found = (*db.execute(f"SELECT sum(requests) FROM site_metric JOIN site USING (site_id) WHERE NOT {in_loop}").fetchone(),
                 *db.execute(f"SELECT sum(thread_accesses) FROM site_metric JOIN site USING (site_id) WHERE {in_loop}").fetchone())
        loops.update(db.execute(f"SELECT sum(requests) FROM site_metric JOIN site USING (site_id) WHERE {in_loop}").fetchone())
        lost = db.execute("SELECT name, value FROM trace_stat WHERE severity <> 'info'").fetchall()
    valid = subprocess.run([options.cuinstrument, "validate", trace], text=True, capture_output=True, timeout=60)
    if found != expected or lost or valid.returncode != 0:
        return f"{found} instead of {expected}; {lost} {valid.stdout}{valid.stderr}"
    return None if len(loops) == 1 else f"different requests of the loop: {sorted(loops)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--cuinstrument", required=True, type=lambda p: Path(p).resolve())
    options = parser.parse_args()
    expected, loops, wrong = made(), set(), 0
    for environment in CASES:
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = problem(options, environment, expected, loops, Path(folder) / "trace.db")
            except subprocess.TimeoutExpired:
                found = "hung"
        wrong += found is not None
        print(f"{'WRONG' if found else 'ok   '} {' '.join(f'{name}={value}' for name, value in environment.items())}{': ' + found if found else ''}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
