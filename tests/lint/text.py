#!/usr/bin/env python3
"""Tracked text: no absolute paths of a developer's machine, no trailing blanks, a newline at the end."""
import re
import subprocess
import sys
from pathlib import Path

root = Path(sys.argv[1])
files = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
machine = re.compile(r"(^|[^A-Za-z0-9_./])/(work|farm)/")
found = []
for name in filter(None, files):
    path = root / name
    if not path.is_file() or path.is_symlink():
        continue
    data = path.read_bytes()
    if b"\0" in data or name == "LICENSE":
        continue
    text = data.decode("utf-8", errors="replace")
    verbatim = name.startswith("tests/golden/")  # inputs and expectations are kept byte for byte
    if text and not text.endswith("\n") and not verbatim:
        found.append(f"{name}: no newline at the end")
    for number, line in enumerate(text.split("\n"), 1):
        if machine.search(line) and not name.startswith("tests/lint/"):
            found.append(f"{name}:{number}: a machine's own path")
        if line != line.rstrip() and not verbatim and not name.endswith((".csv", ".txt")):
            found.append(f"{name}:{number}: trailing blanks")
print("\n".join(found[:50]))
sys.exit(1 if found else 0)
