#!/usr/bin/env python3
"""Instrumented programs beside other tools: in cuda-gdb, as clients of the Multi-Process Service, under each of
compute-sanitizer's tools, and under Nsight Compute.

  tools.py --recorder PATH --program PATH --cuinstrument PATH [CASE…]

--recorder: gpu_recorder, --program: bench/gpu_suite/several.cu, built with `cuinstrument nvcc` (everything.py builds both).

Prints one line per case; one whose tool is not there or does not start is NOT RUN. Exits 1 if anything is not as it must be,
77 if nothing was run.
"""
import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

MANY = 204800  # accesses of the program `many`
LIMIT_S = 240  # initcheck takes 110 s by itself


class Wrong(Exception):
    pass


class NotRun(Exception):
    pass


def expect(what, actual, expected):
    if actual != expected:
        raise Wrong(f"{what}: {actual!r}, expected {expected!r}")


def environment(trace, **more):
    return {**os.environ, "CUINSTRUMENT_DB": str(trace), **more}


def check_trace(trace, requests, options):
    with closing(sqlite3.connect(f"file:{trace}?mode=ro", uri=True)) as db:
        expect("requests", db.execute("SELECT sum(requests) FROM site_metric").fetchone()[0], requests)
    done = subprocess.run([options.cuinstrument, "validate", trace], capture_output=True, text=True, timeout=LIMIT_S)
    expect("validate", (done.returncode, done.stdout + done.stderr if done.returncode else ""), (0, ""))


def debugged(options, directory, program, *commands):
    if not shutil.which("cuda-gdb"):
        raise NotRun("no cuda-gdb")
    trace = directory / "gdb.db"
    words = [word for command in commands for word in ("-ex", command)]
    done = subprocess.run(["cuda-gdb", "-batch", *words, "--args", options.recorder, program], capture_output=True, text=True,
                          env=environment(trace), timeout=LIMIT_S)
    return trace, done.stdout + done.stderr


def cuda_gdb(options, directory):
    """From beginning to end."""
    trace, output = debugged(options, directory, "many", "run")
    if "exited normally" not in output:
        raise Wrong(output[-500:])
    check_trace(trace, MANY, options)


def cuda_gdb_break(options, directory):
    """Stopped where each kernel begins, the recorder's own few and then the program's, and gone on each time; commands that are left
    over when the program has ended do nothing."""
    trace, output = debugged(options, directory, "affine", "set cuda break_on_launch application", "run", *("bt", "continue") * 20)
    if "exited normally" not in output:
        raise Wrong(output[-500:])
    stopped = [line for line in output.splitlines() if line.startswith("#0") and "affine" in line]
    if not stopped:
        raise Wrong("not stopped in the kernel: " + output[-500:])
    check_trace(trace, 4, options)


def mps(options, directory):
    """Two programs at once share the device: each trace has its own program's accesses, all of them."""
    if not shutil.which("nvidia-cuda-mps-control"):
        raise NotRun("no nvidia-cuda-mps-control")
    pipes = {"CUDA_MPS_PIPE_DIRECTORY": str(directory / "pipes"), "CUDA_MPS_LOG_DIRECTORY": str(directory / "logs")}
    for folder in pipes.values():
        os.mkdir(folder)
    started = subprocess.run(["nvidia-cuda-mps-control", "-d"], env={**os.environ, **pipes}, capture_output=True, text=True, timeout=LIMIT_S)
    if started.returncode != 0:
        raise NotRun("the service does not start: " + (started.stdout + started.stderr).strip())

    def ask(command):
        return subprocess.run(["nvidia-cuda-mps-control"], input=command + "\n", env={**os.environ, **pipes}, capture_output=True, text=True,
                              timeout=LIMIT_S).stdout

    traces = [directory / f"mps{i}.db" for i in range(2)]
    programs = []
    try:
        programs = [subprocess.Popen([options.recorder, "many"], env=environment(trace, **pipes), stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True) for trace in traces]
        outputs = [program.communicate(timeout=LIMIT_S)[0].strip() for program in programs]
        servers = ask("get_server_list").split()
    finally:
        for program in programs:
            program.kill()
        ask("quit -t 5")
    if not servers:
        raise NotRun("the service has no server: " + " ".join(outputs))
    for program, output, trace in zip(programs, outputs, traces):
        expect("program", (program.returncode, output), (0, ""))
        check_trace(trace, MANY, options)


def suite(options, under, **more):
    """The suite's kernels on few elements: what it printed, but for the times."""
    done = subprocess.run([*under, options.program, "small"], capture_output=True, text=True, timeout=LIMIT_S, env={**os.environ, **more})
    results = [line.split(",") for line in done.stdout.splitlines() if line.count(",") == 2]
    if done.returncode != 0 or len(results) < 20:
        raise Wrong(f"exit status {done.returncode}: {(done.stdout + done.stderr)[-1500:]}")
    return [(name, checksum) for name, _, checksum in results]


def sanitized(tool):
    """Nothing to report of the recorder, in any mode, and the same results."""
    def case(options, directory):
        if not shutil.which("compute-sanitizer"):
            raise NotRun("no compute-sanitizer")
        plain = suite(options, [], CUINSTRUMENT="off")
        for name, more in MODES.items():
            under = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9"]
            try:
                expect(name, suite(options, under, CUINSTRUMENT_DB=str(directory / f"{name}.db"), **more), plain)
            except Wrong as error:
                raise Wrong(f"{name}: {error}") from error
    case.__name__ = tool
    return case


def ncu(options, directory):
    """Which runs each kernel several times over: nothing is recorded unless asked for, which is said; results are the same."""
    if not shutil.which("ncu"):
        raise NotRun("no ncu")
    under = ["ncu", "--clock-control", "none", "--set", "full", "--kernel-name", "regex:stencil|scan", "--launch-count", "4", "--log-file", os.devnull]
    trace, asked = directory / "ncu.db", directory / "asked.db"
    plain = suite(options, [], CUINSTRUMENT="off")
    expect("results", suite(options, under, CUINSTRUMENT_DB=str(trace)), plain)
    expect("a trace", trace.exists(), False)
    expect("results where it is asked for", suite(options, under, CUINSTRUMENT_DB=str(asked), CUINSTRUMENT="on"), plain)
    expect("a trace where it is asked for", asked.exists(), True)


MODES = {"profile": {"CUINSTRUMENT_MODE": "profile"}, "trace": {}, "sample": {"CUINSTRUMENT_SAMPLE_BLOCKS": "4"}}
CASES = [cuda_gdb, cuda_gdb_break, mps, *map(sanitized, ("memcheck", "racecheck", "initcheck", "synccheck")), ncu]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recorder", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--program", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("--cuinstrument", required=True, type=lambda p: Path(p).resolve())
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    ran = wrong = 0
    for case in CASES:
        if options.cases and case.__name__ not in options.cases:
            continue
        begin = time.monotonic()
        try:
            with tempfile.TemporaryDirectory() as directory:
                case(options, Path(directory))
            ran += 1
            print(f"ok      {case.__name__} ({time.monotonic() - begin:.1f} s)")
        except NotRun as why:
            print(f"NOT RUN {case.__name__}: {why}")
        except (Wrong, subprocess.TimeoutExpired) as error:
            ran += 1
            wrong += 1
            print(f"WRONG   {case.__name__}: {error}")
    sys.exit(1 if wrong else 0 if ran else 77)


main()
