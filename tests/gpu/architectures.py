#!/usr/bin/env python3
"""What a GPU's own text does, of a program built for several architectures (architectures.cu): each site's requests and thread
accesses, traced and profiled, are those that can be counted on paper.

  architectures.py --program PATH --cuinstrument PATH

Exits 1 if anything is not as it must be.
"""
import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

WARPS, LANES, TURNS = 32, 32, 3
# By expression: requests, thread accesses. `k` runs to `turns`; odd lanes read the tile once more, even ones their result.
NEWER = {
    "tile[threadIdx.x]": (WARPS, WARPS * LANES),
    "from[i]": (WARPS, WARPS * LANES),
    "to[i]": (2 * WARPS, WARPS * LANES * 3 // 2),  # stored by all, then loaded by half
    "tile[lanes - 1 - threadIdx.x]": (2 * WARPS, WARPS * LANES * 3 // 2),
    "tile[(threadIdx.x + k) % lanes]": (TURNS * WARPS, TURNS * WARPS * LANES),
    "atomicAdd(&sums[blockIdx.x], sum)": (WARPS, WARPS * LANES),
    "sums[blocks]": (1, 1),
    "from[count - 1]": (1, 1),
}
OLDER = {
    "to[i]": (2 * WARPS, 2 * WARPS * LANES),  # stored and loaded
    "from[blockIdx.x * lanes + lanes - 1 - threadIdx.x]": (WARPS, WARPS * LANES),
    "atomicAdd(&sums[blockIdx.x], to[i] * turns)": (WARPS, WARPS * LANES),
    "sums[blocks]": (1, 1),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--cuinstrument", required=True, type=lambda p: Path(p).resolve())
    options = parser.parse_args()
    wrong = False
    for mode in ("trace", "profile"):
        with tempfile.TemporaryDirectory() as directory:
            trace = Path(directory) / "architectures.db"
            done = subprocess.run([options.program], env={**os.environ, "CUINSTRUMENT_DB": str(trace), "CUINSTRUMENT_MODE": mode},
                                  text=True, capture_output=True, timeout=30)
            valid = subprocess.run([options.cuinstrument, "validate", trace], text=True, capture_output=True, timeout=30)
            with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
                rows = {e: (r, a) for e, r, a in db.execute("SELECT expression, sum(requests), sum(thread_accesses) FROM site_metric "
                                                           "JOIN site USING (site_id) GROUP BY 1")}
        print(mode, done.stdout.strip(), done.stderr.strip())
        expected = NEWER if done.stdout.startswith("newer") else OLDER
        for what, actual, wanted in (("exit status", done.returncode, 0), ("validate", valid.returncode, 0), ("sites", rows, expected)):
            if actual != wanted:
                wrong = True
                print(f"{mode}: {what}: {actual} instead of {wanted}")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
