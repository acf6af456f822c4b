"""What rewrite_time.py and compile_time.py share: their command line, and the time a command takes."""
import argparse
import resource
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def arguments(description, runs):
    """A parser; `files()` has what it leaves open. `runs`: how many there are if nobody says."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="folder of cuinstrument, with the include folder beside it")
    parser.add_argument("--line", default="-arch=sm_90", help="more words for nvcc: `--line=-rdc=true`; `--line=` for its default GPU")
    parser.add_argument("--runs", type=int, default=runs)
    parser.add_argument("files", nargs="*", type=Path)
    return parser


def files(options):
    """Those named, or the examples and the GPU's suite."""
    return options.files or [*sorted(p for p in (ROOT / "examples").glob("*/*.cu") if "integration" not in str(p)),
                             ROOT / "bench/gpu_suite/suite.cu"]


def measured(command, environment=None):
    """Seconds by the clock, and of processors, user and system, of the command and all that it starts."""
    begin, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    waited, end = time.monotonic() - clock, resource.getrusage(resource.RUSAGE_CHILDREN)
    return waited, end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
