#!/usr/bin/env python3
"""How many CUDA programs run on the CPU backend as they are?

Every folder below TREE that holds a .cu file is taken as one program of all its sources (.cu, .cpp, .c), and of those beside a
header of an --include folder that it includes. Each is built with
`cuinstrument cpu`, run in a copy of its folder without arguments, and judged by its own checks: exit code 0, nothing in its output that
--failure matches, no function that the backend said it lacks. One JSON line a program goes to --results at once; a program
that is there already is not run again. What a program may take is processor time (--cpu-seconds), which a machine's load
does not change much; --timeout is for those that wait.

    python3 scripts/cpu_corpus.py TREE --bin build/ci/bin --results cpu.jsonl [--include DIR …] [--include-near DIR …]
                                  [--closed REGEX] [--jobs N] [-- FLAGS …]
    python3 scripts/cpu_corpus.py --results cpu.jsonl --summary-only

A program whose sources match --closed (graphics, libraries without source, other platforms) is counted apart and not built.
"""
import argparse
import collections
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from corpus import parsed, read

SOURCES = {".cu", ".cpp", ".c", ".cc"}
TEXTS = SOURCES | {".h", ".hpp", ".cuh"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, nargs="?", help="folder of programs")
    parser.add_argument("--bin", type=Path, help="folder of cuinstrument")
    parser.add_argument("--results", type=Path, required=True, help="JSON lines, appended to")
    parser.add_argument("--include", action="append", default=[], type=Path, help="include folder")
    parser.add_argument("--include-near", action="append", default=[], type=Path,
                        help="include folder, seen from a program's own")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time (default 1)")
    parser.add_argument("--closed", metavar="REGEX", help="programs with a line that matches this are set aside")
    parser.add_argument("--failure", metavar="REGEX", default=r"(?i:\btest failed|results? (do not|don.t) match|mismatch|result = fail)|FAILED",
                        help="output that says that a program's own check failed (default %(default)s)")
    parser.add_argument("--only", metavar="REGEX", help="only programs whose path matches")
    parser.add_argument("--again", metavar="REGEX", help="run those again whose verdict in --results matches")
    parser.add_argument("--timeout", type=float, default=120, help="seconds a build or run")
    parser.add_argument("--cpu-seconds", type=int, help="processor time a run (default: as --timeout allows)")
    parser.add_argument("--trace", action="store_true", help="record a trace (default: CUINSTRUMENT=off)")
    parser.add_argument("--summary-only", action="store_true")
    parser.epilog = "What stands after -- is for cuinstrument cpu."
    options, options.flags = parsed(parser)
    return options


def execute(command, timeout, folder, environment, cpu_seconds=None):
    """Exit code (None: timed out), what was said, seconds of processor time. The whole process group goes on a timeout."""
    if cpu_seconds:
        command = ["prlimit", f"--cpu={cpu_seconds}:{cpu_seconds + 5}", *command]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   start_new_session=True, cwd=folder, env=environment)
        late = threading.Event()

        def end():
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(timeout, end)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    timed_out = late.is_set() or process.returncode == -signal.SIGXCPU
    return None if timed_out else process.returncode, text, usage.ru_utime + usage.ru_stime


def first(pattern, text):
    lines = [line.strip() for line in text.splitlines()]
    return next((line for line in lines if re.search(pattern, line)), lines[-1] if lines else "")[:300]


class Programs:
    def __init__(self, options):
        self.options = options
        self.tree = options.tree.resolve()
        self.cuinstrument = str((options.bin / "cuinstrument").resolve())

    def folders(self):
        return sorted({source.parent for source in self.tree.rglob("*.cu")})

    def is_closed(self, folder):
        if not self.options.closed:
            return False
        texts = [p.read_text(errors="replace") for p in folder.rglob("*") if p.suffix in TEXTS and p.is_file()]
        return any(re.search(self.options.closed, text, re.M) for text in texts)

    def sources_of_headers(self, sources):
        """Those that lie beside a header of an --include folder that is included, and have its name; but for those
        that the program has itself."""
        found, own = set(), {source.name for source in sources}
        for source in sources:
            for header in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)\.h[>"]', source.read_text(errors="replace"), re.M):
                beside = (folder.resolve() / f"{header}.cpp" for folder in self.options.include)
                found.update(str(path) for path in beside if path.is_file() and path.name not in own)
        return sorted(found)

    def examine(self, folder):
        row = {"program": str(folder.relative_to(self.tree))}
        if self.is_closed(folder):
            return {**row, "verdict": "set aside"}
        with tempfile.TemporaryDirectory() as scratch:
            copy = Path(scratch) / folder.name
            shutil.copytree(folder, copy)
            folders = [path.resolve() for path in self.options.include]
            folders += [folder / path for path in self.options.include_near if (folder / path).is_dir()]
            includes = [flag for path in folders for flag in ("-I", str(path))]
            sources = sorted(str(p.name) for p in copy.iterdir() if p.suffix in SOURCES)
            sources += self.sources_of_headers([copy / name for name in sources])
            environment = {**os.environ, "TMPDIR": scratch, "CUINSTRUMENT_DB": f"{scratch}/trace.db"}
            if not self.options.trace:
                environment["CUINSTRUMENT"] = "off"
            code, text, seconds = execute(
                [self.cuinstrument, "cpu", "-O2", "-w", *includes, *self.options.flags, *sources, "-o", "program.out"],
                self.options.timeout * 3, copy, environment)
            row["build_s"] = round(seconds, 1)
            if code != 0:
                return {**row, "verdict": "not built", "error": first(r"error\b|refused|not found", text)}
            code, text, seconds = execute(["./program.out"], self.options.timeout, copy, environment,
                                          self.options.cpu_seconds)
            row["run_s"] = round(seconds, 1)
            lacking = re.search(r"cuinstrument: .*not supported.*", text)
            if lacking:
                return {**row, "verdict": "lacks a function", "error": lacking[0][:300]}
            if code is None:
                return {**row, "verdict": "times out", "error": f"after {seconds:.0f} s of processor time"}
            wrong = re.search(self.options.failure, text)
            if code != 0 or wrong:
                return {**row, "verdict": "wrong", "exit": code,
                        "error": first(self.options.failure if wrong else r"(?i)error|cuinstrument:", text)}
        return {**row, "verdict": "right"}


def summary(rows):
    verdicts = collections.Counter(row["verdict"] for row in rows)
    counted = [row for row in rows if row["verdict"] != "set aside"]
    right = verdicts["right"]
    print(f"{len(rows)} programs, {len(rows) - len(counted)} set aside; of {len(counted)} run right: {right} "
          f"({right / max(1, len(counted)):.0%})")
    print("verdicts: " + ", ".join(f"{name} {count}" for name, count in verdicts.most_common()))
    for row in counted:
        if row["verdict"] != "right":
            print(f"{row['verdict']:17} {row['program']}: {row.get('error', '')}")


def main():
    options = arguments()
    rows = read(options.results)
    if options.again:
        rows = [row for row in rows if not re.search(options.again, row["verdict"])]
        options.results.write_text("".join(json.dumps(row) + "\n" for row in rows))
    if not options.summary_only:
        if not options.tree or not options.bin:
            sys.exit("cpu_corpus.py: TREE and --bin are needed")
        programs = Programs(options)
        done = {row["program"] for row in rows}
        names = {folder: str(folder.relative_to(programs.tree)) for folder in programs.folders()}
        wanted = [folder for folder, name in names.items()
                  if name not in done and (not options.only or re.search(options.only, name))]
        with open(options.results, "a") as results, ThreadPoolExecutor(options.jobs) as workers:
            for finished in as_completed(workers.submit(programs.examine, folder) for folder in wanted):
                row = finished.result()
                results.write(json.dumps(row) + "\n")
                results.flush()
                rows.append(row)
                print(f"{row['verdict']:17} {row['program']}", file=sys.stderr)
    summary(rows)


main()
