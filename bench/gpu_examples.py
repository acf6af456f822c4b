#!/usr/bin/env python3
"""Every example, the programs of tests/e2e and the benchmark's kernels on few elements, on a real GPU: right answer, a trace that validates,
numbers of each site equal to the CPU backend's, and each warp's accesses at each site equal (warps.py).

Two steps, because the machine with the GPU may have neither our sources nor a compiler:
  build (here):        python3 bench/gpu_examples.py build --bin build/ci/bin --to DIR [--arch sm_90] [PROGRAM…]
  run   (on the GPU):  python3 DIR/gpu_examples.py run --in DIR [PROGRAM…]
`run` prints a Markdown table and exits 1 if any row is not as it must be. Every program has a time limit.
"""
import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import warps

COLUMNS = ("requests", "thread_accesses", "sectors", "ideal_sectors", "wavefronts", "bank_conflicts")
LIMIT_S = 60
WITH_VALUES = {"values", "waste"}
LEFT_OUT = {"errors", "endings",  # fail on purpose
            "cub_old_names",  # CUB 3 has them no more
            "numbers"}  # a stand-in for a library's header, which is the CPU backend's only
# For nvcc.
FLAGS = {"driver": ["-lcuda"], "nested": ["-rdc=true"], "cub_ranges": ["--extended-lambda"], "launches": ["--expt-relaxed-constexpr"],
         "curand_host": ["-lcurand"], "library_names": ["-lcufft"]}
# For all compilers; {} is the folder of the programs.
HEADERS = {"containers": ["-isystem", "{}/library"], "forced": ["-include", "{}/forced.h"]}
# These want a toolkit's headers on the CPU backend, too.
OF_TOOLKIT = {"thrust", "curand", "library_names"}
# Textures are recorded on the CPU backend only.
# A thread of atomic_objects waits for another, and its lanes leave a loop of compare-and-swap one by one, those of latches a semaphore.
# Lanes leave loops of `loops` and of `several` apart; in `statements` they overwrite what others are about to read.
DIFFERENT = {"textures": 5, "atomic_objects": 2, "loops": 4, "statements": 11, "several": 10, "latches": 7}
# Spinning threads make a request more or less from run to run; nvcc unrolls a loop that lanes leave apart in other ways for a profile.
OTHER_PROFILE = {"atomic_objects", "latches", "loops"}
# Where warps do something else on a GPU: lanes' places depend on who comes first (atomic_objects, latches, statements, verdicts); a
# fault ends them (faults); another block's shared memory, or what was allocated when a kernel was launched from the device, is not
# told of (clusters, nested); one place has two names (shared_memory); textures are not recorded, functors in CUB's kernels are.
OTHER_WARPS = {"atomic_objects", "clusters", "cub_ranges", "faults", "latches", "nested", "shared_memory", "statements", "textures", "verdicts"}
# Sites of these functors.
ON_GPU_ONLY = {"cub_ranges": 3}
# Of the benchmark, which has other arguments for more.
SUITES = ("suite", "several")


def examples(root):
    for folder in sorted((root / "examples").iterdir()):
        sources = sorted(folder.glob("*.cu"))
        if sources and not folder.name.startswith("integration"):
            yield folder.name, sources
    for source in sorted((root / "tests" / "e2e" / "programs").glob("*.cu")):
        if source.stem not in LEFT_OUT:
            yield source.stem, [source]
    for name in SUITES:
        yield name, [root / "bench" / "gpu_suite" / f"{name}.cu"]


def build(options):
    root = Path(__file__).resolve().parent.parent
    to = options.to
    to.mkdir(parents=True, exist_ok=True)
    for file in (Path(__file__), Path(warps.__file__)):
        shutil.copy(file, to)
    shutil.copy(options.bin / "cuinstrument", to)
    wrong = []
    for name, sources in examples(root):
        if options.program and name not in options.program:
            continue
        flags = ["--values"] if name in WITH_VALUES else []
        headers = [word.format(root / "tests" / "e2e" / "programs") for word in HEADERS.get(name, [])]
        toolkit = ["-I/usr/local/cuda/include"] if name in OF_TOOLKIT else []
        nvcc = ["nvcc", "-O3", "-std=c++17", f"-arch={options.arch}", *FLAGS.get(name, []), *headers]
        cuinstrument = [options.bin / "cuinstrument", *flags]
        lines = {"plain": nvcc, "cpu": [*cuinstrument, "cpu", "-O2", *headers, *toolkit], "cuda": [*cuinstrument, *nvcc]}
        if failed := next((kind for kind, line in lines.items() if subprocess.run([*line, "-o", to / f"{name}.{kind}", *sources]).returncode), None):
            message = f"{name}, which {'nvcc' if failed == 'plain' else f'cuinstrument {failed}'} does not build"
            print(message, file=sys.stderr)
            wrong.append(name)
            for kind in lines:
                (to / f"{name}.{kind}").unlink(missing_ok=True)
    print(f"built into {to}")
    if wrong:
        sys.exit(f"not built: {', '.join(wrong)}")


def metrics(trace):
    """Per site, summed over launches: the columns that must not depend on where the kernel ran."""
    sums = ", ".join(f"sum({c})" for c in COLUMNS)
    with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
        rows = db.execute(f"""SELECT function, line, "column", expression, site_id, {sums} FROM site_metric JOIN site USING (site_id)
                              GROUP BY site_id ORDER BY file, line, "column", site_id""").fetchall()
        records = db.execute("SELECT sum(requests) FROM site_metric").fetchone()[0]
        time = db.execute("SELECT sum(gpu_end_ns - gpu_begin_ns) FROM launch").fetchone()[0]
    return rows, records, time


def run(options):
    folder = getattr(options, "in").resolve()
    failed = False
    print("| example | answer | validate | sites | warp records | sites equal to CPU | warps equal to CPU | profile equal to trace | kernel time, instrumented |")
    print("|---|---|---|---|---|---|---|---|---|")
    for program in sorted(folder.glob("*.cuda")):
        name = program.stem
        if options.program and name not in options.program:
            continue
        traces, outputs, codes = {}, {}, {}
        for kind in ("plain", "cuda", "profile", "cpu"):
            traces[kind] = folder / f"{name}.{kind}.trace.db"
            traces[kind].unlink(missing_ok=True)
            environment = dict(os.environ, CUINSTRUMENT_DB=str(traces[kind]), CUINSTRUMENT_MODE="profile" if kind == "profile" else "trace",
                               CUINSTRUMENT_MATERIALIZE="100000000")
            words = [folder / f"{name}.{'cuda' if kind == 'profile' else kind}", *(["small"] if name in SUITES else [])]
            try:
                result = subprocess.run(words, env=environment, cwd=folder, capture_output=True,
                                        text=True, timeout=LIMIT_S)
                codes[kind], outputs[kind] = result.returncode, result.stdout
                if result.returncode or result.stderr:
                    print(f"{name}.{kind}: exit {result.returncode}: {result.stderr[-600:]}", file=sys.stderr)
            except subprocess.TimeoutExpired:
                codes[kind], outputs[kind] = "time-out", ""
        validate = subprocess.run([folder / "cuinstrument", "validate", traces["cuda"]], capture_output=True, text=True)
        if validate.returncode:
            print(f"{name}: validate: {validate.stdout[-1500:]}{validate.stderr[-500:]}", file=sys.stderr)
        answer = codes["plain"] == codes["cuda"] == codes["profile"] == 0
        try:
            (gpu, records, time), (cpu, _, _) = metrics(traces["cuda"]), metrics(traces["cpu"])
            profile = metrics(traces["profile"])[0]
        except sqlite3.Error as error:
            print(f"{name}: {error}", file=sys.stderr)
            gpu, records, time, cpu, profile = [], 0, None, [()], []
        try:
            of_warps = warps.compare(traces["cuda"], traces["cpu"])
        except sqlite3.Error as error:
            print(f"{name}: warps: {error}", file=sys.stderr)
            of_warps = warps.Result()
        on_gpu = {g[:5]: g for g in gpu}
        pairs = [(on_gpu.get(c[:5]), c) for c in cpu]
        equal = sum(1 for g, c in pairs if g == c)
        same = len(pairs) - equal == DIFFERENT.get(name, 0) and len(gpu) <= len(cpu) + ON_GPU_ONLY.get(name, 0) and len(gpu) > 0
        for g, c in pairs:
            if g is not None and g != c:
                print(f"{name}: {g[1]}:{g[2]} {g[3]}\n  gpu {dict(zip(COLUMNS, g[5:]))}\n  cpu {dict(zip(COLUMNS, c[5:]))}", file=sys.stderr)
        for p, g in zip(profile, gpu):
            if p != g:
                print(f"{name}: {g[1]}:{g[2]} {g[3]}\n  profile {dict(zip(COLUMNS, p[5:]))}\n  trace {dict(zip(COLUMNS, g[5:]))}", file=sys.stderr)
        failed |= profile != gpu and name not in OTHER_PROFILE
        failed |= not (answer and same) or validate.returncode != 0
        per_site = {}
        for site, block, warp in of_warps.different:
            per_site.setdefault(site, []).append((block, warp))
        for site, found in per_site.items():
            where = next((f"{g[1]}:{g[2]} {g[3]}" for g in cpu if g[4] == site), site)
            print(f"{name}: {where}: {len(found)} warps did something else, such as (block, warp) {found[0]}", file=sys.stderr)
        failed |= (bool(of_warps.different) and name not in OTHER_WARPS) or of_warps.warps == 0
        warps_text = f"{of_warps.same + of_warps.same_lanes} of {of_warps.warps}" + (f", {of_warps.same_lanes} by lanes" if of_warps.same_lanes else "")
        time_text = f"{time / 1e6:.2f} ms" if time else "–"
        print(f"| {name} | {'right' if answer else codes} | {'passes' if validate.returncode == 0 else 'FAILS'} | {len(gpu)} | "
              f"{records} | {equal} of {len(cpu)} | {warps_text} | {'yes' if profile == gpu else 'NO'} | {time_text} |")
    sys.exit(1 if failed else 0)


arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
commands = arguments.add_subparsers(dest="command", required=True)
builder = commands.add_parser("build")
builder.add_argument("--bin", type=Path, required=True)
builder.add_argument("--to", type=Path, required=True)
builder.add_argument("--arch", default="sm_90")
runner = commands.add_parser("run")
runner.add_argument("--in", type=Path, required=True)
for each in (builder, runner):
    each.add_argument("program", nargs="*", help="these only")
options = arguments.parse_args()
{"build": build, "run": run}[options.command](options)
