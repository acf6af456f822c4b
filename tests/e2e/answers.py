#!/usr/bin/env python3
"""What `cuinstrument whatif`, `diff` and `check` say, against the change actually made.

  answers.py <case> --source <repository> --bin <folder of cuinstrument> --work <folder>

The case `build` is the others' fixture: programs/layouts.cu built plain, and once with each other layout.
"""
import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

VARIANTS = {"plain": [], "padded": ["-DPADDED"], "arrays": ["-DARRAYS"], "swapped": ["-DSWAPPED"]}


def check(condition, message):
    if not condition:
        print(message)
        sys.exit(1)


def run(*command, expected=0, cwd=None, **environment):
    variables = {k: v for k, v in os.environ.items() if not k.startswith("CUINSTRUMENT")}
    result = subprocess.run([str(c) for c in command], cwd=cwd or options.work, env={**variables, **environment},
                            capture_output=True, text=True, timeout=60)
    check(result.returncode == expected, f"{command}: exit {result.returncode}, expected {expected}\n"
                                         f"{result.stdout[-3000:]}{result.stderr[-3000:]}")
    return result


def tool(*arguments, **how):
    return run(options.bin / "cuinstrument", *arguments, **how)


def whatif(*arguments):
    return json.loads(tool("whatif", "plain.db", *arguments, "--format", "json").stdout)


def totals(name, function):
    """What a kernel cost in the trace of a variant."""
    with sqlite3.connect(options.work / f"{name}.db") as trace:
        row = trace.execute("SELECT sum(requests), sum(sectors), sum(wavefronts), sum(bank_conflicts) FROM site_metric"
                            " JOIN site USING(site_id) WHERE function = ?", [function]).fetchone()
    return dict(zip(("requests", "sectors", "wavefronts", "bank_conflicts"), row))


def predicted(result, function):
    sites = [s["after"] for s in result["sites"] if s["function"] == function]
    return {name: sum(s[name] for s in sites) for name in ("requests", "sectors", "wavefronts", "bank_conflicts")}


def build():
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    for name, flags in VARIANTS.items():
        tool("--strict", "cpu", "-O1", *flags, "-o", name, options.source / "tests/e2e/programs/layouts.cu")
        check(run(options.work / name, CUINSTRUMENT_DB=f"{name}.db").stdout == "cudaSuccess\n", name)


def whatif_pad():
    """32 columns of 32 words in one bank: 32 requests of 32 wavefronts become 1 each, as in the padded build."""
    result = whatif("--pad", "tile=+1")
    (load,) = [s for s in result["sites"] if s["expression"] == "tile[threadIdx.x][r]"]
    check((load["before"]["wavefronts"], load["after"]["wavefronts"]) == (1024, 32), load)
    check(result["objects"] == [{"name": "tile", "change": "rows of 32 elements of 4 bytes, padded by 1", "count": 1,
                                 "bytes_before": 4096, "bytes_after": 4224}], result["objects"])
    real = totals("padded", "turn")
    seen = predicted(result, "turn")
    check((real["wavefronts"], real["bank_conflicts"]) == (seen["wavefronts"], seen["bank_conflicts"]) == (64, 0),
          f"{real} {seen}")


def whatif_layout():
    """Structs of 20 bytes: 20 sectors for a field of 32 bodies; in an array of its own 4."""
    result = whatif("--layout", "deviceBodies=soa")
    for site in result["sites"]:
        check(site["before"]["sectors_per_request"] == 20 and site["after"]["sectors_per_request"] == 4, site)
    check(predicted(result, "drift") == totals("arrays", "drift"), f"{predicted(result, 'drift')}")


def whatif_swap():
    """A row a thread, 384 bytes apart: 32 sectors. With the indices swapped the rows' elements are neighbours: 4."""
    result = whatif("--swap-index", "matrix", "--row", "matrix=96")
    (load,) = result["sites"]
    check((load["before"]["sectors_per_request"], load["after"]["sectors_per_request"]) == (32, 4), load)
    with sqlite3.connect(options.work / "swapped.db") as trace:
        real = trace.execute("SELECT sum(sectors) FROM site_metric JOIN site USING(site_id) WHERE base = 'matrix'")
        check(real.fetchone()[0] == load["after"]["sectors"] == 4 * 96 * 4, load)


def whatif_cache():
    """The 96 x 128 floats of `matrix` are 1,536 sectors, each fetched once. A warp's 32 lanes read one word of 32
    lines at a time and come back for the next word: 7 of 8 accesses find the sector in L1."""
    result = whatif("--cache", "h100")
    (load,) = [s for s in result["sites"] if s["expression"] == "matrix[r * columns + c]"]
    before = load["before"]
    check((before["sectors"], before["dram_sectors"], before["l1_hit_sectors"]) == (12288, 1536, 10752), before)
    check(result["before"] == result["after"], "nothing was changed")


def whatif_errors():
    for arguments, words in ((("--pad", "tiles=+1"), "tile"), (("--pad", "tile=x"), "number"), ((), "--pad"),
                             (("--layout", "tile=aos"), "soa"), (("--swap-index", "matrix"), "--row matrix=ELEMENTS"),
                             (("--cache", "pentium"), "h100"), (("--row", "tile=3", "--pad", "in=+1"), "tile"),
                             (("--pad", "tile=+1", "--swap-index", "tile"), "one at a time")):
        said = tool("whatif", "plain.db", *arguments, expected=2).stderr
        check(said.count("\n") == 1 and words in said, f"{arguments}: {said}")


def diff_better():
    """Padding: the column's 1,024 wavefronts become 32, -96.9 % of that site's cost, and nothing gets worse."""
    result = json.loads(tool("diff", "plain.db", "padded.db", "--format", "json").stdout)
    (site,) = result["sites"]
    check((site["change"], site["expression"], site["before"]["wavefronts"], site["after"]["wavefronts"]) ==
          ("better", "tile[threadIdx.x][r]", 1024, 32), site)
    (kernel,) = result["kernels"]
    check((kernel["kernel"], kernel["launches_matched"], kernel["change"]) == ("turn", 1, "better"), kernel)
    text = tool("diff", "plain.db", "padded.db").stdout
    check("wavefronts/request 32.0 -> 1.0" in text and "-96.9 %" in text and "Nothing got worse." in text, text)


def diff_worse():
    """The other way round is worse, unless a threshold allows it: (1024 - 32) / 32 = 3100 % more."""
    text = tool("diff", "padded.db", "plain.db", expected=1).stdout
    check("+3100.0 %" in text and "Worse" in text, text)
    tool("diff", "padded.db", "plain.db", "--threshold", "3099", expected=1)
    tool("diff", "padded.db", "plain.db", "--threshold", "3100")


def diff_same():
    result = json.loads(tool("diff", "plain.db", "plain.db", "--format", "json").stdout)
    check(result["sites"] == [] and result["kernels"] == [] and not result["worse"], result)
    everything = json.loads(tool("diff", "plain.db", "plain.db", "--format", "json", "--all").stdout)
    check(len(everything["kernels"]) == 3 and {s["change"] for s in everything["sites"]} == {"same"}, everything)


def diff_rewritten():
    """Other expressions on the same array: one site each, as far as that is certain."""
    result = json.loads(tool("diff", "plain.db", "swapped.db", "--format", "json").stdout)
    (site,) = result["sites"]
    check((site["change"], site["before"]["sectors"], site["after"]["sectors"]) == ("better", 12288, 1536), site)
    check((site["expression_before"], site["expression"]) == ("matrix[r * columns + c]", "matrix[c * rows + r]"), site)
    # A macro hides how a field is accessed: its sites (one a line) keep their ids whatever the layout is.
    result = json.loads(tool("diff", "plain.db", "arrays.db", "--format", "json").stdout)
    check([(s["expression"], s["change"]) for s in result["sites"]] ==
          [(f"FIELD(i, {member})", "better") for member in ("x", "y")], result["sites"])
    check([(k["kernel"], k["change"]) for k in result["kernels"]] == [("drift", "better")], result["kernels"])


CASES = {f.__name__: f for f in (build, whatif_pad, whatif_layout, whatif_swap, whatif_cache, whatif_errors, diff_better,
                                 diff_worse, diff_same, diff_rewritten)}

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("case", choices=CASES)
for name in ("source", "bin", "work"):
    arguments.add_argument("--" + name, type=Path, required=True)
options = arguments.parse_args()
CASES[options.case]()
