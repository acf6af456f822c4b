#!/usr/bin/env python3
"""Relative links, the headings that they name, and file names in `code` that look like paths of this tree exist."""
import re
import subprocess
import sys
from pathlib import Path

root = Path(sys.argv[1])
tracked = subprocess.run(["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"],
                         capture_output=True, text=True, check=True).stdout.splitlines()


def anchors(page):
    """What a heading of this page is called in a link, as GitHub makes it."""
    names = {}
    for heading in re.findall(r"^#+ +(.*)$", re.sub(r"```.*?```", "", page.read_text(), flags=re.S), re.M):
        text = re.sub(r"[`*]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading))
        name = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        names[name] = names.get(name, -1) + 1
    return {name + (f"-{n}" if n else "") for name, last in names.items() for n in range(last + 1)}


pages = [p for p in tracked if p.endswith(".md")]
tops = {t.split("/")[0] for t in tracked if "/" in t}
found = []
for page in pages:
    if not (root / page).exists():
        continue
    text = re.sub(r"```.*?```", "", (root / page).read_text(), flags=re.S)
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]+))?[^)]*\)", re.sub(r"`[^`\n]*`", "``", text)):  # a lambda in code is no link
        file = (root / page).parent.joinpath(target) if target else root / page
        if "://" in target:
            continue
        if not file.exists():
            found.append(f"{page}: link to {target}, which does not exist")
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            found.append(f"{page}: link to {target}#{anchor}, a heading that does not exist")
    for path in re.findall(r"`([A-Za-z_.\-]+/[A-Za-z0-9_./\-]+)`", text):
        if path.split("/")[0] in tops and not re.search(r"[*<>]", path) and not (root / path).exists():
            found.append(f"{page}: names {path}, which does not exist")
print("\n".join(found))
sys.exit(1 if found else 0)
