#!/usr/bin/env python3
"""Several contexts of one device (contexts.cu): every launch is recorded whole, in whichever it is made.

  contexts.py --program PATH --cuinstrument PATH        (PATH: contexts.cu, built with `cuinstrument nvcc … -lcuda`)

Needs a GPU. One line a mode; exits 1 if anything is not as it must be.
"""
import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

CONTEXTS, LAUNCHES, REQUESTS = 9, 20, 512  # three at a time, three times; of each; of each launch
MODES = {"trace": {}, "profile": {"CUINSTRUMENT_MODE": "profile"}, "ring": {"CUINSTRUMENT_POOL": "0"}, "sample": {"CUINSTRUMENT_SAMPLE_BLOCKS": "1"}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "cuinstrument"):
        parser.add_argument(f"--{name}", required=True, type=lambda p: Path(p).resolve())
    options = parser.parse_args()
    wrong = False
    for mode, environment in MODES.items():
        with tempfile.TemporaryDirectory() as directory:
            trace = Path(directory) / "contexts.db"
            done = subprocess.run([options.program], env={**os.environ, **environment, "CUINSTRUMENT_DB": str(trace)}, text=True,
                                  capture_output=True, timeout=60)
            valid = subprocess.run([options.cuinstrument, "validate", trace], text=True, capture_output=True, timeout=60)
            with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
                rows = db.execute("SELECT count(*), count(DISTINCT launch_id), min(requests), max(requests), sum(thread_accesses) "
                                  "FROM launch LEFT JOIN site_metric USING (launch_id)").fetchone()
                lost = db.execute("SELECT name, severity, value, detail FROM trace_stat WHERE severity <> 'info'").fetchall()
        count = CONTEXTS * LAUNCHES
        for what, actual, expected in (("program", (done.returncode, done.stdout, done.stderr), (0, "right\n", "")),
                                       ("validate", valid.returncode, 0), ("lost", lost, []),
                                       ("launches", rows, (count, count, REQUESTS, REQUESTS, count * REQUESTS * 32))):
            if actual != expected:
                wrong = True
                print(f"WRONG {mode}: {what}: {actual!r}, expected {expected!r} {valid.stdout[-500:]}")
        print(f"{'WRONG' if wrong else 'ok   '} {mode}", flush=True)
    sys.exit(wrong)


main()
