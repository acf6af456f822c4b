#!/usr/bin/env python3
"""How the store grows: traces of 10^6 to 10^9 thread accesses recorded, opened, asked and reported, beside a plain
SQLite row for each warp record and a JSON line for each thread access.

  python3 bench/store_growth.py --bin build/ci/bin [--largest 1e9] [--plot docs/images]

Prints Markdown tables. Each step is a process of its own: its time is the processor's, of all its threads, so that other work on
the machine hardly counts; its memory the peak of that process. Questions are asked three times, and the quickest counts. A number may not appear because a form was left out (`--largest-rows`, `--largest-json`: these take minutes and gigabytes).
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from plot import chart  # noqa: E402

LANES = 32
QUESTIONS = (
    ("open", "SELECT count(*) FROM launch"),
    ("per line", "SELECT * FROM hot_line"),
    ("one access", "SELECT * FROM access WHERE launch_id = 1 AND sequence = {middle}"),
    ("its lanes", "SELECT * FROM access_lane WHERE launch_id = 1 AND sequence = {middle}"),
    ("by block", "SELECT count(*) FROM access WHERE launch_id = 1 AND block_x = {block} AND warp = 3"),
    ("scan", "SELECT max(address), count(*) FROM access"),
)


def run(command):
    """Seconds of the processor, peak memory in MB, standard output."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = child.stdout.read(), child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"store_growth: {' '.join(map(str, command))}: exit status {child.returncode}: {err.strip()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out


def record(options, form, pattern, accesses, path):
    path.unlink(missing_ok=True)
    _, _, out = run([options.bin / "store_growth", form, pattern, str(accesses // LANES), path, str(options.encoders)])
    return json.loads(out)


def ask(options, path, records):
    cli = options.bin / "cuinstrument"
    numbers = {"middle": records // 2, "block": records // 3 // 8 // 2}
    answer = {}
    for name, sql in QUESTIONS:
        answer[name] = min(run([cli, "query", path, sql.format(**numbers)]) for _ in range(3))
    answer["report, coalescing"] = run([cli, "report", path, "--analysis", "coalescing"])
    answer["diff"] = run([cli, "diff", path, path])
    answer["validate"] = run([cli, "validate", path])
    if records * LANES <= 1.1 * options.largest_report:  # records come in batches
        answer["report"] = run([cli, "report", path])
    return answer


def power(accesses):
    return f"10{'⁰¹²³⁴⁵⁶⁷⁸⁹'[len(str(accesses)) - 1]}"


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--largest", type=float, default=1e9)
    parser.add_argument("--largest-rows", type=float, default=1e9)
    parser.add_argument("--largest-json", type=float, default=1e7)
    parser.add_argument("--largest-gather", type=float, default=1e8)
    parser.add_argument("--largest-report", type=float, default=1e8, help="all analyses, not coalescing alone")
    parser.add_argument("--encoders", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="where the traces are made for a while")
    parser.add_argument("--plot", type=Path, help="write store_time.svg and store_bytes.svg to this folder")
    options = parser.parse_args()
    limits = {("chunks", "regular"): options.largest, ("chunks", "gather"): options.largest_gather,
              ("rows", "regular"): options.largest_rows, ("json", "regular"): options.largest_json}
    names = {("chunks", "regular"): "chunks", ("chunks", "gather"): "chunks, gather",
             ("rows", "regular"): "SQLite rows", ("json", "regular"): "JSON lines"}
    recorded, asked = [], []
    columns = [name for name, _ in QUESTIONS] + ["report, coalescing", "diff", "validate", "report"]
    seconds, size = {name: [] for name in names.values()}, {name: [] for name in names.values()}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder) / "trace"
        for (form, pattern), limit in limits.items():
            accesses = 10**6
            while accesses <= limit:
                name, got = names[form, pattern], record(options, form, pattern, accesses, path)
                seconds[name].append((accesses, got["processor_seconds"]))
                size[name].append((accesses, got["bytes"]))
                recorded.append([power(accesses), name, f"{got['seconds']:.2f}", f"{got['processor_seconds']:.2f}",
                                 f"{got['records'] / got['processor_seconds'] / 1e6:.2f}",
                                 f"{got['bytes'] / 1e6:.1f}", f"{got['bytes'] / got['records']:.2f}",
                                 f"{got['peak_kb'] / 1024:.0f}"])
                if form == "chunks":
                    answer = ask(options, path, got["records"])
                    asked.append([power(accesses), name] +
                                 [f"{1000 * answer[c][0]:.1f}" if c in answer else "" for c in columns] +
                                 [f"{answer[c][1]:.0f}" if c in answer else "" for c in ("scan", "validate", "report")])
                accesses *= 10
    table(["thread accesses", "form", "by the clock, s", "processor, s", "million warp records a processor second", "MB", "bytes a warp record",
           "peak memory, MB"], recorded)
    table(["thread accesses", "form"] + [f"{c}, ms" for c in columns] +
          [f"memory of {c}, MB" for c in ("scan", "validate", "report")], asked)
    if options.plot:
        options.plot.mkdir(parents=True, exist_ok=True)
        (options.plot / "store_time.svg").write_text(
            chart("Time to record", "thread accesses", "processor seconds", {n: line for n, line in seconds.items() if line}))
        (options.plot / "store_bytes.svg").write_text(
            chart("Size of the trace", "thread accesses", "bytes", {n: line for n, line in size.items() if line}))


main()
