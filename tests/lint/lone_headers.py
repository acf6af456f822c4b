#!/usr/bin/env python3
"""Every public header of devlib stands alone (compiles as the only include) and with all others, as C++14 to 20."""
import re
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
# A header of a library that the CPU backend lacks says so by an #error; one that stands in front of a toolkit's begins
# with one for where there is none.
REFUSAL = re.compile(r'^#error[\s\\]+"cuinstrument: [^"]*\bCPU backend', re.M)


def stands_alone(text):
    return "#error" not in text[:400] and not REFUSAL.search(text)


headers = sorted(h for h in headers if not str(h).startswith(skip) and stands_alone((include / h).read_text()))
assert len(headers) > 3, "no headers found"


def check(job):
    names, compiler, standard = job
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
        source.writelines(f'#include "{name}"\n' for name in names)
        source.flush()
        run = subprocess.run([compiler, f"-std=c++{standard}", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                              f"-I{include}", f"-I{include}/cuinstrument/backend/cpu/toolkit", source.name],
                             capture_output=True, text=True)
    return "" if run.returncode == 0 else f"{names[0]} with {compiler} -std=c++{standard}:\n{run.stderr[:600]}"


with ThreadPoolExecutor(2) as pool:
    # Each header alone with one compiler; all of them together, in both orders, with the others.
    jobs = [([h], compilers[0], 17) for h in headers]
    jobs += [(order, c, s) for order in (headers, headers[::-1]) for c in compilers for s in (14, 17, 20)]
    failures = [f for f in pool.map(check, jobs) if f]
print("\n".join(failures))
sys.exit(1 if failures else 0)
