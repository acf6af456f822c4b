#!/usr/bin/env python3
"""What an instrumented program does when its trace cannot be written, or when it does not end well.

Recording must never change the program: the same output and exit code, and one line on stderr that names
what is wrong. What was synchronised before the end must be readable with stock SQLite.

  behaviour.py <case> --program <programs/endings.cu, built> --bin <folder of cuinstrument> --work <folder>
"""
import argparse
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

LIMIT_S = 30
OUTPUT = "synchronized\ncorrect\n"


def fail(message):
    print(message)
    sys.exit(1)


def check(condition, message):
    if not condition:
        fail(message)


def environment(database):
    variables = {k: v for k, v in os.environ.items() if not k.startswith("CUINSTRUMENT")}
    variables["CUINSTRUMENT_FLUSH_MS"] = "0"  # every synchronisation commits, however soon after the one before
    return {**variables, "CUINSTRUMENT_DB": str(database)} if database else variables


def run(database, *arguments, prepare=None):
    return subprocess.run([options.program, *arguments], cwd=options.work, env=environment(database), text=True,
                          capture_output=True, timeout=LIMIT_S, preexec_fn=prepare)


def start_forever(database):
    """A program that is in the middle of its launches."""
    process = subprocess.Popen([options.program, "forever"], cwd=options.work, env=environment(database), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(process.stdout.readline() == "synchronized\n", "the program did not start")
    return process


def check_unrecorded(result, *named):
    """It ran as if not instrumented, and said why in one line."""
    check((result.returncode, result.stdout) == (0, OUTPUT), f"exit {result.returncode}: {result.stdout}{result.stderr}")
    lines = result.stderr.splitlines()
    check(len(lines) == 1 and all(str(n) in lines[0] for n in named), f"expected one line naming {named}: {lines}")


def check_partial(trace):
    """Readable without our tools, holds the first launch whole, and is not taken for complete."""
    with sqlite3.connect(trace) as db:
        # 2 blocks of one warp, 32 lanes each; later launches may be there too
        rows = db.execute("SELECT requests, thread_accesses FROM site_metric WHERE launch_id = 1").fetchall()
        check(rows == [(2, 64)], f"launch 1: {rows}")
        check(db.execute("SELECT count(*) FROM access WHERE launch_id = 1").fetchone() == (2,), "access rows")
        check(db.execute("PRAGMA integrity_check").fetchone() == ("ok",), "integrity")
    result = subprocess.run([options.bin / "cuinstrument", "validate", trace], capture_output=True, text=True)
    check(result.returncode == 1, f"validate: exit {result.returncode}: {result.stdout}{result.stderr}")


def default_name():
    """Without CUINSTRUMENT_DB the trace is <program>.<pid>.trace.db in the working directory."""
    process = subprocess.Popen([options.program], cwd=options.work, env=environment(None), stdout=subprocess.PIPE)
    process.communicate(timeout=LIMIT_S)
    expected = [f"{options.program.name}.{process.pid}.trace.db"]
    check(sorted(p.name for p in options.work.iterdir()) == expected, f"{list(options.work.iterdir())}")


def exit_code():
    """exit(3) stays 3, and the trace is complete."""
    result = run("trace.db", "three")
    check((result.returncode, result.stdout, result.stderr) == (3, "synchronized\n", ""), f"{result}")
    subprocess.run([options.bin / "cuinstrument", "validate", options.work / "trace.db"], check=True)


def no_directory():
    check_unrecorded(run(options.work / "missing" / "trace.db"), "missing/trace.db")


def read_only():
    """/proc cannot be written to, not even by root."""
    check_unrecorded(run("/proc/trace.db"), "/proc/trace.db")


def not_a_trace():
    """A file that is something else is left as it is."""
    (options.work / "notes.txt").write_text("mine\n" * 1000)
    check_unrecorded(run("notes.txt"), "notes.txt")
    check((options.work / "notes.txt").read_text() == "mine\n" * 1000, "the file was changed")


def full_device():
    check_unrecorded(run("/dev/full"), "/dev/full")


def disk_full():
    """The file may not grow beyond 64 KiB: what a full disk looks like to a writer."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))

    check_unrecorded(run("trace.db", prepare=limit), "trace.db")


def aborted():
    result = run("trace.db", "abort")
    check(result.returncode == -signal.SIGABRT and result.stdout == "synchronized\n", f"{result}")
    check_partial(options.work / "trace.db")


def quick_exit():
    """_exit() runs no handlers."""
    check(run("trace.db", "quick").returncode == 0, "exit code")
    check_partial(options.work / "trace.db")


def killed(number=signal.SIGKILL):
    process = start_forever("trace.db")
    process.send_signal(number)
    check(process.wait(LIMIT_S) == -number, f"exit {process.returncode}")
    check_partial(options.work / "trace.db")


def interrupted():
    """Ctrl-C ends the program by the signal, as ever."""
    killed(signal.SIGINT)


def terminated():
    killed(signal.SIGTERM)


def two_writers():
    """The second program on one name runs unrecorded; the first one's trace stays whole."""
    process = start_forever("trace.db")
    try:
        check_unrecorded(run("trace.db"), "trace.db", "another")
    finally:
        process.kill()
        process.wait()
    check_partial(options.work / "trace.db")


def overwritten():
    """A trace that nobody writes any more is replaced."""
    run("trace.db", "abort")
    result = run("trace.db")
    check((result.returncode, result.stdout, result.stderr) == (0, OUTPUT, ""), f"{result}")
    subprocess.run([options.bin / "cuinstrument", "validate", options.work / "trace.db"], check=True)


CASES = {f.__name__: f for f in (default_name, exit_code, no_directory, read_only, not_a_trace, full_device, disk_full,
                                 aborted, quick_exit, killed, interrupted, terminated, two_writers, overwritten)}

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("case", choices=CASES)
for name in ("program", "bin", "work"):
    arguments.add_argument("--" + name, type=Path, required=True)
options = arguments.parse_args()
shutil.rmtree(options.work, ignore_errors=True)
options.work.mkdir(parents=True)
CASES[options.case]()
