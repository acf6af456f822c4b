#!/usr/bin/env python3
"""Relative links and file names in `code` that look like paths of this tree exist."""
import re
import subprocess
import sys
from pathlib import Path

root = Path(sys.argv[1])
tracked = subprocess.run(["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"],
                         capture_output=True, text=True, check=True).stdout.splitlines()
pages = [p for p in tracked if p.endswith(".md")]
tops = {t.split("/")[0] for t in tracked if "/" in t}
found = []
for page in pages:
    if not (root / page).exists():
        continue
    text = re.sub(r"```.*?```", "", (root / page).read_text(), flags=re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", re.sub(r"`[^`\n]*`", "``", text)):  # a lambda in code is no link
        if "://" not in target and not (root / page).parent.joinpath(target).exists():
            found.append(f"{page}: link to {target}, which does not exist")
    for path in re.findall(r"`([A-Za-z_.\-]+/[A-Za-z0-9_./\-]+)`", text):
        if path.split("/")[0] in tops and not re.search(r"[*<>]", path) and not (root / path).exists():
            found.append(f"{page}: names {path}, which does not exist")
print("\n".join(found))
sys.exit(1 if found else 0)
