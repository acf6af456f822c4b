"""Cases of answers.py: what `cuinstrument check` says."""
import os
import re
import shutil
import sqlite3

from answering import check, options, run, tool
from result_formats import junit_cases, sarif_results


def build_example(change=lambda text: text):
    """The example in a folder of its own, traced as its workflow does it; its source changed first."""
    folder = options.work / options.case
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
