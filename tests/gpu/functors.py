#!/usr/bin/env python3
"""What functors access in kernels of Thrust's and CUB's (functors.cu): it is in the rows of the launches of these kernels, as often as can be
counted on paper, traced and profiled.

  functors.py --program PATH --cuinstrument PATH

Exits 1 if anything is not as it must be.
"""
import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

COUNT, ROUNDS = 10000, 8
# Thread accesses by function: one site of kind rmw, a load, a store and a load.
FUNCTORS = {"AddIndex": ROUNDS * COUNT, "TakeTwice": ROUNDS * COUNT, "Flip": 2 * ROUNDS * COUNT}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--cuinstrument", required=True, type=lambda p: Path(p).resolve())
    options = parser.parse_args()
    wrong = []
    for mode in ("trace", "profile"):
        with tempfile.TemporaryDirectory() as directory:
            trace = Path(directory) / "functors.db"
            done = subprocess.run([options.program], env={**os.environ, "CUINSTRUMENT_DB": str(trace), "CUINSTRUMENT_MODE": mode},
                                  text=True, capture_output=True, timeout=50)
            valid = subprocess.run([options.cuinstrument, "validate", trace], text=True, capture_output=True, timeout=50)
            with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
                rows = db.execute("SELECT s.function, l.kernel, l.instrumented, count(DISTINCT launch_id), sum(thread_accesses) "
                                  "FROM site_metric m JOIN site s USING (site_id) LEFT JOIN launch l USING (launch_id) "
                                  "GROUP BY 1, 2, 3 ORDER BY 1").fetchall()
                stats = db.execute("SELECT name, severity, value FROM trace_stat WHERE severity <> 'info' OR name = 'launch_match_guessed'").fetchall()
        print(mode, done.stdout.strip(), done.stderr.strip(), stats)
        if done.returncode or valid.returncode or [s for s in stats if s[1] != "info"]:
            wrong.append(f"{mode}: exit status {done.returncode}, validate {valid.returncode}, {stats}\n{valid.stdout[-1500:]}")
        for name, accesses in FUNCTORS.items():
            found = [row for row in rows if name in row[0]]
            if not (len(found) == 1 and name in (found[0][1] or "") and found[0][2] == 0 and found[0][3] == ROUNDS and found[0][4] == accesses):
                wrong.append(f"{mode}: {name}: {found}")
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
