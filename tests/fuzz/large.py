#!/usr/bin/env python3
"""Sources with thousands of accesses in one loop, one macro or one long file: rewriting takes time in proportion to the text.

  large.py --bin DIR

Each is rewritten within a bound of processor seconds that only work done anew for every access exceeds.
"""
import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

BOUND_S = 5
COUNT = 4000


def kernel(statements, before="", around="{}"):
    body = around.format("\n".join(statements))
    return f"{before}__global__ void kernel(float* a, float* b, int n, int k) {{\n  float s = 0;\n{body}\n  b[0] = s;\n}}\n"


def sources():
    yield "accesses of one loop", kernel([f"    s += a[k * 3 + {i}];" for i in range(COUNT)],
                                         around="  for (k = 0; k < n; ++k) {{\n{}\n  }}")
    yield "expansions of one macro", kernel([f"  s += AT({i});" for i in range(2 * COUNT)], "#define AT(i) a[k * 3 + i]\n")
    yield "accesses in a long file", kernel([f"  s += a[k * {i}];" for i in range(COUNT)], "// what it is about\n" * 200000)


def seconds(command, cwd):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in command], cwd=cwd, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=lambda p: Path(p).resolve(), required=True)
    options = parser.parse_args()
    failed = 0
    for name, text in sources():
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "large.cu").write_text(text)
            taken = seconds([options.bin / "cuinstrument-rewrite", "-o", "out.cu", "large.cu"], folder)
        print(f"{name}: {taken:.1f} s")
        failed += taken > BOUND_S
    sys.exit(1 if failed else 0)


main()
