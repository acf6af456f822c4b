#!/usr/bin/env python3
"""Steps of the end-to-end tests; CMakeLists.txt makes each call of this script one ctest.

  build       instruments and compiles a program for the CPU backend, runs it, keeps trace and output
  query       runs a case's SQL on the trace with stock SQLite and compares with its CSV
  report      runs an analysis on the trace and compares its findings with a CSV
  validate, off, deterministic, workers, complete, stripped   check what must hold for every program
"""
import argparse
import bisect
import csv
import difflib
import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

LIMIT_S = 60


def absolute(path):
    return Path(path).absolute()


def fail(message):
    print(message)
    sys.exit(1)


def run(command, cwd, expected=0, **environment):
    """Runs `command`; its output. Ends the test unless it exits with `expected`."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith("CUINSTRUMENT")}
    result = subprocess.run([str(c) for c in command], cwd=cwd, env={**variables, **environment},
                            capture_output=True, text=True, timeout=LIMIT_S)
    if result.returncode != expected:
        fail(f"{' '.join(map(str, command))}: exit {result.returncode}, expected {expected}\n"
             f"{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return result.stdout


def open_trace(path):
    if not path.is_file():
        fail(f"{path} was not written")
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def build(options):
    work = options.work
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    log = subprocess.run([options.bin / "cuinstrument", "--strict", "--keep-rewritten", work / "rewritten",
                          *options.flag, "cpu", *options.compiler_flag, "-O1", "-o", work / "program", *options.sources],
                         cwd=options.source, capture_output=True, text=True)
    (work / "build.log").write_text(log.stdout + log.stderr)
    if log.returncode != 0 or log.stdout or log.stderr:
        fail(f"cuinstrument cpu: exit {log.returncode}; expected 0 and silence\n{log.stdout}{log.stderr}")
    (work / "output").write_text(run([work / "program"], work, CUINSTRUMENT_DB="trace.db"))


def query(options):
    """Compares cells as text. In the CSV, lines that start with # are the derivation; NULL is empty."""
    expected_path = options.case
    sql_path = expected_path.with_suffix(".sql")
    if not sql_path.is_file():
        sql_path = Path(__file__).parent / "cases" / "queries" / sql_path.name
    lines = [line for line in expected_path.read_text().splitlines() if line and not line.startswith("#")]
    expected = [list(row) for row in csv.reader(lines)]
    with open_trace(options.work / "trace.db") as trace:
        cursor = trace.execute(sql_path.read_text())
        actual = [[c[0] for c in cursor.description]]
        actual += [["" if cell is None else str(cell) for cell in row] for row in cursor]
    if actual != expected:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(actual)
        fail("\n".join(difflib.unified_diff(lines, text.getvalue().splitlines(), "expected", "trace", lineterm="")))


def report(options):
    """Compares the findings of an analysis, named by the CSV's stem. The CSV's header chooses their members;
    `numbers.x` is a number, `related.x` the member of the first other place. Text in the CSV is a prefix."""
    lines = [line for line in options.case.read_text().splitlines() if line and not line.startswith("#")]
    names, *expected = list(csv.reader(lines))
    output = run([options.bin / "cuinstrument", "report", "--format", "json", "--analysis", options.case.stem,
                  "trace.db"], options.work)
    actual = []
    for finding in json.loads(output)["analyses"][0]["findings"]:
        first = finding["related"][0] if finding["related"] else {}
        values = {**finding, **{f"numbers.{k}": f"{v:.12g}" for k, v in finding["numbers"].items()},
                  **{f"related.{k}": v for k, v in first.items()}}
        actual.append([str(values.get(name, "")) for name in names])
    same = len(actual) == len(expected) and all(
        a == e or not e.replace(".", "").isdigit() and e and a.startswith(e)
        for found, wanted in zip(actual, expected) for a, e in zip(found, wanted))
    if not same:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(actual)
        fail("\n".join(difflib.unified_diff(lines[1:], text.getvalue().splitlines(), "expected", "report", lineterm="")))


class Memory:
    """Names addresses by allocation and offset, so that traces of two runs compare."""

    def __init__(self, trace):
        self.rows = sorted(trace.execute("SELECT address, bytes, allocation_id FROM allocation"))
        self.starts = [row[0] for row in self.rows]

    def name(self, address, space):
        if space == "local":  # on a thread's stack: wherever that is in this run
            return space, None
        i = bisect.bisect_right(self.starts, address) - 1
        if space == "shared" or i < 0 or address >= self.rows[i][0] + self.rows[i][1]:
            return space, address
        return self.rows[i][2], address - self.rows[i][0]


def content(path):
    """Digest of every access, lane by lane, and of the launches' and sites' identities."""
    digest = hashlib.sha256()
    with open_trace(path) as trace:
        memory = Memory(trace)
        accesses = 0
        for row in trace.execute("SELECT launch_id, sequence, site_id, block_x, block_y, block_z, warp, active_mask,"
                                 " address, stride, bytes, kind, space FROM access ORDER BY launch_id, sequence"):
            accesses += 1
            digest.update(repr((row[:8], memory.name(row[8], row[12]), row[9:])).encode())
        if accesses == 0:
            fail(f"{path}: no accesses")
        # Lane by lane, summed up by SQLite: a million of them would take Python half a minute.
        for row in trace.execute("SELECT launch_id, sequence, count(*), sum((lane + 1) * (l.address - a.address)),"
                                 " sum((lane + 1) * (thread_x + 1031 * thread_y + 1033 * thread_z)),"
                                 " group_concat(l.value) FROM access a JOIN access_lane l USING (launch_id, sequence)"
                                 " GROUP BY launch_id, sequence"):
            digest.update(repr(row).encode())
        for row in trace.execute("SELECT launch_id, site_id, requests, thread_accesses, sectors, wavefronts"
                                 " FROM site_metric ORDER BY launch_id, site_id"):
            digest.update(repr(row).encode())
    return digest.hexdigest()


def validate(options):
    """`cuinstrument validate` finds the trace complete and consistent, and nothing was lost."""
    run([options.bin / "cuinstrument", "validate", options.work / "trace.db"], options.work)
    with open_trace(options.work / "trace.db") as trace:
        lost = trace.execute("SELECT name, value, detail FROM trace_stat WHERE severity <> 'info'").fetchall()
        if lost:
            fail(f"trace_stat: {lost}")


def off(options):
    """CUINSTRUMENT=off: the same output, and no file."""
    scratch = options.work / "off"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    output = run([options.work / "program"], scratch, CUINSTRUMENT="off", CUINSTRUMENT_DB="trace.db")
    if output != (options.work / "output").read_text():
        fail(f"recorded: {(options.work / 'output').read_text()}unrecorded: {output}")
    if any(scratch.iterdir()):
        fail(f"left behind: {[p.name for p in scratch.iterdir()]}")


def deterministic(options):
    """A second run prints the same and leaves the same trace."""
    output = run([options.work / "program"], options.work, CUINSTRUMENT_DB="second.db")
    if output != (options.work / "output").read_text():
        fail(f"first: {(options.work / 'output').read_text()}second: {output}")
    first, second = (content(options.work / name) for name in ("trace.db", "second.db"))
    (options.work / "second.db").unlink()
    if first != second:
        fail(f"contents differ: {first} {second}")


def counts(path):
    """What each site did in each launch, without addresses."""
    with open_trace(path) as trace:
        return trace.execute("SELECT launch_id, site_id, requests, thread_accesses, sectors, ideal_sectors, wavefronts,"
                             " bank_conflicts FROM site_metric ORDER BY 1, 2").fetchall()


def workers(options):
    """Blocks on two threads at a time: the same output and the same counts."""
    output = run([options.work / "program"], options.work, CUINSTRUMENT_DB="two.db", CUINSTRUMENT_CPU_THREADS="2")
    if output != (options.work / "output").read_text():
        fail(f"one worker: {(options.work / 'output').read_text()}two: {output}")
    one, two = (counts(options.work / name) for name in ("trace.db", "two.db"))
    (options.work / "two.db").unlink()
    if one != two:
        fail("\n".join(f"one worker {a}, two {b}" for a, b in zip(one, two) if a != b))


def complete(options):
    """No site was skipped, and every launch that succeeded entered its kernel."""
    with open_trace(options.work / "trace.db") as trace:
        skipped = trace.execute("SELECT file, line, column, expression, reason FROM site WHERE status = 'skipped'")
        silent = trace.execute("SELECT launch_id, kernel FROM launch WHERE error = 0 AND NOT entered")
        for name, rows in (("skipped", skipped.fetchall()), ("never entered", silent.fetchall())):
            if rows:
                fail(f"{name}: {rows}")


def stripped(options):
    """Every rewritten file and mirrored header is its original with insertions, line for line."""
    rewritten = [path for path in (options.work / "rewritten").rglob("*") if path.is_file()]
    for path in rewritten:
        _, mirrored, absolute = str(path.relative_to(options.work)).partition(".d/")
        if mirrored:
            original = Path("/", absolute)
        else:
            original = options.source / next(source for source in options.sources if Path(source).name == path.name)
        text = run([options.bin / "cuinstrument-rewrite", "--strip", path], options.work)
        if text != original.read_text():
            fail(f"{path} does not strip to {original}")
    if len(rewritten) < len(options.sources):
        fail(f"rewritten: {rewritten}")


INVARIANTS = {f.__name__: f for f in (validate, off, deterministic, workers, complete, stripped)}

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
commands = arguments.add_subparsers(dest="command", required=True)
for step in (build, query, report, *INVARIANTS.values()):
    parser = commands.add_parser(step.__name__, help=step.__doc__)
    parser.set_defaults(step=step)
    parser.add_argument("--work", type=absolute, required=True, help="the program's build folder")
    if step in (build, stripped):
        parser.add_argument("--source", type=absolute, required=True, help="paths of sources are relative to this")
        parser.add_argument("sources", nargs="+")
    if step is build:
        parser.add_argument("--flag", action="append", default=[], help="a flag before cpu")
        parser.add_argument("--compiler-flag", action="append", default=[], help="a flag after cpu")
    if step in (build, stripped, validate, report):
        parser.add_argument("--bin", type=absolute, required=True, help="folder of cuinstrument")
    if step in (query, report):
        parser.add_argument("--case", type=absolute, required=True, help="the expected CSV")
options = arguments.parse_args()
options.step(options)
