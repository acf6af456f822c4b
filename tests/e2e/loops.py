#!/usr/bin/env python3
"""Loops that are recorded in front of them leave the records that their accesses would have left one by one, in that order: a program
built so that the CPU backend records loops as a GPU does, and so that it always fails to, against --separate. Where a part of a loop is
told in front of it, as profiles have it, each lane has the same accesses, in any order.

  loops.py --source <repository> --bin <folder of cuinstrument> --work <folder>
"""
import argparse
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

LIMIT_S = 60
# Of one variable all addresses in global memory are; in shared memory they are offsets. Where lanes part each has its own order.
OFFSET = "address - CASE a.space WHEN 'global' THEN (SELECT min(address) FROM access WHERE space = 'global') ELSE 0 END"
PARTED = "a.launch_id IN (SELECT launch_id FROM launch WHERE kernel LIKE 'unevenly%')"
RECORDS = f"""SELECT a.launch_id, block_x, block_y, warp, line, "column", a.kind, a.space, a.bytes, a.{OFFSET}, a.active_mask, a.stride,
    (SELECT group_concat(d.address - a.address) FROM access_lane_detail d WHERE d.launch_id = a.launch_id AND d.sequence = a.sequence)
  FROM access a JOIN site USING (site_id) WHERE NOT {PARTED} ORDER BY a.launch_id, block_x, block_y, warp, sequence"""
EACH = f"""SELECT a.launch_id, block_x, block_y, a.warp, n.lane, line, "column", a.kind, a.space, a.bytes, n.{OFFSET}
  FROM access a JOIN access_lane n USING (launch_id, sequence) JOIN site USING (site_id) ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"""
LANES = f"""SELECT a.launch_id, a.warp, n.lane, line, "column", a.kind, a.space, a.bytes, n.{OFFSET}
  FROM access a JOIN access_lane n USING (launch_id, sequence) JOIN site USING (site_id) WHERE {PARTED} ORDER BY 1, 2, 3, sequence"""


def fail(text):
    print(text)
    sys.exit(1)


def records(options, name, flags, definitions):
    """Standard output; the records in their order; what each lane accessed, in any order."""
    work = options.work / name
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    subprocess.run([options.bin / "cuinstrument", "--strict", *flags, "cpu", *definitions, "-O1", "-o", work / "program",
                    options.source / "tests/e2e/programs/loops.cu"], check=True, cwd=options.source)
    done = subprocess.run([work / "program"], cwd=work, capture_output=True, text=True, timeout=LIMIT_S,
                          env={"CUINSTRUMENT_DB": "trace.db"})
    if done.returncode != 0:
        fail(f"{name}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    with sqlite3.connect(f"file:{work / 'trace.db'}?mode=ro", uri=True) as trace:
        ordered = trace.execute(RECORDS).fetchall() + trace.execute(LANES).fetchall()
        return done.stdout, ordered, trace.execute(EACH).fetchall()


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "bin", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    output, ordered, each = records(options, "separate", ["--separate"], [])
    if len(ordered) < 1000:
        fail(f"only {len(ordered)} records")
    for name, definitions in (("in_front", ["-DCUI_LOOPS_IN_FRONT=1"]), ("one_by_one", ["-DCUI_LOOPS_IN_FRONT=0"]),
                              ("parts", ["-DCUI_LOOPS_IN_FRONT=1", "-DCUI_PARTS_IN_FRONT"])):
        other, *both = records(options, name, [], definitions)
        actual, expected = (both[1], each) if name == "parts" else (both[0], ordered)
        if name == "parts" and both[0] == ordered:
            fail("parts: nothing was told in front of a loop")
        if other != output:
            fail(f"{name}: output {other!r}, expected {output!r}")
        for i, (one, wanted) in enumerate(zip(actual, expected)):
            if one != wanted:
                fail(f"{name}: record {i} is {one}, expected {wanted}")
        if len(actual) != len(expected):
            fail(f"{name}: {len(actual)} records, expected {len(expected)}")


main()
