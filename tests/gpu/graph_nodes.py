#!/usr/bin/env python3
"""Graphs' nodes made by hand: each run is a launch with the kernel, the extents and the place of the call that made the node.

  graph_nodes.py --program PATH --cuinstrument PATH [--cpu]     (PATH: graph_nodes.cu, built with `cuinstrument nvcc`)

Runs it plain, as a trace (also without the pool) and as a profile. --cpu: it was built with `cuinstrument cpu`. Reads
graph_nodes.cu beside this file. Exits 1 if anything is not as it must be.
"""
import argparse
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

QUERY = """SELECT kernel, line, grid_x, grid_y * grid_z, block_x, dynamic_shared_bytes, launch.instrumented, error,
                  (SELECT sum(requests) FROM site_metric m WHERE m.launch_id = launch.launch_id) FROM launch"""


def places():
    source = Path(__file__).with_name("graph_nodes.cu").read_text(encoding="utf-8")
    return {mark.group(1): number for number, text in enumerate(source.splitlines(), 1)
            if (mark := re.search(r"// at: (.*)", text))}


def expected(cpu, profile):
    at = places()

    def launches(count, kernel, mark, blocks, threads=64, shared=0, requests=None):
        return [(kernel, at[mark], blocks, 1, threads, shared, 1, 0, requests or blocks * threads // 32)] * count

    # A profile has no entry of a later run, so nothing says what that was given in the meantime.
    changed = ([*launches(3, "setLater", "setLater, 1", 1, requests=8), *launches(1, "setLater", "setLater, 1", 1, requests=4)] if profile
               else [*launches(3, "setLater", "setLater, 4", 4), *launches(1, "setLater", "setLater, 2", 2)])
    later = "otherArguments, CPU" if cpu else "otherArguments"  # on a GPU runs with equal extents are alike
    rows = [*launches(3, "repeated<int>", "repeated", 2, shared=256), *launches(3, "twice", "twice, first", 1),
            *launches(3, "twice", "twice, second", 1), *launches(2, "cloned", "cloned", 2),
            *launches(4, "(anonymous namespace)::inChild", "inChild", 1), *launches(2, "setBefore", "setBefore", 3),
            *launches(2, "setLater", "setLater, 1", 1), *changed,
            *launches(1, "otherArguments", "otherArguments", 1), *launches(1, "otherArguments", later, 1), *launches(3, "captured", "captured", 1)]
    return rows, launches(3, "countDown", "countDown", 1, 1, requests=1), launches(1, "countDown", "countDown", 1, 1, requests=3)


def check(options, name, environment, directory):
    trace = Path(directory) / "graph_nodes.db"
    trace.unlink(missing_ok=True)
    done = subprocess.run([options.program], env={**os.environ, **environment, "CUINSTRUMENT_DB": str(trace)}, text=True,
                          capture_output=True, timeout=60)
    problems = []
    if done.returncode != 0:
        problems.append(f"exit status {done.returncode}: {done.stdout} {done.stderr}")
    elif environment.get("CUINSTRUMENT") != "off":
        with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
            rows = sorted(db.execute(QUERY).fetchall(), key=str)
            stats = db.execute("SELECT name, value, detail FROM trace_stat WHERE severity <> 'info' OR name = 'launch_not_announced'").fetchall()
            merged = db.execute("SELECT ifnull(sum(value), 0) FROM trace_stat WHERE name = 'runs_merged'").fetchone()[0]
        # The condition's three runs are within one of the whole graph, for which the program cannot wait: a profile
        # may have them as one launch, and then says so.
        profile = environment.get("CUINSTRUMENT_MODE") == "profile"
        wanted, three, one = expected(options.cpu, profile)
        wanted += one if profile and merged == 2 else three
        problems += [f"missing {row}" for row in wanted if rows.count(row) < wanted.count(row)]
        problems += [f"too much {row}" for row in rows if rows.count(row) > wanted.count(row)]
        problems += [f"said {row}" for row in stats]
        valid = subprocess.run([options.cuinstrument, "validate", trace], text=True, capture_output=True, timeout=60)
        if valid.returncode != 0:
            problems.append(f"validate: {valid.stdout}{valid.stderr}")
    print(f"{'WRONG' if problems else 'ok   '} {name}", *problems, sep="\n      ")
    return not problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--cuinstrument", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    runs = {"off": {"CUINSTRUMENT": "off"}, "trace": {}}
    if not options.cpu:
        runs |= {"trace through the ring": {"CUINSTRUMENT_POOL": "0"}, "profile": {"CUINSTRUMENT_MODE": "profile"}}
    with tempfile.TemporaryDirectory() as directory:
        sys.exit(0 if all([check(options, name, environment, directory) for name, environment in runs.items()]) else 1)


main()
