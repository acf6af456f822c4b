#!/usr/bin/env python3
"""What recording costs on a GPU: each kernel of gpu_suite/ plain, instrumented but off, profiled, traced,
with one block in 64 traced, and beside them what else there is: a record of 72 bytes for each thread's access
(gpu_suite/per_thread), compute-sanitizer's memcheck, Nsight Compute reading the counters of the same metrics. In one run.

Kernels are of two kinds, each with its program and its table: those of suite.cu, most of which have a thread for each
element, and those of several.cu, the same with several elements a thread, on some ten times the elements (our own modes only).

Two steps, because the machine with the GPU may have neither our sources nor a compiler:
  build (here):        python3 bench/gpu_suite.py build --bin build/ci/bin --to DIR [--arch sm_90] [--recorder compiled]
  run   (on the GPU):  python3 DIR/gpu_suite.py run --in DIR [--kind element|several] [--large] [KERNEL…]
`run` prints a Markdown table of kernel times and ratios for each kind, with their geometric means. Every result must equal
the plain program's, every trace must validate, no record may be missing, and the profile's sums must be those of
the trace's records: exit status 1 otherwise. Every program has a time limit. Tools that are not there are left out.
"""
import argparse
import math
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT_S = 120
KINDS = {"element": "suite", "several": "several"}  # their programs
TITLES = {"element": "One element a thread", "several": "Several elements a thread"}
POOL = {"several": "4G"}  # a launch's records in device memory; the default holds those of the others
SUMS = ("requests", "thread_accesses", "bytes", "sectors", "ideal_sectors", "useful_bytes", "wavefronts",
        "ideal_wavefronts", "bank_conflicts", "sector_requests", "wavefront_requests")
# Two of its kernels have loops that lanes leave one by one. Where the recorder is compiled in the file lanes of such a warp can stay
# apart behind the loop in a trace, where long stretches are made by a part of it (docs/limitations.md), and for a moment in the loop;
# the profile has the hardware's requests. The accesses are the same.
LEFT_APART = {("multiplySparse", "store"), ("walkTree", "store")}
MOMENTS_APART = {("multiplySparse", "load"): 0.01}  # this part of the requests at most
MANY_LAUNCHES = {"launch_storm", "bitonic_sort"}  # not under Nsight Compute: each takes it a tenth of a second
NCU_METRICS = ",".join("l1tex__" + name for name in (
    "t_requests_pipe_lsu_mem_global_op_ld.sum", "t_requests_pipe_lsu_mem_global_op_st.sum", "t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "t_sectors_pipe_lsu_mem_global_op_st.sum", "data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"))
NOT_IN_MEAN = {"launch_storm", "beyond_pool"}  # the host's time; as fast as the trace can be written


def build(options):
    sources = Path(__file__).resolve().parent / "gpu_suite"
    to = options.to
    to.mkdir(parents=True, exist_ok=True)
    beside = (Path(__file__).with_name("gpu_hardware.py"), sources / "known_differences",
              sources.parent.parent / "tests" / "gpu" / "ncu_compare.py")
    for file in (Path(__file__), *beside, options.bin / "cuinstrument"):
        shutil.copy(file, to)
    line = ["nvcc", "-O3", "-std=c++17", f"-arch={options.arch}"]
    for name in KINDS.values():
        source = sources / f"{name}.cu"
        subprocess.run([*line, source, "-o", to / f"{name}.plain"], check=True)
        subprocess.run([options.bin / "cuinstrument", "--strict", f"--recorder={options.recorder}", *line, source, "-o", to / f"{name}.cuda"],
                       check=True)
    with tempfile.TemporaryDirectory() as folder:
        rewritten = Path(folder) / "suite.cu"
        subprocess.run([options.bin / "cuinstrument-rewrite", "--separate", sources / "suite.cu", "-o", rewritten, "--", "-std=c++17"], check=True)
        subprocess.run([*line, "-I", sources / "per_thread", rewritten, "-o", to / "suite.per_thread"], check=True)
    (to / "recorder").write_text(options.recorder)


def times(program, environment, arguments, under=(), limit=LIMIT_S):
    """{kernel: (milliseconds, checksum)}"""
    done = subprocess.run([*under, program, *arguments], capture_output=True, text=True, timeout=limit,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"gpu_suite: {program.name}: exit status {done.returncode}: {done.stderr.strip()}")
    if done.stderr and not under:
        print(done.stderr.strip(), file=sys.stderr)
    rows = [line.split(",") for line in done.stdout.split("\n") if line.count(",") == 2 and line[0] not in "=\""]
    return {name: (float(ms), checksum) for name, ms, checksum in rows}


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def sustained(folder):
    """A launch with four times as many records as the pool holds: from the program's start to its closed trace."""
    trace = folder / "sustained.trace.db"
    begin = time.monotonic()
    times(folder / "suite.cuda", {"CUINSTRUMENT_DB": str(trace)}, ["sustained"])
    seconds = time.monotonic() - begin
    with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
        accesses, = db.execute("SELECT sum(thread_accesses) FROM site_metric").fetchone()
        lost = db.execute("SELECT name, value FROM trace_stat WHERE severity <> 'info'").fetchall()
        info = db.execute("SELECT name, value FROM trace_stat").fetchall()
    print(f"\nSustained: {accesses:,} thread accesses in {seconds:.2f} s, {accesses / seconds / 1e9:.2f} billion a second; "
          f"the trace has {trace.stat().st_size / 1e6:.0f} MB. {info}")
    return [f"sustained: {lost}"] if lost else []


def storm(folder):
    """100,000 small launches that the program waits for once, in each mode, in turns."""
    count, runs, wrong, found = 100_000, 3, [], {}
    modes = {"plain": {}, "off": {"CUINSTRUMENT": "off"}, "profiled": {"CUINSTRUMENT_MODE": "profile"}, "traced": {}}
    for _ in range(runs):
        for mode, environment in modes.items():
            trace = folder / f"storm.{mode}.db"
            result = times(folder / ("suite.plain" if mode == "plain" else "suite.cuda"), {**environment, "CUINSTRUMENT_DB": str(trace)}, ["storm"])
            found.setdefault(mode, []).append([result[when][0] * 1000 / count for when in ("made", "done")])
            if mode not in ("profiled", "traced"):
                continue
            with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
                if db.execute("SELECT count(*), min(requests), max(requests) FROM site_metric").fetchone() != (3 * (count + 1), 4, 4):
                    wrong.append(f"storm: {mode}: not what each launch does")
                wrong += [f"storm: {mode}: {row}" for row in db.execute("SELECT name, value FROM trace_stat WHERE severity <> 'info' OR name = 'counters_incomplete'")]
    middle = {mode: [sorted(column)[runs // 2] for column in zip(*rows)] for mode, rows in found.items()}
    print(f"\n{count:,} small launches, µs each until the loop ends, and until they are done (medians of {runs}): "
          + ", ".join(f"{mode} {made:.1f}, {done:.1f}" for mode, (made, done) in middle.items())
          + "; added until done: " + ", ".join(f"{mode} {middle[mode][1] - middle['plain'][1]:.1f}" for mode in modes if mode != "plain"))
    return wrong


def sums(trace, linked):
    """{(launch, site): its sums, and what part of its requests may be more}; of its addresses how far they reach."""
    with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
        rows = db.execute(f"SELECT launch_id, site_id, {', '.join('m.' + name for name in SUMS)}, max_address - min_address, function, kind "
                          "FROM site_metric m JOIN site USING (site_id)")
        return {row[:2]: (row[2:-2], 0 if linked else MOMENTS_APART.get(row[-2:], 0)) for row in rows if linked or row[-2:] not in LEFT_APART}


def agree(traced, profiled):
    """The trace's sums and the profile's, of one site."""
    if traced is None or profiled is None:
        return False
    (ours, part), (theirs, _) = traced, profiled
    return ours == theirs or (ours[1:3] == theirs[1:3] and theirs[0] <= ours[0] <= theirs[0] * (1 + part))


def differences(trace, profile, linked):
    """What a profile has otherwise than the trace of the same program."""
    traced, profiled = sums(trace, linked), sums(profile, linked)
    return [f"launch {key[0]}, site {key[1]}: profile {profiled.get(key)}, trace {traced.get(key)}"
            for key in sorted({*traced, *profiled}) if not agree(traced.get(key), profiled.get(key))]


def measure(options, kind, folder):
    """One kind's kernels, as a table; what is wrong, or None if it has none of those asked for."""
    program = KINDS[kind]
    trace, profile, sample = (folder / f"{program}.{name}.db" for name in ("trace", "profile", "sample"))
    wrong = []
    arguments = ["large", *options.kernel] if options.large else options.kernel
    limit = 3 * LIMIT_S if options.large else LIMIT_S
    begin = time.monotonic()
    plain = times(folder / f"{program}.plain", {}, arguments, limit=limit)
    if not plain:
        return None
    pool = "8G" if options.large else POOL.get(kind)
    modes = {"off": {"CUINSTRUMENT": "off"},
             "profiled": {"CUINSTRUMENT_DB": str(profile), "CUINSTRUMENT_MODE": "profile"},
             "traced": {"CUINSTRUMENT_DB": str(trace), **({"CUINSTRUMENT_POOL": pool} if pool else {})},
             "1 block in 64": {"CUINSTRUMENT_DB": str(sample), "CUINSTRUMENT_SAMPLE_BLOCKS": "64"}}
    results = {mode: times(folder / f"{program}.cuda", environment, arguments, limit=limit) for mode, environment in modes.items()}
    others = kind == "element" and not options.large
    if others:
        results["72 bytes a thread"] = times(folder / "suite.per_thread", {}, options.kernel)
    few = [name for name in options.kernel or plain if name not in MANY_LAUNCHES]
    others = others and bool(few)
    if others and shutil.which("compute-sanitizer"):
        results["memcheck"] = times(folder / "suite.plain", {}, few, ["compute-sanitizer"])
    if others and shutil.which("ncu"):
        results["Nsight Compute"] = times(folder / "suite.plain", {}, few,
                                          ["ncu", "--clock-control", "none", "--csv", "--metrics", NCU_METRICS, "--log-file", os.devnull])
    print(f"\n{TITLES[kind]}:\n")
    print("| kernel | plain | " + " | ".join(results) + " |\n|" + "---|" * (2 + len(results)))
    for name, (ms, checksum) in plain.items():
        cells = []
        for mode, result in results.items():
            ratio = result[name][0] / ms if name in result else None
            cells.append("" if ratio is None else f"{ratio:.2f}×" if ratio < 100 else f"{ratio:,.0f}×")
            if name in result and result[name][1] != checksum:
                wrong.append(f"{name}: {mode}: another result than the plain program's")
        print(f"| {name} | {ms * 1000:.1f} µs | " + " | ".join(cells) + " |")
    names = [name for name in plain if name not in NOT_IN_MEAN]
    if names:
        means = [mean([result[name][0] / plain[name][0] for name in names if name in result]) for result in results.values()]
        print("| **geometric mean** | | " + " | ".join(f"**{ratio:.2f}×**" for ratio in means) + " |")
    if "launch_storm" in plain:
        added = {mode: (results[mode]["launch_storm"][0] - plain["launch_storm"][0]) / 10 for mode in modes}
        print(f"\nAdded to each of 10,000 small launches: off {added['off']:.2f} µs, profiled {added['profiled']:.2f} µs, traced {added['traced']:.2f} µs.")
    for made in (trace, profile):
        done = subprocess.run([folder / "cuinstrument", "validate", made], capture_output=True, text=True, timeout=limit)
        if done.returncode != 0:
            wrong.append(f"validate {made.name}: " + (done.stdout + done.stderr).strip()[:500])
    unequal = differences(trace, profile, (folder / "recorder").read_text() == "linked")
    if unequal:
        wrong.append(f"the profile differs from the trace in {len(unequal)} places, such as:\n  " + "\n  ".join(unequal[:20]))
    with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as db:
        requests, accesses = db.execute("SELECT sum(requests), sum(thread_accesses) FROM site_metric").fetchone()
        lost = db.execute("SELECT name, value FROM trace_stat WHERE severity <> 'info'").fetchall()
        ring = db.execute("SELECT name, value, detail FROM trace_stat WHERE severity = 'info'").fetchall()
    if lost:
        wrong.append(f"records are missing: {lost}")
    print(f"\n{requests:,} warp records, {accesses:,} thread accesses; the trace has {trace.stat().st_size / 1e6:.0f} MB. "
          f"{[(name, value) for name, value, _ in ring]} All of it took {time.monotonic() - begin:.0f} s.")
    return wrong


def run(options):
    folder = getattr(options, "in").resolve()
    kinds = ["element"] if options.large else [options.kind] if options.kind else list(KINDS)
    if options.kernel == ["storm"]:
        found = [storm(folder)]
    else:
        found = [lines for lines in (measure(options, kind, folder) for kind in kinds) if lines is not None]
    wrong = sum(found, []) if found else [f"no such kernel: {' '.join(options.kernel)}"]
    if not options.kernel and not options.large and "element" in kinds:
        wrong += storm(folder) + sustained(folder)
    for line in wrong:
        print("WRONG " + line)
    sys.exit(1 if wrong else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(required=True)
    step = steps.add_parser("build")
    step.add_argument("--bin", type=lambda p: Path(p).resolve(), required=True)
    step.add_argument("--to", type=lambda p: Path(p).resolve(), required=True)
    step.add_argument("--arch", default="sm_90")
    step.add_argument("--recorder", choices=("linked", "compiled"), default="linked")
    step.set_defaults(call=build)
    step = steps.add_parser("run")
    step.add_argument("--in", type=Path, required=True)
    step.add_argument("--kind", choices=KINDS, help="one kind's kernels only")
    step.add_argument("--large", action="store_true", help="sixteen times the elements of the first kind, without the second; only our own modes")
    step.add_argument("kernel", nargs="*", help="kernels' names; all without")
    step.set_defaults(call=run)
    options = parser.parse_args()
    options.call(options)


if __name__ == "__main__":
    main()
