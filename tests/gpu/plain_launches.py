#!/usr/bin/env python3
"""Launches without the recorder (plain_launches.cu): programs compute what they compute otherwise, and traces hold what they hold otherwise,
of samples whose blocks are launched apart and of launches that are not selected.

  plain_launches.py --program PATH --cuinstrument PATH      (PATH: plain_launches.cu, built with `cuinstrument nvcc -arch=sm_90`)

One line a case; exits 1 if anything is not as it must be. Needs a GPU of compute capability 9.0 or later, Python 3 and nothing else.
"""
import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

LAUNCHES = 69  # of each half
# Of lastAdds which block is the last is not the same twice, and waits turns round as often as it has to.
SAME = "kernel NOT IN ('lastAdds', 'waits')"
APART = 2 * (LAUNCHES - 1)  # all but `waits`, whose blocks wait for one another; one is refused when it is made
PERHAPS = 15  # in front of one that is selected: another thread's launches may come first

RECORDS = """
SELECT l.launch_id, a.site_id, a.block_x, a.block_y, a.block_z, a.warp, a.active_mask, a.space, a.kind, a.bytes, a.stride,
       CASE WHEN a.space = 'global' THEN a.address - coalesce((SELECT m.address FROM allocation m
            WHERE a.address >= m.address AND a.address < m.address + m.bytes AND m.allocated_ns <= l.host_begin_ns
                  AND ifnull(m.freed_ns, l.host_begin_ns) >= l.host_begin_ns), a.address) ELSE a.address END AS offset
FROM access a JOIN launch l USING (launch_id) WHERE {}
ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12"""
SUMS = f"""
SELECT m.launch_id, m.site_id, m.requests, m.thread_accesses, m.sectors, m.wavefronts
FROM site_metric m JOIN launch l USING (launch_id) WHERE {SAME} ORDER BY 1, 2"""


class Wrong(Exception):
    pass


class Run:
    def __init__(self, options, folder, name, **environment):
        self.trace = folder / f"{name}.db"
        settings = {f"CUINSTRUMENT_{key}": value for key, value in environment.items()}
        done = subprocess.run([options.program], env={**os.environ, **settings, "CUINSTRUMENT_DB": str(self.trace), "CUINSTRUMENT_MATERIALIZE": "10000000"}, text=True,
                              capture_output=True, timeout=60)
        if (done.returncode, done.stdout, done.stderr) != (0, options.says, ""):
            raise Wrong(f"exit status {done.returncode}: {done.stdout.strip()} {done.stderr.strip()}")
        valid = subprocess.run([options.cuinstrument, "validate", self.trace], text=True, capture_output=True, timeout=60)
        if valid.returncode != 0:
            raise Wrong(valid.stdout + valid.stderr)
        lost = self.ask("SELECT name, value FROM trace_stat WHERE severity <> 'info'")
        if lost:
            raise Wrong(f"lost: {lost}")

    def ask(self, sql):
        """Large traces hold single accesses compressed until they are made tables."""
        with sqlite3.connect(f"file:{self.trace}?mode=ro", uri=True) as db:
            return db.execute(sql).fetchall()

    def records(self, which=SAME):
        return self.ask(RECORDS.format(which))

    def stat(self, name):
        return self.ask(f"SELECT ifnull(sum(value), 0) FROM trace_stat WHERE name = '{name}'")[0][0]


def same(what, found, expected):
    if found != expected:
        different = [pair for pair in zip(found, expected) if pair[0] != pair[1]][:3] if isinstance(found, list) else (found, expected)
        raise Wrong(f"{what}: {len(found) if isinstance(found, list) else ''} {different}")


def traced(options, folder):
    """The same records, of the same blocks, whether a sample's blocks are launched apart or not; and what a whole trace has of them."""
    apart = Run(options, folder, "apart", SAMPLE_BLOCKS="4", PLAIN_LAUNCHES="on")
    together = Run(options, folder, "together", SAMPLE_BLOCKS="4", PLAIN_LAUNCHES="off")
    same("launched apart", apart.stat("samples_launched_apart"), APART)
    same("launched together", together.stat("samples_launched_apart"), 0)
    of_apart = apart.records()
    same("records", of_apart, together.records())
    blocks = {row[:1] + row[2:5] for row in of_apart}
    whole = Run(options, folder, "whole")
    of_blocks = [row for row in whole.records() if row[:1] + row[2:5] in blocks]
    same("records of a whole trace", of_apart, of_blocks)
    launches = "SELECT kernel, grid_x, grid_y, grid_z, block_x, dynamic_shared_bytes, error, entered FROM launch ORDER BY launch_id"
    try:
        same("launches", apart.ask(launches), whole.ask(launches))
    except sqlite3.OperationalError as error:
        raise Wrong(str(error)) from error
    return f"{len(of_apart)} records"


def profiled(options, folder):
    apart = Run(options, folder, "apart", SAMPLE_BLOCKS="4", PLAIN_LAUNCHES="on", MODE="profile")
    together = Run(options, folder, "together", SAMPLE_BLOCKS="4", PLAIN_LAUNCHES="off", MODE="profile")
    same("launched apart", apart.stat("samples_launched_apart"), APART)
    same("sums", apart.ask(SUMS), together.ask(SUMS))
    return f"{len(apart.ask(SUMS))} sums"


def selected(options, folder):
    """Launches that are not selected run without the recorder, those between are recorded whole."""
    chosen = Run(options, folder, "chosen", LAUNCHES="1-3,70-80", PLAIN_LAUNCHES="on")
    whole = Run(options, folder, "whole")
    of_chosen = chosen.records()
    same("records", of_chosen, whole.records(f"{SAME} AND (launch_id <= 3 OR launch_id BETWEEN 70 AND 80)"))  # whole, it has millions
    same("without the recorder", chosen.stat("launches_without_recorder"), 2 * LAUNCHES - 14 - PERHAPS)
    kernel = Run(options, folder, "kernel", KERNELS="turned")
    names = kernel.ask("SELECT DISTINCT kernel FROM launch JOIN access USING (launch_id)")
    same("kernels", len(names), 1)
    return f"{len(of_chosen)} records"


def measured(options, folder):
    """By itself, nothing is launched apart that is short: lastAdds, whose one thread adds up all, may be, the others are not."""
    run = Run(options, folder, "measured", SAMPLE_BLOCKS="4")
    apart, long = run.stat("samples_launched_apart"), run.ask("SELECT count(*) FROM launch WHERE gpu_end_ns - gpu_begin_ns > 60000")[0][0]
    if apart > long:
        raise Wrong(f"{apart} launched apart, {long} took 60 us")
    return f"{apart} of {long} launches that took 60 us"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--cuinstrument", required=True, type=lambda p: Path(p).resolve())
    options = parser.parse_args()
    options.says = subprocess.run([options.program], env={**os.environ, "CUINSTRUMENT": "off"}, text=True, capture_output=True, timeout=60).stdout
    if not options.says.endswith("\nright\n"):
        print(f"WRONG  switched off: {options.says}")
        return 1
    failed = 0
    for case in (traced, profiled, selected, measured):
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(f"right  {case.__name__}: {case(options, Path(folder))}", flush=True)
            except (Wrong, subprocess.TimeoutExpired) as problem:
                failed += 1
                print(f"WRONG  {case.__name__}: {problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
