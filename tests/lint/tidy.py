#!/usr/bin/env python3
"""clang-tidy over the parts that do not include Clang's own headers (those take minutes a file)."""
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

tidy, root, build = sys.argv[1:4]
parts = ("hostlib/", "db/", "cli/", "rewriter/edit/", "rewriter/sites/", "devlib/cpu/", "devlib/cuda/")
commands = json.loads((Path(build) / "compile_commands.json").read_text())


def ours(file):
    return Path(file).is_relative_to(root) and str(Path(file).relative_to(root)).startswith(parts)


# Most is compiled in batches (cmake/CuiOptions.cmake), of which each includes some of our files.
files = {c["file"] for c in commands if ours(c["file"])}
# Each file once: not by the targets that compile the same again. The static analyzer looks at no file that another
# includes, and would take most of the time if it were told to look at those of db/ and hostlib/; the others' are looked
# at one by one, compiled as their batch.
seen, batches, apart = set(files), set(), []
for command in sorted(commands, key=lambda c: c["file"]):
    file = command["file"]
    if not Path(file).name.startswith("unity_"):
        continue
    own = {f for f in re.findall(r'^#include "(.*)"$', Path(file).read_text(), re.M) if ours(f)} - seen
    if any(str(Path(f).relative_to(root)).startswith(("hostlib/", "db/")) for f in own):
        batches.add(file)
    else:
        apart += [{**command, "file": f, "command": command["command"].replace(file, f)} for f in own]
        files |= own
    seen |= own
listed = subprocess.run(["git", "-C", root, "ls-files", "*.cpp"], capture_output=True, text=True, check=True).stdout.split()
missing = sorted(f for f in listed if f.startswith(parts) and str(Path(root) / f) not in seen)
assert files and not missing, f"neither in compile_commands.json nor in a batch of it: {missing}"


# A tenth of the paths that the static analyzer would follow in a function: it takes a third of the time.
EXTRA = [f"--extra-arg={a}" for a in ("-Wno-unknown-warning-option", "-Xclang", "-analyzer-config", "-Xclang", "max-nodes=20000")]
OF_BATCHES = ["--checks=-clang-analyzer-*,-bugprone-suspicious-include", f"--config-file={root}/.clang-tidy"]


def check(file):
    run = subprocess.run([tidy, "-p", database, "--quiet", *EXTRA, *(OF_BATCHES if file in batches else []), file],
                         capture_output=True, text=True)
    return run.stdout if run.returncode else ""


with tempfile.TemporaryDirectory() as database, ThreadPoolExecutor(2) as pool:
    (Path(database) / "compile_commands.json").write_text(json.dumps(commands + apart))
    # What takes long first, so that it is not left alone at the end.
    failures = [f for f in pool.map(check, sorted(batches) + sorted(files)) if f]
print("\n".join(failures)[:20000])
sys.exit(1 if failures else 0)
