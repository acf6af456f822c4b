#!/usr/bin/env python3
"""What a kernel keeps in registers stays there when it is instrumented: registers.py CUINSTRUMENT SOURCE KERNEL.

An access that takes the address of such an array would force it into local memory, and a kernel whose loops are
unrolled over it would take nvcc ten times as long. So the instrumented kernel's PTX may not have local memory of its own;
it must have it where private arrays are recorded on purpose, or this test would show nothing.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

cuinstrument, source, kernel = sys.argv[1:]


def body(flags):
    with tempfile.TemporaryDirectory() as scratch:
        ptx = Path(scratch) / "out.ptx"
        subprocess.run([cuinstrument, "--strict", "nvcc", "-std=c++17", "-O3", "-arch=sm_90", *flags, "-ptx", source,
                        "-o", ptx], check=True)
        return re.search(rf"\.entry \w*{kernel}\w*\(.*?^}}", ptx.read_text(), re.S | re.M).group()


failures = []
recorded = body([])
if "call" not in recorded:
    failures.append("records nothing")
if "__local_depot" in recorded:
    failures.append("has arrays in local memory")
if "__local_depot" not in body(["-DCUI_LOCAL_ARRAYS"]):
    failures.append("has no arrays in local memory where they are recorded: the kernel is no test of that")
for failure in failures:
    print(f"{kernel} {failure}")
sys.exit(1 if failures else 0)
