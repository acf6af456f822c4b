#!/usr/bin/env python3
"""Accesses of consecutive statements that are recorded together leave the records that --separate leaves, in each lane in that
order: a program rewritten as for a GPU, which alone has these, and compiled for the CPU backend.

  statements.py --source <repository> --bin <folder of cuinstrument> --work <folder>
"""
import argparse
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

LIMIT_S = 60
PROGRAM = "tests/e2e/programs/statements.cu"
# Each variable's addresses begin where its own memory does, so that runs compare.
LANES = """SELECT a.launch_id, a.block_x, a.warp, n.lane, line, "column", a.kind, a.space, a.bytes,
    n.address - CASE a.space WHEN 'shared' THEN 0 ELSE (SELECT max(m.address) FROM allocation m WHERE m.address <= n.address) END,
    CASE a.space WHEN 'shared' THEN 0 ELSE (SELECT max(m.allocation_id) FROM allocation m WHERE m.address <= n.address) END
  FROM access a JOIN access_lane n USING (launch_id, sequence) JOIN site USING (site_id) ORDER BY 1, 2, 3, 4, a.sequence"""


def fail(text):
    print(text)
    sys.exit(1)


def run(command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=LIMIT_S, **options)
    if result.returncode != 0:
        fail(f"{shlex.join(map(str, command))}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def records(options, name, flags):
    """The rewritten text; standard output; each lane's records in their order."""
    work = options.work / name
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    run([options.bin / "cuinstrument-rewrite", "--strict", *flags, "-o", work / "program.cu", PROGRAM, "--", "-std=c++17"],
        cwd=options.source)
    compile_flags, link_flags = (shlex.split(run([options.bin / "cuinstrument", "flags", "--backend", "cpu", part]))
                                 for part in ("--compile", "--link"))
    run(["g++", "-std=c++17", "-O1", *compile_flags, "-x", "c++", work / "program.cu", "-x", "none",
         "-o", work / "program", *link_flags], cwd=options.source)
    output = run([work / "program"], cwd=work, env={"CUINSTRUMENT_DB": "trace.db"})
    with sqlite3.connect(f"file:{work / 'trace.db'}?mode=ro", uri=True) as trace:
        return (work / "program.cu").read_text(), output, trace.execute(LANES).fetchall()


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "bin", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    _, output, expected = records(options, "separate", ["--separate"])
    if len(expected) < 1000:
        fail(f"only {len(expected)} records")
    text, other, actual = records(options, "together", [])
    # Each is in front of a statement that makes the first of them only.
    joined = re.findall(r"CUI_TOGETHER\(\(\d+, (.*?), \d+, .*?\), \1 = \w+\);", text)
    if len(joined) < 3:
        fail(f"only {joined} are recorded together with the statements behind")
    if other != output:
        fail(f"output {other!r}, expected {output!r}")
    for i, (one, wanted) in enumerate(zip(actual, expected)):
        if one != wanted:
            fail(f"record {i} is {one}, expected {wanted}")
    if len(actual) != len(expected):
        fail(f"{len(actual)} records, expected {len(expected)}")


main()
