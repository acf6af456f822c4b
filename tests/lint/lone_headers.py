#!/usr/bin/env python3
"""Every public header of devlib stands alone: compiles as the only include, as C++14, 17 and 20."""
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

root, *compilers = sys.argv[1:]
include = Path(root) / "devlib/include"
# backend/cuda needs nvcc: the goldens compile it; device/ is reached only through instrument.h.
skip = ("cuinstrument/backend/cuda/", "cuinstrument/device/")
headers = [h.relative_to(include) for h in include.rglob("*.h")]
headers = sorted(h for h in headers if not str(h).startswith(skip))
assert len(headers) > 3, "no headers found"


def check(job):
    header, compiler, standard = job
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.write(f'#include "{header}"\n')
        source.flush()
        run = subprocess.run([compiler, f"-std=c++{standard}", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                              f"-I{include}", f"-I{include}/cuinstrument/backend/cpu/toolkit", source.name],
                             capture_output=True, text=True)
    return "" if run.returncode == 0 else f"{header} with {compiler} -std=c++{standard}:\n{run.stderr[:600]}"


with ThreadPoolExecutor(2) as pool:
    # Each header in each standard with the first compiler, in C++17 with the others.
    jobs = [(h, c, s) for h in headers for i, c in enumerate(compilers) for s in (14, 17, 20) if i == 0 or s == 17]
    failures = [f for f in pool.map(check, jobs) if f]
print("\n".join(failures))
sys.exit(1 if failures else 0)
