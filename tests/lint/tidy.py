#!/usr/bin/env python3
"""clang-tidy over the parts that do not include Clang's own headers (those take minutes a file)."""
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

tidy, root, build = sys.argv[1:4]
parts = ("hostlib/", "db/", "cli/", "rewriter/edit/", "rewriter/sites/", "devlib/cpu/", "devlib/cuda/")
commands = json.loads((Path(build) / "compile_commands.json").read_text())


def ours(file):
    return Path(file).is_relative_to(root) and str(Path(file).relative_to(root)).startswith(parts)


# Most of db/ and hostlib/ is compiled in batches (cmake/CuiOptions.cmake), of which each includes some of our files.
files = {c["file"] for c in commands if ours(c["file"])}
# Each file once: not by the targets that compile the same again.
seen, batches = set(files), set()
for file in sorted({c["file"] for c in commands if Path(c["file"]).name.startswith("unity_")}):
    own = {f for f in re.findall(r'^#include "(.*)"$', Path(file).read_text(), re.M) if ours(f)}
    if own - seen:
        batches.add(file)
        seen |= own
listed = subprocess.run(["git", "-C", root, "ls-files", "*.cpp"], capture_output=True, text=True, check=True).stdout.split()
missing = sorted(f for f in listed if f.startswith(parts) and str(Path(root) / f) not in seen)
assert files and not missing, f"neither in compile_commands.json nor in a batch of it: {missing}"


# A tenth of the paths that the static analyzer would follow in a function: it takes a third of the time.
EXTRA = [f"--extra-arg={a}" for a in ("-Wno-unknown-warning-option", "-Xclang", "-analyzer-config", "-Xclang", "max-nodes=20000")]


# The analyzer looks at no file that another includes, and would take most of the time if it were told to.
OF_BATCHES = ["--checks=-clang-analyzer-*,-bugprone-suspicious-include", f"--config-file={root}/.clang-tidy"]


def check(file):
    run = subprocess.run([tidy, "-p", build, "--quiet", *EXTRA, *(OF_BATCHES if file in batches else []), file],
                         capture_output=True, text=True)
    return run.stdout if run.returncode else ""


with ThreadPoolExecutor(2) as pool:
    failures = [f for f in pool.map(check, sorted(files) + sorted(batches)) if f]
print("\n".join(failures)[:20000])
sys.exit(1 if failures else 0)
