#!/usr/bin/env python3
"""Times `cuinstrument report` against the size of the trace: each analysis alone, and all that a report runs.

  python3 bench/report_growth.py --bin build/ci/bin [--records 1000000 10000000] [--pattern regular] [--analysis NAME]

Prints Markdown: seconds of wall clock (and of processors) for each size, and processor nanoseconds a record at the largest. The
traces are those of bench/store_growth.cpp.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ANALYSES = ["summary", "coalescing", "bank_conflicts", "divergence", "lifetimes", "bounds", "races", "redundancy", "values",
            "contention", "hot_sectors", "access_patterns", "heat_map", "reuse", "prediction"]


def timed(command):
    """Wall clock, processor seconds, peak of memory in MiB."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command}: status {status}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--bin", type=Path, required=True, help="folder of cuinstrument and store_growth")
arguments.add_argument("--records", type=int, nargs="+", default=[10**6, 10**7])
arguments.add_argument("--pattern", default="regular", help="regular or gather")
arguments.add_argument("--analysis", nargs="+", choices=ANALYSES, default=ANALYSES)
options = arguments.parse_args()

rows = [([name], name) for name in options.analysis] + [([], "a whole report"), (["--all"], "all analyses")]
table = {label: [] for _, label in rows}
with tempfile.TemporaryDirectory() as scratch:
    for records in options.records:
        trace = Path(scratch) / "a.db"
        subprocess.run([options.bin / "store_growth", "chunks", options.pattern, str(records), trace], check=True,
                       stdout=subprocess.DEVNULL)
        for arguments, label in rows:
            command = [options.bin / "cuinstrument", "report", trace, "--format", "json"]
            command += arguments if arguments == ["--all"] else [a for name in arguments for a in ("--analysis", name)]
            table[label].append(timed(command))
        trace.unlink()

print("| | " + " | ".join(f"{records:,}" for records in options.records) + " | ns a record | MiB |")
print("|---|" + "---|" * (len(options.records) + 2))
for label, times in table.items():
    cells = [f"{wall:.2f} s ({cpu:.2f})" for wall, cpu, _ in times]
    print(f"| {label} | " + " | ".join(cells) + f" | {times[-1][1] / options.records[-1] * 1e9:.0f} | {times[-1][2]:.0f} |")
