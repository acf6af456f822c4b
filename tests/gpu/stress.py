#!/usr/bin/env python3
"""Kernels that are hard on a recorder (stress.cu): each ends with the right result, loses nothing, and its trace holds what it did.

  stress.py --program PATH --cuinstrument PATH [--long] [CASE…]      (PATH: stress.cu, built with `cuinstrument nvcc`)

--long: 10⁹ records through a ring of 1 MiB, and a kernel that runs for a minute. Exits 1 if anything is not as it must be.
"""
import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RING = {"CUINSTRUMENT_POOL": "0"}
TINY = {**RING, "CUINSTRUMENT_BUFFER": "128K"}
SMALL = {**RING, "CUINSTRUMENT_BUFFER": "1M"}
BEYOND = {"CUINSTRUMENT_POOL": "380M"}  # used up soon: then chunks in the host's memory
FEW = {**BEYOND, "CUINSTRUMENT_CHUNKS": "1M"}  # fewer than there are warps
PROFILE = {"CUINSTRUMENT_MODE": "profile"}
COMPLETE = {"CUINSTRUMENT_PLAIN_LAUNCHES": "off"}  # with the recorder, left out or not
WARPS = 132 * 32


def accesses(db):
    return db.execute("SELECT ifnull(sum(requests), 0), ifnull(sum(thread_accesses), 0) FROM site_metric").fetchone()


def same(actual, expected):
    """True, or what it is instead."""
    return actual == expected or (actual, expected)


def of(requests, lanes=32):
    return lambda db: same(accesses(db), (requests, requests * lanes))


def threads_apart(rounds):
    """Each lane's accesses, whatever groups of lanes made them together."""
    count = sum(1 if (k + lane) % 3 == 0 or (k ^ lane) % 11 else 2
                for lane in range(24) for k in range(rounds) if (k * 7 + lane) % 5) * 264 * 8
    return lambda db: same(accesses(db)[1], count)


def threads_called(db):
    """Of each thread and round eight loads, those of the function from the table (two or three) and of the class's (one or
    three), and a load of the table; in the end a store. The classes' own members are apart."""
    count = sum(20 * (8 + 1 + (1 if i % 2 else 3)) + 20 * 2 + 10 + 1 for i in range(264 * 128))
    return same(db.execute("SELECT sum(thread_accesses) FROM site_metric JOIN site USING (site_id) WHERE expression NOT LIKE '%depth'").fetchone()[0], count)


def some(db):
    requests, _ = accesses(db)
    return requests > 10000 or requests


def counted_launches(count):
    """And the device has counted what each of them did."""
    def holds(db):
        incomplete = db.execute("SELECT sum(value) FROM trace_stat WHERE name = 'counters_incomplete'").fetchone()[0]
        return launches(count)(db) if incomplete is None else f"{incomplete} accesses not counted"
    return holds


def chosen(*numbers):
    """Only these launches of `small` were recorded, each with one access, which loads and stores."""
    return lambda db: same(db.execute("SELECT launch_id, sum(requests), sum(thread_accesses) FROM site_metric GROUP BY 1 ORDER BY 1").fetchall(),
                           [(n, 1, 32) for n in numbers])


def launches(count):
    return lambda db: same(db.execute("SELECT count(*), sum(error) FROM launch").fetchone(), (count, 0))


def overlapping(db):
    """Each two launches, which are in streams of their own, ran at once, and say so."""
    times = db.execute("SELECT gpu_begin_ns, gpu_end_ns FROM launch WHERE error = 0 ORDER BY launch_id").fetchall()
    pairs = list(zip(times[::2], times[1::2]))
    return len(pairs) == 20 and all(max(a[0], b[0]) < min(a[1], b[1]) for a, b in pairs) or times


# name, program's arguments, environment, what the trace must hold (True, or what it is instead)
CASES = [
    ("rounds", ["rounds"], {}, of(WARPS * 200 * 2)),
    ("rounds", ["rounds"], SMALL, of(WARPS * 200 * 2)),
    ("rounds", ["rounds", "4000"], BEYOND, of(WARPS * 4000 * 2)),
    ("rounds", ["rounds", "4000"], FEW, of(WARPS * 4000 * 2)),
    ("rounds", ["rounds"], PROFILE, of(WARPS * 200 * 2)),
    ("grid_barriers", ["grid_barriers"], {}, of(132 * 8 * 20 * 4)),
    ("grid_barriers", ["grid_barriers"], TINY, of(132 * 8 * 20 * 4)),
    ("grid_barriers", ["grid_barriers", "2000"], BEYOND, of(132 * 8 * 2000 * 4)),
    ("grid_barriers", ["grid_barriers", "2000"], FEW, of(132 * 8 * 2000 * 4)),
    ("grid_barriers", ["grid_barriers"], PROFILE, of(132 * 8 * 20 * 4)),
    ("persistent", ["persistent"], BEYOND, some), ("persistent", ["persistent"], FEW, some),
    ("persistent", ["persistent"], {}, some), ("persistent", ["persistent"], SMALL, some), ("persistent", ["persistent"], PROFILE, some),
    ("flags", ["flags"], {}, launches(41)), ("flags", ["flags"], TINY, launches(41)), ("flags", ["flags"], PROFILE, launches(41)),
    ("meet", ["meet"], {}, overlapping), ("meet", ["meet"], TINY, overlapping), ("meet", ["meet"], PROFILE, overlapping),
    ("all_shared", ["all_shared"], {}, some), ("all_shared", ["all_shared"], PROFILE, some),
    ("apart", ["apart", "2000"], FEW, threads_apart(2000)),
    ("apart", ["apart"], {}, threads_apart(400)), ("apart", ["apart"], TINY, threads_apart(400)), ("apart", ["apart"], PROFILE, threads_apart(400)),
    ("cluster", ["cluster"], {}, of(64 * 4 * 3)), ("cluster", ["cluster"], PROFILE, of(64 * 4 * 3)),
    ("called", ["called"], {}, threads_called), ("called", ["called"], TINY, threads_called), ("called", ["called"], PROFILE, threads_called),
    ("threads", ["threads"], {}, launches(4000)), ("threads", ["threads"], PROFILE, launches(4000)),
    ("storm", ["storm"], {}, counted_launches(200000)), ("storm", ["storm"], PROFILE, launches(200000)),
    *(("storm", ["storm", "20000"], {**more, "CUINSTRUMENT_LAUNCHES": "1,500,530,15000-15002"}, chosen(1, 500, 530, 15000, 15001, 15002))
      for more in ({}, PROFILE, COMPLETE, {**COMPLETE, **PROFILE})),
    ("storm_beside", ["storm_beside"], {}, launches(20003)), ("storm_beside", ["storm_beside"], PROFILE, launches(20003)),
]
LONG = [
    ("billion", ["rounds", "118371"], SMALL, of(WARPS * 118371 * 2)),
    ("minute", ["persistent", "60000"], PROFILE, some),
]


def run(options, name, arguments, environment, holds, directory):
    trace = directory / f"{name}.db"
    begin = time.monotonic()
    done = subprocess.run([options.program, *arguments], env={**os.environ, **environment, "CUINSTRUMENT_DB": str(trace)},
                          text=True, capture_output=True, timeout=options.limit)
    seconds = time.monotonic() - begin
    if (done.returncode, done.stdout, done.stderr) != (0, "right\n", ""):
        return seconds, f"exit status {done.returncode}: {done.stdout.strip()} {done.stderr.strip()}"
    with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
        lost = db.execute("SELECT name, value FROM trace_stat WHERE severity <> 'info'").fetchall()
        if lost:
            return seconds, f"lost: {lost}"
        actual = holds(db)
        if actual is not True:
            return seconds, f"the trace has {actual}"
    if name not in ("billion",):  # which it would take long to read
        valid = subprocess.run([options.cuinstrument, "validate", trace], text=True, capture_output=True, timeout=options.limit)
        if valid.returncode != 0:
            return seconds, f"validate: {valid.stdout}{valid.stderr}"
    return seconds, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--cuinstrument", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--long", action="store_true")
    parser.add_argument("case", nargs="*")
    options = parser.parse_args()
    options.limit = 300 if options.long else 60
    wrong = 0
    for name, arguments, environment, holds in LONG if options.long else CASES:
        if options.case and name not in options.case:
            continue
        with tempfile.TemporaryDirectory() as directory:
            try:
                seconds, problem = run(options, name, arguments, environment, holds, Path(directory))
            except subprocess.TimeoutExpired:
                seconds, problem = options.limit, "hung"
        wrong += problem is not None
        asked = " ".join(f"{k.removeprefix('CUINSTRUMENT_')}={v}" for k, v in environment.items())
        print(f"{'WRONG' if problem else 'ok   '} {name} {asked} ({seconds:.1f} s){': ' + problem if problem else ''}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
