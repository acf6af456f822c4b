#!/usr/bin/env python3
"""Do foreign CUDA programs do on a GPU with `cuinstrument nvcc` what they do without?

Two steps, because the machine with the GPU may have neither the sources nor a compiler:

  build (here):        python3 scripts/gpu_corpus.py build TREE --bin build/ci/bin --to PACK [--number N] [--seed S] [-- WORDS …]
  run   (on the GPU):  python3 PACK/gpu_corpus.py run --in PACK --results gpu.jsonl
  table (anywhere):    python3 scripts/gpu_corpus.py table --results gpu.jsonl

Every folder below TREE with a .cu file in it is a program. One with a Makefile whose target `run` starts a program is built by `make`, with
the WORDS, in which {nvcc} is the compiler (`-- CC={nvcc} ARCH=sm_90`), and run as that target says; any other is built by one line of
nvcc with the WORDS, and run without arguments. What it may read is packed beside it (files of up to --data bytes).

Each is run plain twice, with recording off, traced and profiled. Lines that both plain runs print have to be the same, as has the exit code;
traces and profiles have to be complete (`cuinstrument validate`); what a trace and a profile count has to be the same. Benchmarks repeat
themselves thousands of times: --launches 1-10 has the first ten recorded. One JSON line a program goes to --results at once; one that is there already is not run again.
"""
import argparse
import collections
import json
import os
import random
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCES = {".cu", ".cpp", ".c", ".cc"}
TEXTS = SOURCES | {".h", ".hpp", ".cuh", ".o", ".md"}
FORMS = ("plain", "again", "off", "traced", "profiled")
COUNTS = ("requests", "thread_accesses", "bytes", "sectors", "wavefronts")
ENVIRONMENT = {"off": {"CUINSTRUMENT": "off"}, "traced": {}, "profiled": {"CUINSTRUMENT_MODE": "profile"}}


def words_behind_dashes():
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1:]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build")
    build.add_argument("tree", type=Path)
    build.add_argument("--bin", type=Path, required=True, help="folder of cuinstrument")
    build.add_argument("--to", type=Path, required=True)
    build.add_argument("--number", type=int, help="so many at random, of those that both compilers build")
    build.add_argument("--seed", type=int, default=1)
    build.add_argument("--only", default="", metavar="REGEX", help="only programs whose path matches")
    build.add_argument("--closed", default="(?!)", metavar="REGEX", help="not programs of which a source matches")
    build.add_argument("--data", type=int, default=1 << 20, help="bytes of the largest file that is packed (default %(default)s)")
    build.add_argument("--seconds", type=float, default=1e9, help="begin no program after so many (default: none)")
    build.add_argument("--limit", type=float, default=300, help="seconds for a build (default %(default)s)")
    run = commands.add_parser("run")
    run.add_argument("--in", dest="pack", type=Path, required=True)
    run.add_argument("--results", type=Path, required=True)
    run.add_argument("--jobs", type=int, default=4, help="programs at a time (default %(default)s)")
    run.add_argument("--limit", type=float, default=20, help="seconds for a run (default %(default)s)")
    run.add_argument("--seconds", type=float, default=1e9, help="begin no run after so many (default: none)")
    run.add_argument("--launches", default="", help="record these only, as CUINSTRUMENT_LAUNCHES (default: all)")
    table = commands.add_parser("table")
    table.add_argument("--results", type=Path, required=True)
    own, words = words_behind_dashes()
    options = parser.parse_args(own)
    options.words = words
    if options.command == "run":
        options.pack = options.pack.resolve()
    return options


def texts(folder):
    return [path for path in sorted(folder.iterdir()) if path.suffix in SOURCES]


def line_of_run(folder):
    """What `make run` runs: the program and its arguments; nothing if it does not say."""
    if not (folder / "Makefile").exists():
        return None
    said = subprocess.run(["make", "-n", "-B", "run"], cwd=folder, capture_output=True, text=True).stdout
    lines = [line.strip() for line in said.replace("\\\n", " ").splitlines() if line.strip().startswith("./")]
    return shlex.split(lines[-1].split(";")[0]) if lines else None


def build_form(options, source, line, compiler, program):
    """Builds into `program`, in a copy of the tree's part; says what failed."""
    with tempfile.TemporaryDirectory() as temporary:
        # Programs have sources beside them: ../include, ../other/header.h.
        copy = Path(temporary) / source.name
        for neighbour in source.parent.iterdir():
            if neighbour != source:
                (Path(temporary) / neighbour.name).symlink_to(neighbour)
        shutil.copytree(source, copy, symlinks=True)
        if line:
            command = ["make", "-B", *(word.replace("{nvcc}", compiler) for word in options.words), line[0].removeprefix("./")]
            made = copy / line[0]
        else:
            made = copy / "a.out"
            command = [*shlex.split(compiler), *options.words, *(path.name for path in texts(copy)), "-o", made]
        begin = time.monotonic()
        try:
            result = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=options.limit)
        except subprocess.TimeoutExpired:
            return "time-out", options.limit
        seconds = time.monotonic() - begin
        if result.returncode or not made.exists():
            return (result.stderr or result.stdout)[-800:] or "no program", seconds
        shutil.copy(made, program)
        subprocess.run(["strip", program])
        return "", seconds


def build(options):
    begin = time.monotonic()
    options.to.mkdir(parents=True, exist_ok=True)
    shutil.copy(__file__, options.to)
    shutil.copy(options.bin / "cuinstrument", options.to)
    folders = sorted({path.parent.resolve() for path in options.tree.rglob("*.cu")})
    folders = [folder for folder in folders if re.search(options.only, str(folder))]
    random.Random(options.seed).shuffle(folders)
    built = 0
    for folder in folders:
        if built == options.number or time.monotonic() - begin > options.seconds:
            break
        if any(re.search(options.closed, path.read_text(errors="replace")) for path in texts(folder)):
            continue
        name, line = folder.name, line_of_run(folder)
        to = options.to / name
        if to.exists():
            built += 1
            continue
        to.mkdir()
        says = {}
        for form, compiler in (("plain", "nvcc"), ("cuda", f"{options.bin.resolve()}/cuinstrument nvcc")):
            says[form], seconds = build_form(options, folder, line, compiler, to / form)
            print(f"{name} {form}: {says[form] or 'built'} {seconds:.1f} s", flush=True)
            if says[form]:
                break
        if any(says.values()):
            shutil.rmtree(to)
            continue
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix not in TEXTS and path.name != "Makefile" and path.stat().st_size <= options.data:
                target = to / "data" / path.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
        (to / "line.json").write_text(json.dumps(line[1:] if line else []))
        built += 1
    print(f"{built} programs in {options.to}")


def run_form(program, form, options):
    with tempfile.TemporaryDirectory() as folder:
        if (program / "data").exists():
            shutil.copytree(program / "data", folder, dirs_exist_ok=True)
        recorded = form in ("off", "traced", "profiled")
        trace = Path(folder) / "cuinstrument.trace.db"
        environment = dict(os.environ, CUINSTRUMENT_DB=str(trace), **ENVIRONMENT.get(form, {}))
        if options.launches:
            environment["CUINSTRUMENT_LAUNCHES"] = options.launches
        command = [program / ("cuda" if recorded else "plain"), *json.loads((program / "line.json").read_text())]
        begin = time.monotonic()
        try:
            result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=options.limit, stdin=subprocess.DEVNULL)
            code, out, err = result.returncode, result.stdout, result.stderr
        except subprocess.TimeoutExpired as expired:
            code, out, err = "time-out", expired.stdout or b"", expired.stderr or b""
        except OSError as error:
            code, out, err = f"does not start: {error}", b"", b""
        found = {"code": code, "seconds": round(time.monotonic() - begin, 2),
                 "out": out.decode(errors="replace")[-4000:], "err": err.decode(errors="replace")[-1500:]}
        if form in ("traced", "profiled") and code != "time-out" and trace.exists():
            validate = subprocess.run([options.pack / "cuinstrument", "validate", trace], capture_output=True, text=True, timeout=120)
            found["validate"] = "" if validate.returncode == 0 else (validate.stdout + validate.stderr)[-1500:]
            found["bytes"] = trace.stat().st_size
            found.update(counts(trace))
        return found


def counts(trace):
    try:
        with sqlite3.connect(f"file:{trace}?mode=ro", uri=True, timeout=5) as db:
            sums = ", ".join(f"sum({c})" for c in COUNTS)
            return {"sums": db.execute(f"SELECT {sums} FROM site_metric").fetchone(),
                    "launches": db.execute("SELECT count(*) FROM launch").fetchone()[0],
                    "kernel_ns": db.execute("SELECT sum(gpu_end_ns - gpu_begin_ns) FROM launch").fetchone()[0],
                    "losses": db.execute("SELECT name, value FROM trace_stat WHERE severity <> 'info' AND value <> 0").fetchall()}
    except sqlite3.Error as error:
        return {"error": str(error)}


def run(options):
    begin = time.monotonic()
    known = {json.loads(line)["name"] for line in options.results.read_text().splitlines()} if options.results.exists() else set()

    def one(program):
        found = {"name": program.name}
        for form in FORMS:
            if time.monotonic() - begin > options.seconds:
                return None
            found[form] = run_form(program, form, options)
            if form == "plain" and found[form]["code"] != 0:
                break
        return found

    programs = [path.parent for path in sorted(options.pack.glob("*/line.json")) if path.parent.name not in known]
    with ThreadPoolExecutor(options.jobs) as pool, open(options.results, "a") as results:
        for found in pool.map(one, programs):
            if found:
                results.write(json.dumps(found) + "\n")
                results.flush()


def steady_lines(first, second):
    """What both print, in whatever order: the lines that a program prints each time."""
    return collections.Counter(first.splitlines()) & collections.Counter(second.splitlines())


def judge(found):
    """What is not as it should be, as a list; `ended` says whether the plain program did."""
    wrong = []
    plain = found["plain"]
    steady = steady_lines(plain["out"], found["again"]["out"])
    for form in FORMS[2:]:
        ours = found[form]
        if ours["code"] == "time-out":
            wrong.append(f"{form}: not ready in time")
            continue
        if ours["code"] != plain["code"]:
            wrong.append(f"{form}: exit code {ours['code']} instead of {plain['code']}: {ours['err'][-300:]}")
        missing = steady - collections.Counter(ours["out"].splitlines())
        if missing:
            wrong.append(f"{form}: does not print {list(missing)[:3]}")
        if ours.get("validate"):
            wrong.append(f"{form}: {ours['validate'][-300:]}")
        if ours.get("losses"):
            wrong.append(f"{form}: {ours['losses']}")
    traced, profiled = found["traced"], found["profiled"]
    if "sums" in traced and "sums" in profiled and traced["sums"] != profiled["sums"]:
        wrong.append(f"counts of {COUNTS}: traced {traced['sums']}, profiled {profiled['sums']}")
    return wrong


def table(options):
    rows = [json.loads(line) for line in options.results.read_text().splitlines()]
    ended = [row for row in rows if row["plain"]["code"] == 0 and row.get("again", {}).get("code") == 0]
    print(f"{len(rows)} programs, {len(ended)} of which end with exit code 0 when they are plain")
    good = 0
    for row in ended:
        wrong = judge(row)
        good += not wrong
        seconds = " ".join(f"{form} {row[form]['seconds']}" for form in FORMS)
        print(f"{row['name']}: {'; '.join(wrong) or 'as plain'} ({seconds} s)")
    print(f"{good} of {len(ended)} as plain in each way")


options = arguments()
{"build": build, "run": run, "table": table}[options.command](options)
