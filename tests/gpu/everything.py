#!/usr/bin/env python3
"""All tests that need a GPU, as parts: builds their programs on a machine with nvcc, and runs them on one with a GPU.

  build (here):        python3 tests/gpu/everything.py build --bin build/ci/bin --to DIR [--arch sm_90] [PART…]
  run   (on the GPU):  python3 DIR/everything.py run --in DIR [--logs DIR] [--jobs N] [PART…]
  list  (here):        python3 tests/gpu/everything.py list     the parts; exits with 1 where one wants a file that is gone

DIR is all that the second machine needs, beside Python 3. `run` prints a line for each part, with the end of what it printed where
it is wrong or took longer than its limit, and exits with 1 if one is not right. Exit status 77 of a part: it did not run, as that
machine has no second GPU or no debugger. What it costs to record is bench/gpu_suite.py's.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ALL_KERNELS = {"CUINSTRUMENT_MODE_KERNELS": "all"}  # more than there would be room for
SEPARATE = ("--recorder=linked", "--separate")


@dataclass
class Program:
    """How a program is built: `cuinstrument OWN nvcc FLAGS SOURCE`; without `arch`, the flags say for which."""
    source: str
    own: tuple = ("--recorder=linked",)
    flags: tuple = ("-O2",)
    libraries: tuple = ()
    environment: dict = field(default_factory=dict)
    arch: bool = True


@dataclass
class Part:
    """A script with its words, {} for the folder; the programs it wants; seconds that it may take."""
    script: str
    words: str
    programs: tuple
    limit: int
    files: tuple = ()


PROGRAMS = {
    "stress": Program("stress.cu"),
    "in_step": Program("in_step.cu", flags=("-O3",)),
    "plain_launches": Program("plain_launches.cu"),
    "patterns": Program("patterns.cu"),
    "patterns_compact": Program("patterns.cu", flags=("-O2", "-DCUI_COMPACT_SITES=1")),
    "patterns_separate": Program("patterns.cu", SEPARATE),
    "tallies": Program("tallies.cu", environment=ALL_KERNELS),
    "tallies_separate": Program("tallies.cu", SEPARATE, environment=ALL_KERNELS),
    "graph_nodes": Program("graph_nodes.cu"),
    "graph_nodes_relocatable": Program("graph_nodes.cu", flags=("-O2", "-rdc=true")),
    "barriers": Program("barriers.cu"),
    "recursion": Program("recursion.cu", ()),  # nothing is linked to kernels whose functions call themselves
    "races": Program("../e2e/programs/races.cu"),
    "contexts": Program("contexts.cu", libraries=("-lcuda",)),
    "devices": Program("devices.cu"),
    "functors": Program("functors.cu"),
    # The last one is read first: on an sm_90 what runs is another architecture's text.
    "architectures": Program("architectures.cu", flags=("-O2", "-gencode=arch=compute_90,code=sm_90", "-gencode=arch=compute_80,code=sm_80"),
                             arch=False),
    "several": Program("../../bench/gpu_suite/several.cu", flags=("-O3",)),
}
# Not `cuinstrument nvcc SOURCE`: sources that have our macros already, what several steps make, and traces of the CPU backend.
MADE = {
    "gpu_recorder": "compiled_recorder",
    "linked_recorder": "linked_recorder",
    "linked": "linked_units",
    "barriers.cpu.db": "cpu_trace",
    "races.cpu.db": "cpu_trace",
}
OWN = "--cuinstrument {}/cuinstrument"
PARTS = {
    "compiled": Part("run.py", f"--recorder {{}}/gpu_recorder {OWN}", ("gpu_recorder",), 300),
    "linked": Part("run.py", f"--recorder {{}}/linked_recorder {OWN}", ("linked_recorder",), 300),
    "plain_launches": Part("plain_launches.py", f"--program {{}}/plain_launches {OWN}", ("plain_launches",), 120),
    "patterns": Part("patterns.py", f"--program {{}}/patterns --separate {{}}/patterns_separate {OWN}",
                     ("patterns", "patterns_separate"), 240),
    "compact": Part("patterns.py", f"--program {{}}/patterns_compact --separate {{}}/patterns_separate {OWN}",
                    ("patterns_compact", "patterns_separate"), 240),
    "tallies": Part("patterns.py", f"--program {{}}/tallies --separate {{}}/tallies_separate {OWN} --faults",
                    ("tallies", "tallies_separate"), 240),
    "stress": Part("stress.py", f"--program {{}}/stress {OWN}", ("stress",), 240),
    "in_step": Part("in_step.py", f"--program {{}}/in_step {OWN}", ("in_step",), 120),
    "graph_nodes": Part("graph_nodes.py", f"--program {{}}/graph_nodes {OWN}", ("graph_nodes",), 60, ("graph_nodes.cu",)),
    "graph_nodes_relocatable": Part("graph_nodes.py", f"--program {{}}/graph_nodes_relocatable {OWN}", ("graph_nodes_relocatable",),
                                    60, ("graph_nodes.cu",)),
    "linked_units": Part("linked_units.py", f"--programs {{}}/linked {OWN}", ("linked",), 180),
    "barriers": Part("barriers.py", f"{{}}/barriers.cpu.db --program {{}}/barriers {OWN}", ("barriers", "barriers.cpu.db"), 60),
    "races": Part("barriers.py", f"{{}}/races.cpu.db --program {{}}/races {OWN}", ("races", "races.cpu.db"), 60),
    "recursion": Part("everything.py", "alone {}/recursion", ("recursion",), 60),
    "tools": Part("tools.py", f"--recorder {{}}/gpu_recorder --program {{}}/several {OWN}", ("gpu_recorder", "several"), 600),
    "contexts": Part("contexts.py", f"--program {{}}/contexts {OWN}", ("contexts",), 60),
    "devices": Part("devices.py", f"--program {{}}/devices {OWN}", ("devices",), 60),
    "functors": Part("functors.py", f"--program {{}}/functors {OWN}", ("functors",), 120),
    "architectures": Part("architectures.py", f"--program {{}}/architectures {OWN}", ("architectures",), 60),
}


class Builder:
    def __init__(self, options):
        self.to, self.arch, self.bin = options.to, options.arch, options.bin
        self.sources = Path(__file__).resolve().parent
        self.cuinstrument = self.to / "cuinstrument"

    def program(self, name):
        how = PROGRAMS[name]
        arch = [f"-arch={self.arch}"] if how.arch else []
        self.run(self.bin / "cuinstrument", "--strict", *how.own, "nvcc", "-std=c++17", *arch, *how.flags,
                 self.sources / how.source, "-o", self.to / name, *how.libraries, environment=how.environment)

    def run(self, *words, environment=None):
        subprocess.run(words, check=True, env={**os.environ, **(environment or {})})

    def with_macros(self, name, nvcc, flags, environment=None):
        """recorder.cu has our macros already."""
        self.run(nvcc, "-std=c++17", "-O2", f"-arch={self.arch}", *flags, "-isystem", self.bin.parent / "include", "-o", self.to / name,
                 self.sources / "recorder.cu", self.bin.parent / "lib" / "libcuinstrument.a", "-lpthread", "-ldl", "-lm", environment=environment)

    def compiled_recorder(self, name):
        self.with_macros(name, "nvcc", ())

    def linked_recorder(self, name):
        """By the folder of tools that `cuinstrument nvcc` keeps, whose ptxas adds the recorder."""
        cache = Path(os.environ.get("CUINSTRUMENT_CACHE", Path.home() / ".cache" / "cuinstrument"))
        tools = max(cache.glob("nvcc-*/nvcc"), key=lambda p: p.parent.stat().st_mtime).parent
        self.with_macros(name, tools / "nvcc", ("-DCUI_RECORDER_LINKED",), {"CUINSTRUMENT_TOOLCHAIN": str(tools)})

    def linked_units(self, name):
        self.run(self.sources / "linked_units.sh", self.to / name, self.bin / "cuinstrument", self.arch.removeprefix("sm_"))

    def cpu_trace(self, name):
        program, trace = self.to / name.removesuffix(".db"), self.to / name
        trace.unlink(missing_ok=True)
        self.run(self.bin / "cuinstrument", "cpu", self.sources / PROGRAMS[name.removesuffix(".cpu.db")].source, "-o", program)
        self.run(program, environment={"CUINSTRUMENT_DB": str(trace)})
        program.unlink()


def build(options):
    options.to.mkdir(parents=True, exist_ok=True)
    chosen = [PARTS[name] for name in options.part or PARTS]
    files = {"everything.py", *(part.script for part in chosen), *(name for part in chosen for name in part.files)}
    for name in sorted(files):
        shutil.copy(Path(__file__).resolve().parent / name, options.to)
    shutil.copy(options.bin / "cuinstrument", options.to)
    builder = Builder(options)
    wanted = dict.fromkeys(name for part in chosen for name in part.programs)
    # Those made by hand last: by then there is a folder of tools.
    for name in sorted(wanted, key=lambda name: name in MADE):
        print(name, flush=True)
        getattr(builder, MADE.get(name, "program"))(name)


def show(options):
    """Each part with its script and programs."""
    folder = Path(__file__).resolve().parent
    for name, part in PARTS.items():
        print(f"{name}: {part.script}, {', '.join(part.programs)}, {part.limit} s at most")
        sources = [PROGRAMS[program].source for program in part.programs if program not in MADE]
        if gone := [file for file in (part.script, *part.files, *sources) if not (folder / file).is_file()]:
            sys.exit(f"no {', '.join(gone)} in {folder}")


def alone(options):
    """A program that checks itself: with the recorder, and switched off."""
    with tempfile.TemporaryDirectory() as directory:
        for switch in ("on", "off"):
            subprocess.run([options.program], check=True, timeout=50, cwd=directory, env={**os.environ, "CUINSTRUMENT": switch})


def run_part(name, options):
    """How it went, in a word, and the seconds that it took."""
    part, begin = PARTS[name], time.monotonic()
    words = [word.format(options.folder) for word in part.words.split()]
    log = options.logs / f"{name}.log"
    with open(log, "w", encoding="utf-8") as output:
        process = subprocess.Popen([sys.executable, options.folder / part.script, *words], stdout=output, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            word = {0: "right", 77: "not run"}.get(process.wait(part.limit), "WRONG")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)  # with the programs that it waits for
            process.wait()
            word = f"WRONG: longer than {part.limit} s"
    seconds = time.monotonic() - begin
    text = f"{name}: {word}, {seconds:.0f} s"
    if word != "right":
        text += "".join(f"\n    {line}" for line in log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:])
    print(text, flush=True)
    return word


def run(options):
    options.logs.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        words = list(pool.map(lambda name: run_part(name, options), options.part or PARTS))
    sys.exit(any(word.startswith("WRONG") for word in words))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    builds = steps.add_parser("build")
    builds.add_argument("--bin", required=True, type=lambda p: Path(p).resolve())
    builds.add_argument("--to", required=True, type=lambda p: Path(p).resolve())
    builds.add_argument("--arch", default="sm_90")
    runs = steps.add_parser("run")
    runs.add_argument("--in", dest="folder", required=True, type=lambda p: Path(p).resolve())
    runs.add_argument("--logs", default="logs", type=lambda p: Path(p).resolve())
    runs.add_argument("--jobs", default=1, type=int, help="parts side by side, on one GPU")
    for each in (builds, runs):
        each.add_argument("part", nargs="*", metavar="PART", help="all of them unless said: " + ", ".join(PARTS))
    steps.add_parser("list")
    steps.add_parser("alone", help="what a program that checks itself is run with").add_argument("program", type=lambda p: Path(p).resolve())
    options = parser.parse_args()
    if unknown := set(getattr(options, "part", ())) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    {"build": build, "run": run, "list": show, "alone": alone}[options.step](options)


main()
