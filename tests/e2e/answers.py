#!/usr/bin/env python3
"""What `cuinstrument whatif`, `diff` and `check` say, against the change actually made.

  answers.py <case> --source <repository> --bin <folder of cuinstrument> --work <folder>

The case `build` is the others' fixture: programs/layouts.cu built plain, and once with each other layout.
"""
import argparse
import json
import shutil
import sqlite3
from pathlib import Path

import answers_check
from answering import check, options, predicted, run, tool, totals, whatif

VARIANTS = {"plain": [], "padded": ["-DPADDED"], "arrays": ["-DARRAYS"], "swapped": ["-DSWAPPED"]}


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
    before = load["before"]["cache"]
    check((before["sectors"], before["dram_sectors"], before["l1_hit_sectors"]) == (12288, 1536, 10752), before)
    check(result["before"] == result["after"], "nothing was changed")
    # By kernel: sumRows also stores 128 floats, 16 sectors that no load brought into a cache.
    kernels = {kernel["kernel"]: kernel for kernel in result["kernels"]}
    check(list(kernels) == ["turn", "drift", "sumRows"], kernels)
    check(kernels["sumRows"]["before"] == {"sectors": 12304, "l1_hit_sectors": 10752, "l1_store_hit_sectors": 0,
                                           "l2_hit_sectors": 0, "dram_sectors": 1552, "dram_store_sectors": 16,
                                           "l1_hit_rate": 10752 / 12304, "l2_hit_rate": 16 / 1552}, kernels)
    # With --cold L2 is empty at each launch; no launch here reads what another left.
    check(whatif("--cache", "h100", "--cold")["kernels"] == result["kernels"], "no launch uses another's data")
    check(kernels["sumRows"]["launches"] == 1 and kernels["sumRows"]["after"] == kernels["sumRows"]["before"], kernels)


def whatif_cache_configured():
    """Without L1, or where a warp's 32 lines find room for 16, the matrix' 10,752 later accesses find their sectors in L2;
    without L2 either, all 12,288 are DRAM's."""
    for gpu, l1, dram in (("h100", 10752, 1536), ("h100,l1=2K", 0, 1536), ("h100,l1=0", 0, 1536), ("h100,l1=0,l2=0", 0, 12288)):
        (load,) = [s for s in whatif("--cache", gpu)["sites"] if s["expression"] == "matrix[r * columns + c]"]
        seen = load["before"]["cache"]
        check((seen["l1_hit_sectors"], seen["l2_hit_sectors"], seen["dram_sectors"]) == (l1, 12288 - l1 - dram, dram), (gpu, seen))


def whatif_cache_changed():
    """The caches after a change are those of the program in which it was made."""
    for change, build, kernel in ((("--layout", "deviceBodies=soa"), "arrays", "drift"),
                                  (("--swap-index", "matrix", "--row", "matrix=96"), "swapped", "sumRows")):
        (after,) = [k["after"] for k in whatif(*change, "--cache", "h100")["kernels"] if k["kernel"] == kernel]
        made = json.loads(tool("whatif", f"{build}.db", "--cache", "h100", "--format", "json").stdout)
        (real,) = [k["before"] for k in made["kernels"] if k["kernel"] == kernel]
        check(after == real, f"{kernel}: {after} {real}")


def whatif_errors():
    for arguments, words in ((("--pad", "tiles=+1"), "tile"), (("--pad", "tile=x"), "number"), ((), "--pad"),
                             (("--layout", "tile=aos"), "soa"), (("--swap-index", "matrix"), "--row matrix=ELEMENTS"),
                             (("--cache", "pentium"), "h100"), (("--cache", "h100,l3=1M"), "l2=BYTES"), (("--pad", "tile=+1", "--cold"), "--cache"), (("--row", "tile=3", "--pad", "in=+1"), "tile"),
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
    # A macro hides how a field is accessed: its sites (one a use) keep their ids whatever the layout is.
    result = json.loads(tool("diff", "plain.db", "arrays.db", "--format", "json").stdout)
    check([(s["expression"], s["change"]) for s in result["sites"]] ==
          [(f"FIELD(i, {member})", "better") for member in ("x", "vx", "y", "vy")], result["sites"])
    check([(k["kernel"], k["change"]) for k in result["kernels"]] == [("drift", "better")], result["kernels"])


def profile():
    """Totals answer what asks for totals; what looks at single accesses says that there are none, and passes nothing."""
    run("./plain", CUINSTRUMENT_DB="profile.db", CUINSTRUMENT_MODE="profile")
    analyses = {a["name"]: a["findings"] for a in json.loads(tool("report", "profile.db", "--format", "json").stdout)["analyses"]}
    check(any("32-way" in f["verdict"] for f in analyses["bank_conflicts"]), analyses["bank_conflicts"])
    check([f["verdict"][:15] for f in analyses["bounds"]] == ["not looked for:"], analyses["bounds"])
    tool("check", "profile.db", "--assert", "requests > 0")
    (options.work / "bounds.toml").write_text('[[check]]\nanalysis = "bounds"\nassert = "problems == 0"\n')
    tool("check", "plain.db", "bounds.toml")
    said = tool("check", "profile.db", "bounds.toml", expected=1).stdout
    check("FAIL bounds.toml:1: problems == 0: bounds not looked for: a profile" in said, said)
    for command in (("whatif", "profile.db", "--cache", "h100"), ("export", "profile.db", "--format", "drcachesim", "-o", "x"),
                    ("export", "profile.db", "--format", "accelsim", "-o", "x")):
        said = tool(*command, expected=2).stderr
        check(said.count("\n") == 1 and "CUINSTRUMENT_MODE=trace" in said, said)


CASES = {name: case for name, case in {**globals(), **vars(answers_check)}.items()
         if name in ("build", "profile") or name.startswith(("check_", "whatif_", "diff_"))}

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("case", choices=CASES)
for name in ("source", "bin", "work"):
    arguments.add_argument("--" + name, type=Path, required=True)
arguments.parse_args(namespace=options)
CASES[options.case]()
