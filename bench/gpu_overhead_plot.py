#!/usr/bin/env python3
"""Draws the table that gpu_suite.py prints: ratios to the plain kernel, on a logarithmic scale.

  gpu_overhead_plot.py TABLE.md OUT.svg [N]      (the N-th table with a column `traced` counts, else the first)
"""
import math
import re
import sys
from pathlib import Path

COLORS = {"off": "#9aa0a6", "profiled": "#188038", "traced": "#1a73e8", "72 bytes a thread": "#d93025"}
LEFT, WIDTH, BAR, GAP, TOP = 150, 560, 5, 6, 40
LOW, HIGH = 0.4, 512


def table(text, number):
    """{kernel: {column: ratio}}"""
    lines = iter(text.splitlines())
    for _ in range(number):
        header = next(line for line in lines if line.startswith("| kernel |") and "traced" in line)
    names = [cell.strip() for cell in header.strip("|").split("|")]
    next(lines)
    rows = {}
    for line in lines:
        if not line.startswith("|"):
            break
        cells = [cell.strip(" *") for cell in line.strip("|").split("|")]
        rows[cells[0]] = {name: float(cell[:-1]) for name, cell in zip(names, cells) if re.fullmatch(r"[\d.]+×", cell)}
    return rows


def x(ratio):
    return LEFT + WIDTH * math.log(ratio / LOW) / math.log(HIGH / LOW)


def main():
    source, target = map(Path, sys.argv[1:3])
    rows = table(source.read_text(), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    colors = {name: color for name, color in COLORS.items() if any(name in ratios for ratios in rows.values())}
    step = BAR * len(colors) + GAP
    height = TOP + step * len(rows) + 10
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{height}" font-family="sans-serif" '
           'font-size="11"><rect width="100%" height="100%" fill="white"/>']
    for i, (name, color) in enumerate(colors.items()):
        out.append(f'<rect x="{LEFT + 130 * i}" y="6" width="10" height="10" fill="{color}"/>'
                   f'<text x="{LEFT + 130 * i + 14}" y="15">{name}</text>')
    for tick in (0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256):
        out.append(f'<line x1="{x(tick):.1f}" y1="{TOP - 6}" x2="{x(tick):.1f}" y2="{height - 6}" '
                   f'stroke="{"#5f6368" if tick == 1 else "#dadce0"}"/><text x="{x(tick):.1f}" y="{TOP - 9}" '
                   f'text-anchor="middle">{tick}×</text>')
    for i, (kernel, ratios) in enumerate(rows.items()):
        y = TOP + step * i
        out.append(f'<text x="{LEFT - 6}" y="{y + 12}" text-anchor="end">{kernel}</text>')
        for j, (name, color) in enumerate(colors.items()):
            begin, end = sorted((x(1), x(ratios.get(name, 1))))
            out.append(f'<rect x="{begin:.1f}" y="{y + BAR * j}" width="{max(end - begin, 0.5):.1f}" height="{BAR - 1}" '
                       f'fill="{color}"/>')
    target.write_text("\n".join(out) + "\n</svg>\n")


if __name__ == "__main__":
    main()
