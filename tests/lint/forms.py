#!/usr/bin/env python3
"""tests/golden/FORMS.md: every case and program that it names exists, and every case is in it, once."""
import collections
import sys
from pathlib import Path

root = Path(sys.argv[1])
golden = {str(path.relative_to(root / "tests/golden").with_suffix("")) for path in (root / "tests/golden").glob("*/*.cu")}
programs = {path.stem for folder in ("tests/e2e/programs", "examples/*") for path in root.glob(f"{folder}/*.cu")}
programs |= {path.name for path in (root / "tests/e2e/cases").iterdir()}

found, named = [], collections.Counter()
for number, line in enumerate((root / "tests/golden/FORMS.md").read_text().splitlines(), 1):
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if not line.startswith("|") or cells[0] == "form" or set(cells[0]) == {"-"}:
        continue
    if len(cells) != 3:
        found.append(f"line {number}: {len(cells)} cells")
        continue
    named.update(cells[1].split())
    unknown = [name for name in cells[1].split() if name not in golden]
    if not cells[2].startswith("none: "):
        unknown += [name for name in cells[2].split() if name not in programs]
    found += [f"line {number}: there is no {name}" for name in unknown]
    if not cells[1] or not cells[2]:
        found.append(f"line {number}: no test")
found += [f"{name} is in no row" for name in sorted(golden - set(named))]
found += [f"{name} is in {count} rows" for name, count in sorted(named.items()) if count > 1]
print("\n".join(found))
sys.exit(1 if found else 0)
