#!/usr/bin/env python3
"""Times `cuinstrument report` and `diff` against the size of the trace: each analysis alone, and all that a report runs.

  python3 bench/report_growth.py --bin build/ci/bin [--records 1000000 10000000] [--pattern regular] [--analysis NAME]
                                 [--plot DIR]

Prints Markdown: seconds of the processors and MiB at their peak for each size, and processor nanoseconds a record at the
largest; draws DIR/report_time.svg and DIR/report_memory.svg. The traces are those of bench/store_growth.cpp.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import plot

ANALYSES = ["summary", "coalescing", "bank_conflicts", "divergence", "lifetimes", "bounds", "races", "redundancy", "values",
            "contention", "hot_sectors", "access_patterns", "heat_map", "reuse", "prediction"]


PLOTTED = ["bounds", "reuse", "races", "a whole report", "all analyses"]


def measured(command):
    """Processor seconds, peak of memory in MiB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command}: status {status}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("--bin", type=Path, required=True, help="folder of cuinstrument and store_growth")
arguments.add_argument("--records", type=int, nargs="+", default=[10**6, 10**7])
arguments.add_argument("--pattern", default="regular", help="regular or gather")
arguments.add_argument("--plot", type=Path, help="folder for the pictures")
arguments.add_argument("--analysis", nargs="+", choices=ANALYSES, default=ANALYSES)
options = arguments.parse_args()

rows = [([name], name) for name in options.analysis] + [([], "a whole report"), (["--all"], "all analyses")]
table = {label: [] for label in [*(label for _, label in rows), "diff"]}
with tempfile.TemporaryDirectory() as scratch:
    for records in options.records:
        trace = Path(scratch) / "a.db"
        subprocess.run([options.bin / "store_growth", "chunks", options.pattern, str(records), trace], check=True,
                       stdout=subprocess.DEVNULL)
        for arguments, label in rows:
            command = [options.bin / "cuinstrument", "report", trace, "--format", "json"]
            command += arguments if arguments == ["--all"] else [a for name in arguments for a in ("--analysis", name)]
            table[label].append(measured(command))
        table["diff"].append(measured([options.bin / "cuinstrument", "diff", trace, trace]))
        trace.unlink()

print("| | " + " | ".join(f"{records:,}" for records in options.records) + " | ns a record | "
      + " | ".join(f"MiB at {records:,}" for records in options.records) + " |")
print("|---|" + "---|" * (2 * len(options.records) + 1))
for label, results in table.items():
    print(f"| {label} | " + " | ".join(f"{seconds:.2f}" for seconds, _ in results)
          + f" | {results[-1][0] / options.records[-1] * 1e9:.0f} | " + " | ".join(f"{memory:.0f}" for _, memory in results) + " |")
if options.plot:
    for name, title, unit, at in (("time", "Time of a report", "processor seconds", 0), ("memory", "Memory of a report", "MiB", 1)):
        series = {label: [(records, result[at]) for records, result in zip(options.records, table[label])]
                  for label in PLOTTED if label in table}
        (options.plot / f"report_{name}.svg").write_text(plot.chart(title, "warp records", unit, series), encoding="utf-8")
