#!/usr/bin/env python3
"""What is recorded when only a part is asked for: a sample of the blocks or warps, some kernels, some launches, totals. The program's
output must not depend on it, and the trace must be complete and consistent.

  choice.py <case> --program <examples/transpose, built> --bin <folder of cuinstrument> --work <folder>
"""
import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

LIMIT_S = 30


def check(what, actual, expected):
    if actual != expected:
        print(f"{what}: {actual!r}, expected {expected!r}")
        sys.exit(1)


def record(name, **variables):
    """The trace of a run with CUINSTRUMENT_<variables>; None: of one without."""
    trace = options.work / f"{name}.db"
    kept = {k: v for k, v in os.environ.items() if not k.startswith("CUINSTRUMENT")}
    asked = {f"CUINSTRUMENT_{k}": v for k, v in variables.items()}
    done = subprocess.run([options.program], capture_output=True, text=True, timeout=LIMIT_S,
                          env={**kept, **asked, "CUINSTRUMENT_DB": str(trace)})
    check("exit code", done.returncode, 0)
    check("stderr", done.stderr, "")
    subprocess.run([options.bin / "cuinstrument", "validate", trace], check=True, stdout=subprocess.DEVNULL)
    return sqlite3.connect(f"file:{trace}?mode=ro", uri=True), done.stdout


def stat(trace, name):
    return trace.execute("SELECT value, severity FROM trace_stat WHERE name = ?", (name,)).fetchall()


def sampled():
    """The golden ratio's multiples below an eighth (format/record.h: isSampled), whatever the grid's shape."""
    trace, output = record("sampled", SAMPLE_BLOCKS="8")
    whole, expected = record("whole")
    check("output", output, expected)
    blocks = "SELECT DISTINCT launch_id, a.block_y * grid_x + a.block_x FROM access a JOIN launch USING (launch_id) ORDER BY 1, 2"
    chosen = [(launch, b) for launch, b in whole.execute(blocks) if b * 0x9E3779B1 % 2**32 <= (2**32 - 1) // 8]
    check("blocks", trace.execute(blocks).fetchall(), chosen)
    check("block 0 is among them", (1, 0) in chosen, True)
    check("stat", stat(trace, "blocks_sampled"), [(8, "info")])
    everything = whole.execute("SELECT count(*) FROM access").fetchone()[0]
    share = trace.execute("SELECT count(*) FROM access").fetchone()[0] / everything
    check("about an eighth", 0.1 < share < 0.15, True)


def warps():
    """The same of the warps, numbered 32 a block, and of those in sampled blocks only."""
    trace, output = record("warps", SAMPLE_WARPS="4", SAMPLE_BLOCKS="2")
    whole, expected = record("whole")
    check("output", output, expected)
    warps = "SELECT DISTINCT launch_id, a.block_y * grid_x + a.block_x, warp FROM access a JOIN launch USING (launch_id) ORDER BY 1, 2, 3"
    chosen = [(launch, b, w) for launch, b, w in whole.execute(warps)
              if b * 0x9E3779B1 % 2**32 <= (2**32 - 1) // 2 and (b * 32 + w) * 0x9E3779B1 % 2**32 <= (2**32 - 1) // 4]
    check("warps", trace.execute(warps).fetchall(), chosen)
    check("some", len(chosen) > 10, True)
    check("stat", stat(trace, "warps_sampled"), [(4, "info")])


def kernels_with_accesses(trace):
    return [k for k, in trace.execute("SELECT DISTINCT kernel FROM site_metric JOIN launch USING (launch_id) ORDER BY 1")]


def kernels():
    whole, expected = record("whole")
    trace, output = record("kernels", KERNELS="transpose*,!*Naive")
    check("output", output, expected)
    every = kernels_with_accesses(whole)
    check("kernels", kernels_with_accesses(trace), [k for k in every if not k.endswith("Naive")])
    check("fewer", len(kernels_with_accesses(trace)) < len(every), True)
    launches = "SELECT launch_id, kernel, error FROM launch ORDER BY 1"
    check("all launches have rows", trace.execute(launches).fetchall(), whole.execute(launches).fetchall())
    left_out = whole.execute("SELECT count(*) FROM launch WHERE kernel LIKE '%Naive'").fetchone()[0]
    check("stat", stat(trace, "launches_left_out"), [(left_out, "info")])


def launches():
    trace, _ = record("launches", LAUNCHES="2")
    check("launches", trace.execute("SELECT DISTINCT launch_id FROM access").fetchall(), [(2,)])
    check("shared variables", trace.execute("SELECT count(*) FROM launch_shared_variable WHERE launch_id <> 2").fetchone(), (0,))


def profile():
    """Totals by launch and site, the same as the trace's; no accesses."""
    whole, expected = record("whole")
    trace, output = record("profile", MODE="profile")
    check("output", output, expected)
    for table in ("site_metric", "site_counter", "launch_shared_variable", "site", "launch_summary"):
        columns = [c for c, in trace.execute("SELECT name FROM pragma_table_info(?) WHERE name NOT LIKE '%\\_ns' ESCAPE '\\'", (table,))]
        query = f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1, 2"
        check(table, trace.execute(query).fetchall(), whole.execute(query).fetchall())
    check("metrics", trace.execute("SELECT count(*) > 0 FROM site_metric").fetchone(), (1,))
    check("accesses", trace.execute("SELECT (SELECT count(*) FROM access), (SELECT count(*) FROM access_chunk)").fetchone(), (0, 0))
    check("mode", trace.execute("SELECT value FROM meta WHERE key = 'mode'").fetchone(), ("profile",))
    check("stat", stat(trace, "accesses_not_stored"), [(1, "info")])


def variables():
    """What a variable holds goes by its own name, also with several workers and in profiles."""
    whole, expected = record("whole")
    launches = "SELECT launch_id, kernel FROM launch ORDER BY 1"
    every = whole.execute(launches).fetchall()
    check("kernels", {kernel for _, kernel in every}, {"setOne", "setTwo", "setThree"})
    for name, setting in (("one", {}), ("workers", {"CPU_THREADS": "4"}), ("profile", {"MODE": "profile"})):
        trace, output = record(name, KERNELS="set*,!setTwo", **setting)
        check("output", output, expected)
        check("names", trace.execute(launches).fetchall(), every)
        chosen = trace.execute("SELECT launch_id FROM site_metric WHERE requests = 1 ORDER BY 1").fetchall()
        check("recorded", chosen, [(launch,) for launch, kernel in every if kernel != "setTwo"])
        check("left out", stat(trace, "launches_left_out"), [(sum(kernel == "setTwo" for _, kernel in every), "info")])
    trace, _ = record("numbered", KERNELS="setOne", LAUNCHES="4-")
    check("by number", trace.execute("SELECT DISTINCT launch_id FROM access ORDER BY 1").fetchall(), [(4,), (6,), (10,)])


CASES = {f.__name__: f for f in (sampled, warps, kernels, launches, profile, variables)}

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("case", choices=CASES)
for name in ("program", "bin", "work"):
    arguments.add_argument("--" + name, type=Path, required=True)
options = arguments.parse_args()
shutil.rmtree(options.work, ignore_errors=True)
options.work.mkdir(parents=True)
CASES[options.case]()
