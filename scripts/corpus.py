#!/usr/bin/env python3
"""How cuinstrument fares on a tree of CUDA sources: does it yield what nvcc yields, and how much is instrumented?

For each source file under TREE: does nvcc compile it, does `cuinstrument nvcc` compile it instrumented, how many accesses
are instrumented, and why are the others not. One JSON line a file goes to --results at once; a file
that is there already is not compiled again, so an interrupted run goes on where it stopped.

    python3 scripts/corpus.py TREE --bin build/ci/bin --results results.jsonl [--include DIR …] [-- NVCC FLAGS …]
    python3 scripts/corpus.py --results results.jsonl --summary-only [--csv table.csv]

Paths in --include may be relative to each source's own folder ("./include"), which suits trees of many small programs.
"""
import argparse
import collections
import csv
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ACCESS_KINDS = {"load", "store", "rmw", "atomic", "copy"}
# What `cuinstrument nvcc` says of a file that it could not instrument, and of parts that it left out.
PASSED_THROUGH = re.compile(r"^cuinstrument: warning: (?:.* is not instrumented: |nvcc accepts .* but not the )", re.M)
LEFT = re.compile(r"^\S.*: warning: (?:a statement of|function|this) .*not instrumented.*$|"
                  r"^cuinstrument: warning: .*their functions are not instrumented: .*$", re.M)
COLUMNS = ["file", "verdict", "instrumented", "skipped", "plain_s", "instrumented_s", "error"]


def parsed(parser):
    """The options, and the words behind `--`, which argparse would give to TREE."""
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    return parser.parse_args(words[:at]), words[at + 1:]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path, nargs="?", help="folder of sources")
    parser.add_argument("--bin", type=Path, help="folder of cuinstrument")
    parser.add_argument("--results", type=Path, required=True, help="JSON lines, appended to")
    parser.add_argument("--csv", type=Path, help="also write a table")
    parser.add_argument("--include", action="append", default=[], help="include folder; ./X: beside each source")
    parser.add_argument("--glob", default="*.cu", help="which files (default %(default)s)")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--stage", choices=["rewrite", "ptx", "object"], default="object",
                        help="how far to go: rewriting only, device code only, an object (default)")
    parser.add_argument("--plain", choices=["always", "on-failure"], default="always",
                        help="on-failure: compile the original only where the instrumented file does not compile")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=int, help="at most so many files")
    parser.add_argument("--shuffle", type=int, metavar="SEED", help="in a random order that SEED decides")
    parser.add_argument("--shard", default="0/1", metavar="I/N", help="every N-th file, from the I-th on")
    parser.add_argument("--timeout", type=float, default=300, help="seconds a compilation")
    parser.add_argument("--summary-only", action="store_true")
    parser.epilog = "Options of nvcc follow --."
    options, options.flags = parsed(parser)
    return options


def execute(command, timeout, environment=None, folder=None):
    """Exit code (None: timed out), what was said, seconds. The whole process group goes on a timeout."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               text=True, errors="replace", start_new_session=True, env=environment, cwd=folder)
    try:
        text, _ = process.communicate(timeout=timeout)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGTERM)  # it cleans up; what it started gets the signal from it
        try:
            text, _ = process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            text, _ = process.communicate()
        code = None
    return code, text, time.perf_counter() - begin


def first_error(text):
    for line in text.splitlines():
        if re.search(r"(fatal )?error\b|fatal\b|is not instrumented: |signal \d", line):
            return line.strip()[:300]
    return text.strip().splitlines()[-1][:300] if text.strip() else ""


def site_counts(path):
    """(instrumented, {reason: count}) of a file of --emit-metadata."""
    with open(path) as file:
        sites = json.load(file)["sites"]
    skipped = collections.Counter(s["reason"] for s in sites  # a barrier is no access
                                  if s["status"] == "skipped" and not s["reason"].startswith("barrier: "))
    return sum(s["status"] == "instrumented" and s["kind"] in ACCESS_KINDS for s in sites), dict(skipped)


class Corpus:
    def __init__(self, options):
        self.options = options
        self.tree = options.tree.resolve()
        self.cuinstrument = (options.bin / "cuinstrument").resolve()

    def flags(self, source):
        flags = [f"-arch={self.options.arch}", *self.options.flags]
        for folder in self.options.include:
            base = source.parent if folder.startswith(".") else Path.cwd()
            flags += ["-I", str((base / folder).resolve())]
        return flags

    def nvcc(self, source, scratch, prefix, name):
        stage = {"ptx": ["-ptx"], "object": ["-c"], "rewrite": ["-c"]}[self.options.stage]
        command = [*prefix, "nvcc", *self.flags(source), *stage, str(source), "-o", f"{scratch}/{name}"]
        return execute(command, self.options.timeout, {**os.environ, "TMPDIR": scratch})

    def instrument(self, source, scratch):
        metadata = f"{scratch}/sites.json"
        own = ["--emit-metadata", metadata]
        if self.options.stage == "rewrite":
            command = [str(self.cuinstrument), "rewrite", *own, "-o", f"{scratch}/out.cu", str(source), "--"]
            result = execute([*command, *self.flags(source)], self.options.timeout)
        else:
            result = self.nvcc(source, scratch, [str(self.cuinstrument), *own], "instrumented.o")
        return result, site_counts(metadata) if Path(metadata).exists() else (0, {})

    def examine(self, source):
        row = {"file": str(source.relative_to(self.tree)), "stage": self.options.stage}
        with tempfile.TemporaryDirectory() as scratch:
            (code, text, seconds), (instrumented, reasons) = self.instrument(source, scratch)
            row.update(instrumented=instrumented, reasons=reasons, skipped=sum(reasons.values()),
                       instrumented_s=round(seconds, 2), error="" if code == 0 else first_error(text))
            left = LEFT.findall(text)
            if code == 0 and PASSED_THROUGH.search(text):
                row["error"] = first_error(text)
            if left:
                row["left"] = left
            plain = 0
            # Where Clang rejected something, nvcc may as well: then the file does not count. Of host code there may be no warning.
            rejected = left or any(reason.startswith("Clang rejects") for reason in reasons)
            if code != 0 or rejected or (self.options.plain == "always" and self.options.stage != "rewrite"):
                plain, plain_text, seconds = self.nvcc(source, scratch, [], "plain.o")
                row["plain_s"] = round(seconds, 2)
            if plain != 0:
                row.update(verdict="nvcc fails" if plain else "nvcc times out", error=first_error(plain_text))
            else:
                row["verdict"] = ("times out" if code is None else "fails" if code else
                                  "passed through" if row["error"] else "ok")
            leftover = [p for p in os.listdir(scratch) if p.startswith("cuinstrument-")]
            if leftover:
                row.update(verdict="fails", error=f"temporary files left: {leftover}")
        return row

    def sources(self, done):
        found = sorted(p for p in self.tree.rglob(self.options.glob) if p.is_file())
        if self.options.shuffle is not None:
            random.Random(self.options.shuffle).shuffle(found)
        index, count = map(int, self.options.shard.split("/"))
        found = found[index::count][: self.options.limit]
        return [p for p in found if str(p.relative_to(self.tree)) not in done]


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def summary(rows):
    verdicts = collections.Counter(row["verdict"] for row in rows)
    compiled = [row for row in rows if not row["verdict"].startswith("nvcc")]
    good = [row for row in compiled if row["verdict"] == "ok"]
    print(f"{len(rows)} files; nvcc compiles {len(compiled)}; instrumented of these: {len(good)} "
          f"({len(good) / max(1, len(compiled)):.1%})")
    print("verdicts: " + ", ".join(f"{name} {count}" for name, count in verdicts.most_common()))
    reasons = collections.Counter()
    for row in good:
        reasons.update(row["reasons"])
    instrumented, skipped = sum(row["instrumented"] for row in good), sum(reasons.values())
    print(f"accesses in those: {instrumented} instrumented, {skipped} skipped "
          f"({instrumented / max(1, instrumented + skipped):.2%} instrumented)")
    for reason, count in reasons.most_common():
        print(f"{count:8}  {reason}")
    ratios = [row["instrumented_s"] / row["plain_s"] for row in good
              if row.get("plain_s") and row["stage"] != "rewrite"]
    if ratios:
        print(f"whole command's time against nvcc's: median {statistics.median(ratios):.2f}, "
              f"geometric mean {statistics.geometric_mean(ratios):.2f}, largest {max(ratios):.2f}")
    partly = [row for row in good if row.get("left")]
    print(f"files with functions or statements left out, because Clang or nvcc rejects them: {len(partly)}")
    for row in partly:
        print(f"  {row['file']}: {row['left'][0]}")
    for row in compiled:
        if row["verdict"] != "ok":
            print(f"{row['verdict']}: {row['file']}: {row['error']}")


def main():
    options = arguments()
    rows = read(options.results)
    if not options.summary_only:
        if not options.tree or not options.bin:
            sys.exit("corpus.py: TREE and --bin are needed")
        corpus = Corpus(options)
        sources = corpus.sources({row["file"] for row in rows})
        with open(options.results, "a") as results, ThreadPoolExecutor(options.jobs) as pool:
            for done, row in enumerate(pool.map(corpus.examine, sources), 1):
                results.write(json.dumps(row) + "\n")
                results.flush()
                rows.append(row)
                print(f"{done}/{len(sources)} {row['verdict']:12} {row['file']}", file=sys.stderr)
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    summary(rows)


if __name__ == "__main__":
    main()
