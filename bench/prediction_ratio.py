#!/usr/bin/env python3
"""How far a GPU's kernel times are from those that `report --analysis prediction` gives as their least.

  measure (on the GPU):  python3 bench/prediction_ratio.py measure --in DIR
  compare (anywhere):    python3 bench/prediction_ratio.py compare --in DIR --cuinstrument build/ci/bin/cuinstrument [--gpu h200]

`measure` takes the folder that `gpu_suite.py build` made: it times each kernel of the plain program into DIR/times.csv
and traces each into DIR/NAME.trace.db. `compare` takes any folder with such files: times.csv has the columns
program,kernel,launch,seconds, where `kernel` may be empty if the program's trace has only one, `launch` tells several of
a kernel's apart and is otherwise not read, and PROGRAM.trace.db is the program's trace. Both sides are means over a kernel's
launches. It prints a Markdown table, and the geometric means of predicted/measured, for all kernels and for those that the
model takes to be bound by each part. A prediction is a lower bound: a ratio over 1 is a fault of the model (or of a time
that caches served which the model took to be cold). Exit status 1 if a kernel of times.csv has no prediction.
"""
import argparse
import collections
import csv
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

LIMIT_S = 300
SEVERAL_LAUNCHES = {"launch_storm", "bitonic_sort", "sustained"}  # a time there is not one launch's
VERDICT = re.compile(r"(?P<kernel>.*): \S+ us \(DRAM .*, bound by (?P<bound>.*); without caches")


def measure(options):
    folder = getattr(options, "in").resolve()
    plain = subprocess.run([folder / "suite.plain", *options.program], capture_output=True, text=True, check=True, timeout=LIMIT_S)
    lines = [line.split(",") for line in plain.stdout.splitlines() if line.count(",") == 2]
    with open(folder / "times.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["program", "kernel", "launch", "seconds"])
        for program, milliseconds, _ in lines:
            if program in SEVERAL_LAUNCHES:
                continue
            table.writerow([program, "", "", float(milliseconds) / 1e3])
            subprocess.run([folder / "suite.cuda", program], check=True, timeout=LIMIT_S, stdout=subprocess.DEVNULL,
                           env={**os.environ, "CUINSTRUMENT_DB": str(folder / f"{program}.trace.db")})


def predictions(options, trace):
    """{kernel: its finding}"""
    line = [options.cuinstrument, "report", trace, "--analysis", "prediction", "--format", "json"]
    if options.gpu:
        line += ["--gpu", options.gpu]
    done = subprocess.run(line, capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode != 0:
        sys.exit(f"prediction_ratio: {trace}: {done.stderr.strip()}")
    found = {}
    for finding in json.loads(done.stdout)["analyses"][0]["findings"]:
        match = VERDICT.match(finding["verdict"])
        if match:
            found[match["kernel"]] = {"bound": match["bound"], **finding["numbers"]}
    return found


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def compare(options):
    folder = getattr(options, "in")
    measured = collections.defaultdict(list)
    with open(folder / "times.csv", newline="") as file:
        for row in csv.DictReader(file):
            measured[row["program"], row["kernel"]].append(float(row["seconds"]))
    wrong, ratios, known = [], collections.defaultdict(list), {}
    print("| program | kernel | measured | predicted at least | predicted / measured | bound by | without caches |\n|---|---|---|---|---|---|---|")
    for (program, kernel), seconds in measured.items():
        if program not in known:
            known[program] = predictions(options, folder / f"{program}.trace.db")
        found = known[program]
        if not kernel and len(found) == 1:
            kernel, = found
        if kernel not in found:
            wrong.append(f"{program}: no prediction for '{kernel}'; there are: {', '.join(found) or 'none'}")
            continue
        numbers = found[kernel]
        us = sum(seconds) / len(seconds) * 1e6
        predicted = numbers["predicted_us"] / numbers["launches"]
        ratios[numbers["bound"]].append(predicted / us)
        print(f"| {program} | {kernel} | {us:.1f} µs | {predicted:.1f} µs | {predicted / us:.2f} | {numbers['bound']} "
              f"| {numbers['uncached_us'] / numbers['launches'] / us:.2f} |")
    everything = [ratio for each in ratios.values() for ratio in each]
    for bound, each in [*sorted(ratios.items()), ("anything", everything)]:
        if each:
            print(f"\nBound by {bound}: {len(each)} kernels, geometric mean {mean(each):.2f}, {min(each):.2f} to {max(each):.2f}.")
    for line in wrong:
        print("WRONG " + line)
    sys.exit(1 if wrong else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(required=True)
    step = steps.add_parser("measure")
    step.add_argument("--in", type=Path, required=True)
    step.add_argument("program", nargs="*", help="one kernel of the suite; all without")
    step.set_defaults(call=measure)
    step = steps.add_parser("compare")
    step.add_argument("--in", type=Path, required=True)
    step.add_argument("--cuinstrument", type=Path, required=True)
    step.add_argument("--gpu", help="as in `report --gpu`; without, the traced one")
    step.set_defaults(call=compare)
    options = parser.parse_args()
    options.call(options)


if __name__ == "__main__":
    main()
