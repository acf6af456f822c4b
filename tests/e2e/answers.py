#!/usr/bin/env python3
"""What `cuinstrument whatif`, `diff` and `check` say, against the change actually made.

  answers.py <case> --source <repository> --bin <folder of cuinstrument> --work <folder>

The case `build` is the others' fixture: programs/layouts.cu built plain, and once with each other layout.
"""
import argparse
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

from result_formats import junit_cases, sarif_results

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
                             (("--cache", "pentium"), "h100"), (("--pad", "tile=+1", "--cold"), "--cache"), (("--row", "tile=3", "--pad", "in=+1"), "tile"),
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


def build_example(change=lambda text: text):
    """The example in a folder of its own, traced as its workflow does it; its source changed first."""
    folder = options.work / sys.argv[1]
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(options.source / "examples/ci-check", folder)
    (folder / "smooth.cu").write_text(change((folder / "smooth.cu").read_text()))
    workflow = (folder / ".github/workflows/memory-check.yml").read_text()
    build, execute, checks = re.findall(r"^ +(?:run: )?((?:cuinstrument|CUINSTRUMENT_DB=).*)", workflow, re.M)
    run("bash", "-ec", f"{build}\n{execute}", cwd=folder, PATH=f"{options.bin}:{os.environ['PATH']}")
    return folder, checks.split()[1:]


def check_holds():
    """Comments: 2 loads on line 15 and the store and the load on line 18, of which the shared ones have no sectors
    and the global ones no banks. checks.toml: 2 tile sites, 2 x 3 global sites, 1 total, 1 count. And completeness."""
    folder, command = build_example()
    said = tool(*command, cwd=folder).stdout
    check(said.splitlines()[-1] == "15 of 15 assertions hold.", said)
    check(len([line for line in said.splitlines() if line.startswith("ok   smooth.cu:18: sectors_per_request <= 4, ")]) == 2, said)
    check(tool("check", "trace.db", "checks.toml", "--quiet", cwd=folder).stdout == "15 of 15 assertions hold.\n", "quiet")


def check_fails():
    """Without the padding a column of the tile lies in one bank: 512 requests, 31 conflicts each."""
    folder, command = build_example(lambda text: text.replace("[tileSize + 1]", "[tileSize]"))
    said = tool(*command, cwd=folder, expected=1).stdout
    failed = [line for line in said.splitlines() if line.startswith("FAIL")]
    check(len(failed) == 3 and all(line.startswith("FAIL smooth.cu:18: ") for line in failed), said)
    check("bank_conflicts is 15872, expected == 0" in failed[0], failed)
    cases = junit_cases(folder / "checks.xml")
    failures = [c.find("failure") for c in cases if c.find("failure") is not None]
    check(len(cases) == 15 and [f.text[:13] for f in failures] == ["smooth.cu:18 "] * 3, [f.text for f in failures])
    check(failures[0].get("message").endswith("bank_conflicts is 15872, expected == 0"), failures[0].attrib)
    check(len({(c.get("classname"), c.get("name")) for c in cases}) == 15, "names of test cases")
    results = sarif_results((folder / "checks.sarif").read_text())
    check(len(results) == 3, results)
    for result in results:
        place = result["locations"][0]["physicalLocation"]
        check((place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("smooth.cu", 18), place)
        check(len(result["partialFingerprints"]) == 1, result)


def check_vacuous():
    """What fits nothing, or has no value, fails: a renamed array must not switch a check off."""
    (options.work / "none.toml").write_text('[[check]]\narray = "tiles"\nassert = "bank_conflicts == 0"\n')
    said = tool("check", "plain.db", "none.toml", expected=1).stdout
    check("FAIL none.toml:1: bank_conflicts == 0: no instrumented access fits" in said, said)
    (options.work / "some.toml").write_text('[[check]]\narray = "matrix"\nassert = "bank_conflicts == 0"\n')
    check("does not apply" in tool("check", "plain.db", "some.toml", expected=1).stdout, "a global array has no banks")
    (options.work / "optional.toml").write_text('[[check]]\narray = "tiles"\nassert = "cost == 0"\noptional = true\n')
    tool("check", "plain.db", "optional.toml")


def check_related():
    """The fields that drift accesses on two lines are one finding: also for who asks about the second line only."""
    lines = (options.source / "tests/e2e/programs/layouts.cu").read_text().splitlines()
    line = lines.index("  FIELD(i, y) += FIELD(i, vy);") + 1
    asked = f'[[check]]\nline = {line}\nfunction = "drift"\nanalysis = "coalescing"\nassert = "problems == 0"\n'
    (options.work / "related.toml").write_text(asked)
    said = tool("check", "plain.db", "related.toml", expected=1).stdout
    check(f"layouts.cu:{line - 1}: problems == 0: array of structures" in said, said)
    tool("check", "arrays.db", "related.toml")


def check_errors():
    """One line that names the file and the line."""
    for text, words in (('[[check]]\narray = "tile"\nassert = "conflicts == 0"\n', "wrong.toml:3: no metric 'conflicts'"),
                        ('[[check]]\n\narrays = "tile"\nassert = "cost < 1"\n', "wrong.toml:3: unknown key 'arrays'"),
                        ('[[check]]\nassert = "cost"\n', "wrong.toml:2: 'cost' is no assertion"),
                        ('[[check]]\nassert = "cost < many"\n', "wrong.toml:2: 'cost < many': 'many' is not a number"),
                        ('[[check]]\nname = "x"\n', "wrong.toml:1: a check without assert"),
                        ('[[check]]\nanalysis = "leaks"\nassert = "problems == 0"\n', "wrong.toml:2: no analysis 'leaks'"),
                        ('[[check]]\nassert = "problems == 0"\n', "wrong.toml:1: problems are counted of an analysis"),
                        ('[[check]\n', "wrong.toml:1: "), ("", "no [[check]]")):
        (options.work / "wrong.toml").write_text(text)
        said = tool("check", "plain.db", "wrong.toml", expected=2).stderr
        check(said.count("\n") == 1 and words in said, f"{text}: {said}")
    tool("check", "plain.db", "absent.toml", expected=3)
    check("nothing to check" in tool("check", "plain.db", expected=2).stderr, "no checks at all")
    tool("check", "plain.db", "--assert", "requests > 0")
    folder, _ = build_example()
    with open(folder / "smooth.cu", "a") as source:
        source.write("// edited\n")
    check("not the file the program was built from" in tool("check", "trace.db", cwd=folder, expected=3).stderr, "stale")
    tool("check", "trace.db", "checks.toml", "--no-source", cwd=folder)
    (folder / "smooth.cu").unlink()
    check("smooth.cu is not here" in tool("check", "trace.db", "checks.toml", cwd=folder).stderr, "missing source")


def check_incomplete():
    """Numbers of a trace with losses prove nothing."""
    shutil.copy(options.work / "plain.db", options.work / "lossy.db")
    with sqlite3.connect(options.work / "lossy.db") as trace:
        trace.execute("INSERT INTO trace_stat VALUES('dropped_records', 'data_loss', 5, 1, 'no space in time')")
    arguments = ("check", "lossy.db", "--assert", "requests > 0")
    said = tool(*arguments, expected=1).stdout
    check("FAIL the trace is complete: dropped_records: no space in time" in said, said)
    tool(*arguments, "--allow-incomplete")


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


CASES = {name: case for name, case in globals().items() if name == "build" or name.startswith(("profile", "check_", "whatif_", "diff_"))}

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("case", choices=CASES)
for name in ("source", "bin", "work"):
    arguments.add_argument("--" + name, type=Path, required=True)
options = arguments.parse_args()
CASES[options.case]()
