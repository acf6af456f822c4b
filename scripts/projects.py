#!/usr/bin/env python3
"""Builds CUDA projects by their own Makefiles or CMake, with nvcc and with `cuinstrument nvcc`, and says how they compare.

A project is the topmost folder below a TREE that has a CMakeLists.txt or a Makefile and a CUDA source somewhere in it. It is built
in a copy of the TREE, as it may need its neighbours, in these forms:

  plain         nvcc as it is
  instrumented  `cuinstrument nvcc` in its place: a link of that name in front on PATH, with CMake the compiler launcher
  cpu           with --run: `cuinstrument cpu` in its place, for programs to be run without a GPU

Nothing in a project is changed. Where it calls nvcc by its place in the toolkit, give it another toolkit: in a word for make or CMake
(CUDA_PATH={toolkit}), {toolkit} is a folder like it, with our nvcc. Links that a C++ compiler makes get the words of
`cuinstrument flags --link`. With --run, each program that the cpu form yields is run without arguments, twice with recording off and
once recorded: what is the same in the first two has to be the same in the third, as has the exit code. Times are of the processor,
of nvcc's lines with a CUDA source. One JSON line a project goes to --results at once; one that is there already is not built again.

    python3 scripts/projects.py TREE … --bin build/ci/bin --results projects.jsonl [--arch sm_90] [--run] [-- WORDS FOR MAKE OR CMAKE …]
    python3 scripts/projects.py --results projects.jsonl --summary-only
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
from pathlib import Path

from corpus import LEFT, PASSED_THROUGH, execute, first_error, parsed, read, site_counts

STAND_IN = Path(__file__).resolve().parent / "project_compiler.py"
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
COLUMNS = ["project", "built by", "nvcc lines", "built", "instrumented", "accesses", "skipped", "time", "programs, same output"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs="*", metavar="TREE", help="a project, or a folder of projects")
    parser.add_argument("--bin", type=Path, help="folder of cuinstrument")
    parser.add_argument("--results", type=Path, required=True, help="JSON lines, appended to")
    parser.add_argument("--arch", help="compile for this one whatever the projects say (sm_90)")
    parser.add_argument("--make", action="store_true", help="where a project has both, take the Makefile")
    parser.add_argument("--each", action="store_true", help="projects are all folders with a build file and a CUDA source in them")
    parser.add_argument("--only", metavar="REGEX", default="", help="only projects whose path matches")
    parser.add_argument("--target", action="append", default=[], help="build this and not what is built by default")
    parser.add_argument("--run", action="store_true", help="also build for the CPU backend, and run what that yields")
    parser.add_argument("--cpu-seconds", type=int, default=30, help="processor time a run (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="of make and cmake (default %(default)s)")
    parser.add_argument("--timeout", type=float, default=1800, help="seconds a build (default %(default)s)")
    parser.add_argument("--summary-only", action="store_true")
    parser.epilog = "Words for make (CC=nvcc) or for CMake's configuration (-DNAME=VALUE) follow --."
    options, options.words = parsed(parser)
    return options


def build_file(folder, make_first):
    names = [*MAKEFILES, "CMakeLists.txt"] if make_first else ["CMakeLists.txt", *MAKEFILES]
    return next((name for name in names if (folder / name).is_file()), None)


def projects(folder, options):
    """Folders that a build file and a CUDA source say are projects; the topmost, or --each."""
    found = [folder] if build_file(folder, options.make) and any(folder.glob("*.cu") if options.each else folder.rglob("*.cu")) else []
    if found and not options.each:
        return found
    below = sorted(p for p in folder.iterdir() if p.is_dir() and not p.is_symlink())
    return found + [project for p in below for project in projects(p, options)]


def is_program(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF" and os.access(path, os.X_OK) and ".so" not in path.name


class Builder:
    def __init__(self, options):
        self.options = options
        self.cuinstrument = str((options.bin / "cuinstrument").resolve())

    def flags(self, *words):
        return subprocess.run([self.cuinstrument, "flags", *words], capture_output=True, text=True, check=True).stdout.strip()

    def environment(self, form, scratch):
        """Variables for a build, with the stand-ins' folder, which is on PATH for make; CMake is told of them."""
        stand_ins, log = scratch / "bin", scratch / "log"
        stand_ins.mkdir()
        log.mkdir()
        for name in ("nvcc", "g++", "c++", "launcher"):
            (stand_ins / name).symlink_to(STAND_IN)
        self.toolkit_like(scratch / "toolkit")
        link = "" if form == "plain" else self.flags("--link", "--backend", "cpu" if form == "cpu" else "cuda")
        own = {"FORM": form, "LOG": log, "CUINSTRUMENT": self.cuinstrument, "NVCC": shutil.which("nvcc") or "nvcc",
               "LINK": link, "ARCH": self.options.arch or "", "BIN": stand_ins}
        return {**{key: value for key, value in os.environ.items() if not key.startswith("CUINSTRUMENT")},
                **{f"CUI_PROJECT_{key}": str(value) for key, value in own.items()}}

    def toolkit_like(self, folder):
        toolkit = Path(shutil.which("nvcc") or "nvcc").resolve().parent.parent
        (folder / "bin").mkdir(parents=True)
        for path in toolkit.iterdir():
            if path.name != "bin":
                (folder / path.name).symlink_to(path)
        for path in (toolkit / "bin").iterdir():
            (folder / "bin" / path.name).symlink_to(STAND_IN if path.name == "nvcc" else path)

    def commands(self, folder, form, environment):
        jobs = f"-j{self.options.jobs}"
        file = build_file(folder, self.options.make)
        stand_ins, link = environment["CUI_PROJECT_BIN"], environment["CUI_PROJECT_LINK"]
        words = [word.replace("{toolkit}", str(Path(stand_ins).parent / "toolkit")) for word in self.options.words]
        if file != "CMakeLists.txt":
            path = f"PATH={stand_ins}{os.pathsep}{os.environ['PATH']}"
            return [["env", path, "make", "-k", jobs, "-f", file, *self.options.target, *words]]
        configure = [f"-DCMAKE_CUDA_COMPILER={environment['CUI_PROJECT_NVCC']}", f"-DCUDA_NVCC_EXECUTABLE={stand_ins}/nvcc",
                     f"-DCMAKE_CUDA_COMPILER_LAUNCHER={stand_ins}/launcher", "-DCMAKE_BUILD_TYPE=Release",
                     f"-DCMAKE_CUDA_ARCHITECTURES={(self.options.arch or 'sm_90').removeprefix('sm_')}"]
        if link:
            configure += [f"-DCMAKE_CUDA_STANDARD_LIBRARIES={link}", f"-DCMAKE_CXX_STANDARD_LIBRARIES={link}"]
        if form == "cpu":
            configure += ["-DCMAKE_CUDA_RUNTIME_LIBRARY=None"]  # two runtimes in one program do not go together
        targets = [word for target in self.options.target for word in ("--target", target)]
        return [["cmake", "-G", "Unix Makefiles", "-S", ".", "-B", "cui-build", "-Wno-dev", *configure, *words],
                ["cmake", "--build", "cui-build", *targets, jobs, "--", "-k"]]

    def build(self, tree, project, form, scratch):
        """What became of the form: {built, lines, seconds, warnings, …}; its folder; the programs there."""
        scratch = scratch / form
        scratch.mkdir()
        shutil.copytree(tree, scratch / tree.name, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        folder = scratch / project.relative_to(tree.parent)
        environment, code, said = self.environment(form, scratch), 0, ""
        before = set(folder.rglob("*"))
        for command in self.commands(folder, form, environment):
            if code == 0:
                code, text, _ = execute(command, self.options.timeout, environment, folder)
                said += text
        lines = [json.loads(path.read_text()) for path in sorted((scratch / "log").glob("*.json")) if path.stat().st_size]
        compiled = [line for line in lines if line["sources"]]
        row = {"built": code == 0, "error": "" if code == 0 else "timed out" if code is None else first_error(said),
               "lines": len(lines), "failed": sum(line["code"] != 0 for line in lines),
               "seconds": round(sum(line["seconds"] for line in compiled), 2), "warnings": len(re.findall(r"\bwarning\b", said))}
        if form == "instrumented":
            counts, reasons = [site_counts(table) for line in lines for table in line["tables"]], collections.Counter()
            for _, skipped in counts:
                reasons.update(skipped)
            row.update(accesses=sum(count for count, _ in counts), reasons=dict(reasons), tables=len(counts),
                       sources=sum(len(line["sources"]) for line in lines),
                       left=LEFT.findall(said), passed=[m[0] for m in PASSED_THROUGH.finditer(said)])
        programs = [path for path in folder.rglob("*") if path not in before and path.is_file() and "CMakeFiles" not in path.parts
                    and is_program(path)]
        return row, folder, sorted(programs)

    def run(self, program, folder):
        """(exit code, lines) of the program with recording off, again, and recorded."""
        for form in ("off", "off", "on"):
            environment = {**os.environ, "CUINSTRUMENT": form, "CUINSTRUMENT_DB": f"{folder}/cui-trace.db"}
            # Its own folder for make, the project's for CMake's, which lie far from their data.
            at = folder if "cui-build" in program.parts else program.parent
            command = ["prlimit", f"--cpu={self.options.cpu_seconds}", str(program)]
            code, text, _ = execute(command, self.options.cpu_seconds * 20, environment, at)
            yield code, [line for line in text.splitlines() if not line.startswith("cuinstrument: ")]

    def judge(self, program, folder):
        off, again, recorded = self.run(program, folder)
        if {None, -signal.SIGXCPU} & {off[0], recorded[0]}:
            return "not finished"
        if off[0] != again[0] or len(off[1]) != len(again[1]):
            return "differs without us"
        same = len(recorded[1]) == len(off[1]) and all(
            first != second or first == third for first, second, third in zip(off[1], again[1], recorded[1]))
        return ("same" if off[0] == 0 else "same failure") if same and recorded[0] == off[0] else "differs"

    def examine(self, tree, project):
        row = {"project": str(project.relative_to(tree.parent)),
               "built by": "CMake" if build_file(project, self.options.make) == "CMakeLists.txt" else "make"}
        with tempfile.TemporaryDirectory() as scratch:
            for form in ["plain", "instrumented"] + ["cpu"] * self.options.run:
                row[form], folder, programs = self.build(tree, project, form, Path(scratch))
            if self.options.run:
                row["programs"] = {program.name: self.judge(program, folder) for program in programs}
        return row


def became(form):
    return "yes" if form["built"] else f"{form['lines'] - form['failed']} of {form['lines']} lines"


def instrumented(form):
    """How much of it: a file has its table unless Clang could not read it, and nvcc may refuse what came of it."""
    files = form["tables"] - sum("nvcc accepts" in said for said in form["passed"])
    parts = [became(form)] + [f"{files} of {form['sources']} files"] * (files != form["sources"])
    return ", ".join(parts + [f"{len(form['left'])} parts left out"] * bool(form["left"]))


def table(rows):
    yield "| " + " | ".join(COLUMNS) + " |"
    yield "|---" * len(COLUMNS) + "|"
    for row in rows:
        plain, ours = row["plain"], row["instrumented"]
        ratio = f"{ours['seconds'] / plain['seconds']:.2f}" if plain["seconds"] and ours["lines"] == plain["lines"] else ""
        outputs = collections.Counter(row.get("programs", {}).values())
        cells = [row["project"], row["built by"], plain["lines"], became(plain), instrumented(ours), ours["accesses"],
                 sum(ours["reasons"].values()), ratio, ", ".join(f"{count} {what}" for what, count in outputs.most_common())]
        yield "| " + " | ".join(str(cell) for cell in cells) + " |"


def summary(rows):
    print("\n".join(table(rows)))
    reasons = collections.Counter()
    for row in rows:
        reasons.update(row["instrumented"]["reasons"])
    print("\nskipped, by reason:" + ("" if reasons else " nothing"))
    for reason, count in reasons.most_common():
        print(f"{count:8}  {reason}")
    for row in rows:
        for form in ("plain", "instrumented", "cpu"):
            if not row.get(form, {}).get("built", True):
                print(f"{row['project']}, {form}: {row[form]['error']}")
        more = row["instrumented"]["warnings"] - row["plain"]["warnings"]
        if more:
            print(f"{row['project']}: {more:+} lines with a warning")
        for said in row["instrumented"]["left"] + row["instrumented"]["passed"]:
            print(f"{row['project']}: {said}")


def main():
    options = arguments()
    rows = read(options.results)
    if not options.summary_only:
        if not options.trees or not options.bin:
            sys.exit("projects.py: TREE and --bin are needed")
        builder, done = Builder(options), {row["project"] for row in rows}
        trees = [tree.resolve() for tree in options.trees]
        found = {str(project.relative_to(tree.parent)): (tree, project) for tree in trees for project in projects(tree, options)}
        with open(options.results, "a") as results:
            for name in sorted(name for name in found.keys() - done if re.search(options.only, name)):
                rows.append(builder.examine(*found[name]))
                print(f"{name} done", file=sys.stderr)
                results.write(json.dumps(rows[-1]) + "\n")
                results.flush()
    summary(rows)


main()
