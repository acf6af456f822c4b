#!/usr/bin/env python3
"""Random tests; a seed decides everything, and a failure prints it with the folder that holds the files.

  fuzz.py programs --bin DIR SEED …               random programs, built for the CPU backend: output and access totals
  fuzz.py loops --bin DIR SEED …                  random loops: recorded in front of them, and as a GPU's form, as one by one
  fuzz.py mutants --bin DIR --count N SEED FILE …  real sources, damaged: no crash, no hang, nothing but insertions
"""
import argparse
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from loops import Loops
from program import Generator

# What a mutant's rewriting may take: processor time, which other work on the machine changes little. Who takes none either, but
# waits, is ended by the clock.
HANG_CPU_S = 10
HANG_WALL_S = 300
# What `cuinstrument nvcc` says where nvcc takes a source but not its instrumented form (cli/compile/nvcc_fallback.cpp).
REFUSED = re.compile(r"^cuinstrument: warning: nvcc accepts .*", re.M)


class Failure(Exception):
    pass


def run(command, cwd, **environment):
    variables = {k: v for k, v in os.environ.items() if not k.startswith("CUINSTRUMENT")}
    result = subprocess.run([str(c) for c in command], cwd=cwd, env={**variables, **environment}, capture_output=True,
                            text=True, timeout=120)
    if result.returncode:
        raise Failure(f"{' '.join(map(str, command))}: exit {result.returncode}\n{result.stdout}{result.stderr[:3000]}")
    return result.stdout


def same(what, actual, expected):
    if actual != expected:
        raise Failure(f"{what}: {actual!r} instead of {expected!r}")


# By launch and site how many accesses there are, and the sum of where they are: in shared memory, or behind an allocation's beginning.
ACCESSES = """SELECT a.launch_id, line, "column", a.kind, a.space, a.bytes, count(*),
    sum(CASE a.space WHEN 'shared' THEN n.address ELSE coalesce((SELECT n.address - l.address FROM allocation l
      WHERE n.address BETWEEN l.address AND l.address + l.bytes - 1), 0) END)
  FROM access a JOIN access_lane n USING (launch_id, sequence) JOIN site USING (site_id) GROUP BY 1, 2, 3, 4, 5, 6"""


def check_loops(options, seed, work):
    text = Loops(seed).program()
    (work / "p.cu").write_text(text)
    tool = options.bin / "cuinstrument"
    flags = [run([tool, "flags", "--backend", "cpu", part], work).split() for part in ("--compile", "--link")]
    run([options.bin / "cuinstrument-rewrite", "-o", "for_gpu.cu", "p.cu", "--", "-std=c++17"], work)
    in_front = "-DCUI_LOOPS_IN_FRONT=1"
    builds = {"one by one": [tool, "--separate", "cpu", "-std=c++17", "-O1", "p.cu"],
              "in front": [tool, "cpu", "-std=c++17", "-O1", in_front, "p.cu"],
              "in parts": [tool, "cpu", "-std=c++17", "-O1", in_front, "-DCUI_PARTS_IN_FRONT", "p.cu"],
              "a GPU's form": ["g++", "-std=c++17", "-w", "-O1", in_front, *flags[0], "-x", "c++", "for_gpu.cu", "-x", "none", *flags[1]]}
    expected = None
    for name, command in builds.items():
        run([*command, "-o", "p"], work)
        (work / "t.db").unlink(missing_ok=True)
        output = run(["./p"], work, CUINSTRUMENT_DB="t.db")
        with sqlite3.connect(f"file:{work}/t.db?mode=ro", uri=True) as trace:
            rows = trace.execute(ACCESSES).fetchall()
        if expected is None:
            expected = output, rows
            if len(rows) < 20:
                raise Failure(f"only {len(rows)} sites with accesses")
        same(f"output, {name}", output, expected[0])
        differing = sorted(set(rows) ^ set(expected[1]))[:4]
        same(f"accesses, {name}", differing, [])


def check_program(options, seed, work):
    text, output, totals = Generator(seed).program()
    (work / "p.cu").write_text(text)
    run([options.bin / "cuinstrument", "--keep-rewritten", "rewritten", "cpu", "-O1", "p.cu", "-o", "p"], work)
    stripped = run([options.bin / "cuinstrument-rewrite", "--strip", "-o", "-", "rewritten/0/p.cu"], work)
    same("strip(output)", stripped, text)
    same("output, recorded", run(["./p"], work, CUINSTRUMENT_DB="t.db"), output)
    same("output, CUINSTRUMENT=off", run(["./p"], work, CUINSTRUMENT="off"), output)
    run([options.bin / "cuinstrument", "validate", "t.db"], work)
    with sqlite3.connect(f"file:{work}/t.db?mode=ro", uri=True) as trace:
        same("skipped sites", trace.execute("SELECT expression, reason FROM site WHERE status = 'skipped'").fetchall(), [])
        rows = trace.execute("SELECT kind, sum(thread_accesses), sum(m.bytes) FROM site_metric m "
                             "JOIN site USING (site_id) GROUP BY kind").fetchall()
    same("accesses and bytes", {kind: (accesses, size) for kind, accesses, size in rows}, totals)


TOKEN = re.compile(rb"\s+|//[^\n]*|/\*.*?\*/|\w+|\"(?:\\.|[^\"\\\n])*\"|<<<|>>>|.", re.S)


def mutated(text, random, changes):
    """One or several tokens deleted, doubled, swapped with a neighbour, or replaced by another of the file's."""
    tokens = TOKEN.findall(text)
    places = [i for i, token in enumerate(tokens) if not token.isspace()]
    for _ in range(random.randint(1, changes)):
        at, other = random.choice(places), random.choice(places)
        change = random.randrange(4)
        if change == 0:
            tokens[at] = b""
        elif change == 1:
            tokens[at] += b" " + tokens[at]
        elif change == 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            tokens[at] = tokens[other]
    return b"".join(tokens)


def bounded(command, work, options):
    """The finished process; neither it nor one of its children has had more processor time than --hang allows."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (options.hang, options.hang + 5))
    try:
        result = subprocess.run([str(c) for c in command], cwd=work, capture_output=True, timeout=HANG_WALL_S,
                                preexec_fn=limit)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]}: not ready in {HANG_WALL_S} s") from None
    if result.returncode == -signal.SIGXCPU:
        raise Failure(f"{command[0]}: more than {options.hang} s of processor time")
    return result


def includes(options, source):
    return [f"-I{folder.resolve()}" for folder in [source.parent, *options.include]]


def check_compiled(options, source, work):
    """What nvcc takes, it takes instrumented, and `cuinstrument nvcc` has an object of it."""
    line = ["-arch=sm_90", *includes(options, source), "-c", "m.cu", "-o", "m.o"]
    command = [str(c) for c in [options.bin / "cuinstrument", "nvcc", *line]]
    result = subprocess.run(command, cwd=work, capture_output=True, text=True, errors="replace")
    refused = REFUSED.search(result.stderr)
    if refused:
        raise Failure(f"{source}: {refused[0]}\n{result.stderr[:3000]}")
    if result.returncode == 0:
        return
    plain = subprocess.run(["nvcc", *map(str, line)], cwd=work, capture_output=True)
    if plain.returncode == 0:
        raise Failure(f"{source}: nvcc takes it, cuinstrument nvcc: exit {result.returncode}\n{result.stderr[:3000]}")


def check_mutant(options, seed, work):
    source = Path(options.files[seed % len(options.files)])
    text = mutated(source.read_bytes(), random.Random(seed), options.changes)
    (work / "m.cu").write_bytes(text)
    command = [options.bin / "cuinstrument-rewrite", "--backend", options.backend, "-o", "out.cu", "m.cu", "--",
               *includes(options, source)]
    result = bounded(command, work, options)
    # 1: the source does not compile; 2: it has a name of ours. 4 is an internal error, others are crashes.
    if result.returncode not in (0, 1, 2):
        raise Failure(f"{source}: exit {result.returncode}\n{result.stderr.decode(errors='replace')[-3000:]}")
    if result.returncode == 0:
        stripped = bounded([options.bin / "cuinstrument-rewrite", "--strip", "-o", "-", "out.cu"], work, options)
        if stripped.stdout != text:
            raise Failure(f"{source}: strip(output) is not the input")
        if options.nvcc and not result.stderr:
            check_compiled(options, source, work)
    return result.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["programs", "loops", "mutants"])
    parser.add_argument("--bin", type=lambda p: Path(p).resolve(), required=True)
    parser.add_argument("--count", type=int, default=50, help="mutants, seeds counting up from SEED")
    parser.add_argument("--backend", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--hang", type=int, default=HANG_CPU_S, help="processor seconds to rewrite a mutant in (default %(default)s)")
    parser.add_argument("--changes", type=int, default=4, help="tokens changed in a mutant, at most (default %(default)s)")
    parser.add_argument("--nvcc", action="store_true", help="compile mutants, too: those in which Clang finds nothing wrong")
    parser.add_argument("--include", type=Path, action="append", default=[], help="include folder of the sources")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()), help="where failures leave their files")
    parser.add_argument("arguments", nargs="+", help="SEED …, or SEED FILE …")
    options = parser.parse_args()
    programs = options.mode != "mutants"
    options.files = [] if programs else options.arguments[1:]
    first = int(options.arguments[0])
    seeds = map(int, options.arguments) if programs else range(first, first + options.count)
    check = {"programs": check_program, "loops": check_loops, "mutants": check_mutant}[options.mode]
    failed, count, accepted = 0, 0, 0
    for seed in seeds:
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            try:
                accepted += bool(check(options, seed, Path(folder)))
            except Failure as failure:
                failed += 1
                kept = options.keep / f"cuinstrument-fuzz-{options.mode}-{seed}"
                shutil.copytree(folder, kept, dirs_exist_ok=True)
                print(f"seed {seed} ({kept}): {failure}", flush=True)
    print(f"{count} {options.mode}, {failed} failed" + ("" if programs else f"; {accepted} were rewritten"))
    # A mutator whose products all fail to parse would test nothing.
    sys.exit(1 if failed or (not programs and accepted == 0) else 0)


main()
