#!/usr/bin/env python3
"""Every C++ file of ours is as clang-format leaves it. Goldens and CUDA test inputs keep their own shape."""
import re
import subprocess
import sys

formatter, root = sys.argv[1:3]
files = subprocess.run(["git", "-C", root, "ls-files", "*.h", "*.hpp", "*.cpp"],
                       capture_output=True, text=True, check=True).stdout.splitlines()
files = [f for f in files if not re.match(r"tests/(golden|e2e|cli|integration|gpu)/", f)]
assert len(files) > 20, "no sources found"
run = subprocess.run([formatter, "--dry-run", "-Werror", *files], cwd=root, capture_output=True, text=True)
bad = sorted({line.split(":")[0] for line in run.stderr.splitlines() if "error:" in line})
if bad:
    print(f"not formatted (run: {formatter} -i {' '.join(bad)})")
sys.exit(1 if bad or run.returncode else 0)
