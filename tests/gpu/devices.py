#!/usr/bin/env python3
"""Several devices at once, each with a host thread and two streams: every launch is recorded whole, on its device.

  devices.py --program PATH --cuinstrument PATH        (PATH: devices.cu, built with `cuinstrument nvcc`)

Needs at least two GPUs: exits 77 where there is one. Exits 1 if anything is not as it must be.
"""
import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

LAUNCHES, REQUESTS = 60, 512  # on each device; of each launch: 64 blocks of 8 warps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--cuinstrument", required=True, type=lambda p: Path(p).resolve())
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        trace = Path(directory) / "devices.db"
        done = subprocess.run([options.program], env={**os.environ, "CUINSTRUMENT_DB": str(trace)}, text=True,
                              capture_output=True, timeout=60)
        print(done.stdout.strip(), done.stderr.strip())
        valid = subprocess.run([options.cuinstrument, "validate", trace], text=True, capture_output=True, timeout=60)
        with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
            devices = [d for d, in db.execute("SELECT device_id FROM device ORDER BY 1")]
            rows = db.execute("SELECT device_id, count(*), min(requests), max(requests), sum(thread_accesses) "
                              "FROM launch LEFT JOIN site_metric USING (launch_id) GROUP BY 1 ORDER BY 1").fetchall()
    if len(devices) == 1:
        print("one device only")
        sys.exit(77)
    expected = [(d, LAUNCHES, REQUESTS, REQUESTS, LAUNCHES * REQUESTS * 32) for d in devices]
    for what, actual, wanted in (("exit status", done.returncode, 0), ("validate", valid.returncode, 0), ("launches", rows, expected),
                                 ("several devices", len(devices) > 1, True)):
        if actual != wanted:
            sys.exit(f"WRONG {what}: {actual!r}, expected {wanted!r}\n{valid.stdout}")


main()
