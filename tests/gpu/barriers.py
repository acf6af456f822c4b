#!/usr/bin/env python3
"""One program's trace of a GPU beside that of the CPU backend: as many barriers in every block, and the same races.

  barriers.py CPU.db GPU.db --cuinstrument PATH

The CPU backend has one row for barriers with no access between them: the program must have none such. Prints what it compared; exits 1 if
it differs.
"""
import argparse
import json
import sqlite3
import subprocess
import sys
from contextlib import closing

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cpu")
    parser.add_argument("gpu")
    parser.add_argument("--cuinstrument", required=True)
    options = parser.parse_args()
    wrong = False
    for what, cpu, gpu in (("blocks with barriers", rows(options.cpu, CPU), rows(options.gpu, GPU)),
                           ("races", races(options.cpu, options), races(options.gpu, options))):
        print(f"{'ok   ' if cpu == gpu else 'WRONG'} {what}: {len(cpu)}")
        if cpu != gpu:
            wrong = True
            print("only on the CPU backend:", [row for row in cpu if row not in gpu][:10])
            print("only on the GPU:", [row for row in gpu if row not in cpu][:10])
    sys.exit(wrong)


main()
