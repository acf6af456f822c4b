#!/usr/bin/env python3
"""One program's trace of a GPU beside that of the CPU backend: as many barriers in every block, and the same races.

  barriers.py CPU.db --program PATH --cuinstrument PATH      (PATH: built with `cuinstrument nvcc`; CPU.db: its trace of the CPU backend)

The CPU backend has one row for barriers with no access between them: the program must have none such. Prints what it compared; exits 1 if
it differs.
"""
import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

CPU = "SELECT launch_id, block, count(*), sum(grid) FROM barrier GROUP BY 1, 2"
GPU = "SELECT launch_id, block, max(passed), max(grid) FROM warp_barrier GROUP BY 1, 2"


def rows(trace, sql):
    with closing(sqlite3.connect(f"file:{trace}?mode=ro", uri=True)) as db:
        return db.execute(sql).fetchall()


def races(trace, options):
    done = subprocess.run([options.cuinstrument, "report", trace, "--analysis", "races", "--format", "json"], capture_output=True, text=True,
                          timeout=60, check=True)
    findings = [f for section in json.loads(done.stdout)["analyses"] for f in section["findings"]]
    return sorted((f["severity"], f["verdict"], f.get("line"), json.dumps(f.get("numbers"))) for f in findings)


def compare(cpu_trace, gpu_trace, options):
    wrong = False
    for what, cpu, gpu in (("blocks with barriers", rows(cpu_trace, CPU), rows(gpu_trace, GPU)),
                           ("races", races(cpu_trace, options), races(gpu_trace, options))):
        print(f"{'ok   ' if cpu == gpu else 'WRONG'} {what}: {len(cpu)}")
        if cpu != gpu:
            wrong = True
            print("only on the CPU backend:", [row for row in cpu if row not in gpu][:10])
            print("only on the GPU:", [row for row in gpu if row not in cpu][:10])
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cpu")
    for name in ("program", "cuinstrument"):
        parser.add_argument(f"--{name}", required=True, type=lambda p: Path(p).resolve())
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        trace = Path(directory) / "gpu.db"
        subprocess.run([options.program], check=True, timeout=60, env={**os.environ, "CUINSTRUMENT_BARRIERS": "on", "CUINSTRUMENT_DB": str(trace)})
        sys.exit(compare(options.cpu, trace, options))


main()
