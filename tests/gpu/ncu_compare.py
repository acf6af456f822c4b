#!/usr/bin/env python3
"""A trace's numbers beside the hardware counters that Nsight Compute read from the plain program, kernel by kernel.

  ncu_compare.py TRACE NCU_CSV [--model JSON] [--allow FILE]

NCU_CSV is what `ncu --csv --page raw --print-units base --metrics …` printed for the same program with the same
arguments (`ncu_compare.py --metrics` prints the list); JSON what `cuinstrument whatif TRACE --cache GPU --cold --format json`
printed. The k-th profiled launch of a kernel is held against the k-th recorded one, and the sums of each kernel are
compared: a cell shows one number where both are equal, else `trace / hardware (ratio)`.

FILE says which differences are known, one a line: `KERNEL METRIC PERCENT  # why`, where KERNEL or METRIC may be `*`; the first
line that fits counts. Counts differ by at most 0 % without one; hit rates, in percentage points, are judged only by a line.
Exit status: 1 if a kernel differs by more, 2 if the input cannot be compared.
"""
import argparse
import csv
import json
import re
import sqlite3
import sys
from collections import defaultdict
from pathlib import Path

L1 = "l1tex__"
LOADS, STORES, ATOMICS, COPIES = ("load", "rmw"), ("store", "rmw"), ("atomic",), ("copy",)
# name: the hardware's counters, summed; then the trace's column, and the kinds of accesses it is summed over. A
# read-modify-write of the source is a load and a store of the hardware.
COUNTS = {
    "load_requests": ([L1 + "t_requests_pipe_lsu_mem_global_op_ld.sum"], "sector_requests", LOADS),
    "load_sectors": ([L1 + "t_sectors_pipe_lsu_mem_global_op_ld.sum"], "sectors", LOADS),
    "store_requests": ([L1 + "t_requests_pipe_lsu_mem_global_op_st.sum"], "sector_requests", STORES),
    "store_sectors": ([L1 + "t_sectors_pipe_lsu_mem_global_op_st.sum"], "sectors", STORES),
    "atomic_requests": ([L1 + "t_requests_pipe_lsu_mem_global_op_atom.sum",
                         L1 + "t_requests_pipe_lsu_mem_global_op_red.sum"], "sector_requests", ATOMICS),
    "atomic_sectors": ([L1 + "t_sectors_pipe_lsu_mem_global_op_atom.sum",
                        L1 + "t_sectors_pipe_lsu_mem_global_op_red.sum"], "sectors", ATOMICS),
    "shared_load_wavefronts": ([L1 + "data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"], "wavefronts", LOADS),
    "shared_store_wavefronts": ([L1 + "data_pipe_lsu_wavefronts_mem_shared_op_st.sum"], "wavefronts", STORES),
    "shared_load_conflicts": ([L1 + "data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"], "bank_conflicts", LOADS),
    "shared_store_conflicts": ([L1 + "data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"], "bank_conflicts", STORES),
}
RATES = {"l1_hit_rate": L1 + "t_sector_hit_rate.pct", "l2_hit_rate": "lts__t_sector_hit_rate.pct"}
TRACE_COLUMNS = ("sector_requests", "sectors", "wavefronts", "bank_conflicts")
SCALED = re.compile(r"[KMGT]?(byte|sector|inst|request)s?$", re.IGNORECASE)


class Unusable(Exception):
    """The two cannot be compared, and why."""


def base_name(kernel):
    """`void ns::scale<float, (int)32>(float *, int)` -> `ns::scale`: instantiations of one template are one kernel."""
    kernel = re.sub(r"\((anonymous namespace|unnamed)\)::|<unnamed>::", "", kernel)
    depth, kept = 0, ""
    for letter in kernel:
        if letter == "(" and depth == 0:
            break
        depth -= letter == ">"
        if depth == 0:
            kept += letter if letter not in "<>" else ""
        depth += letter == "<"
    return kept.split()[-1] if kept.split() else kernel


def extents(text):
    """`(128, 1, 1)` -> (128, 1, 1)"""
    return tuple(int(number) for number in re.findall(r"\d+", text))


def number(text, unit, metric):
    if re.match(r"[KMGT]", unit) and SCALED.match(unit):
        raise Unusable(f"{metric} is in {unit}, rounded: run ncu with --print-units base")
    try:
        return float(text.replace(",", ""))
    except ValueError as error:
        raise Unusable(f"{metric} is '{text}': not a number; was the counter available?") from error


def read_hardware(path):
    """{kernel: [(grid, block, {metric: value})]} in launch order."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("==")]
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if begin is None:
        raise Unusable(f"{path} has no table of `ncu --csv --page raw`")
    rows = csv.DictReader(lines[begin:])
    if "Metric Name" in rows.fieldnames:
        raise Unusable(f"{path} is ncu's details page: add --page raw")
    wanted = {name for names, _, _ in COUNTS.values() for name in names} | set(RATES.values())
    present = [name for name in rows.fieldnames if name in wanted]
    if not present:
        raise Unusable(f"{path} has none of the metrics that are compared: see --metrics")
    kernels, units = defaultdict(list), None
    for row in rows:
        if units is None:
            units = row
            if row["ID"] == "":
                continue
            units = {name: "" for name in row}
        values = {name: number(row[name], units[name], name) for name in present}
        kernels[base_name(row["Kernel Name"])].append((extents(row["Grid Size"]), extents(row["Block Size"]), values))
    return kernels


def read_trace(path):
    """{kernel: [(grid, block, {(column, kind): value})]} in launch order."""
    kernels, launches = defaultdict(list), {}
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        for launch, kernel, *size in db.execute(
                "SELECT launch_id, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z FROM launch "
                "WHERE error = 0 ORDER BY launch_id"):
            launches[launch] = defaultdict(int)
            kernels[base_name(kernel)].append((tuple(size[:3]), tuple(size[3:]), launches[launch]))
        for launch, kind, *sums in db.execute(
                f"SELECT launch_id, kind, {', '.join(f'sum({c})' for c in TRACE_COLUMNS)} FROM site_metric "
                "JOIN site USING (site_id) WHERE space <> 'local' GROUP BY 1, 2"):
            for column, value in zip(TRACE_COLUMNS, sums):
                if launch in launches:
                    launches[launch][column, kind] += value
    return kernels


def read_model(path):
    """{kernel: {rate: percent}}"""
    if path is None:
        return {}
    text = json.loads(Path(path).read_text(encoding="utf-8"))
    if not text.get("kernels"):
        raise Unusable(f"{path} has no kernels: is it of `whatif --cache GPU --cold --format json`?")
    sums = defaultdict(lambda: defaultdict(int))
    for kernel in text["kernels"]:
        for key, value in kernel["before"].items():
            sums[base_name(kernel["kernel"])][key] += value
    rates = {}
    for kernel, s in sums.items():
        behind = s["sectors"] - s["l1_hit_sectors"]  # every store goes on to L2, and hits there
        rates[kernel] = {"l1_hit_rate": 100 * (s["l1_hit_sectors"] + s["l1_store_hit_sectors"]) / max(s["sectors"], 1),
                         "l2_hit_rate": 100 * (s["l2_hit_sectors"] + s["dram_store_sectors"]) / max(behind, 1)}
    return rates


def read_allowed(path):
    allowed = []
    for line in Path(path).read_text(encoding="utf-8").splitlines() if path else ():
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) != 3 or words[1] not in ("*", *COUNTS, *RATES) or not re.fullmatch(r"\d+(\.\d+)?", words[2]):
            raise Unusable(f"{path}: '{line}' is not KERNEL METRIC PERCENT")
        allowed.append((words[0], words[1], float(words[2])))
    return allowed


def tolerance(allowed, kernel, metric):
    return next((percent for k, m, percent in allowed if k in ("*", kernel) and m in ("*", metric)), None)


def paired(kernel, hardware, trace):
    """The recorded launches that meet the profiled ones; ncu may have been told to profile only the first."""
    if len(hardware) > len(trace):
        raise Unusable(f"{kernel}: {len(hardware)} launches profiled, {len(trace)} recorded")
    for nth, (profiled, recorded) in enumerate(zip(hardware, trace)):
        if profiled[:2] != recorded[:2]:
            raise Unusable(f"{kernel}, launch {nth + 1}: <<<{profiled[0]}, {profiled[1]}>>> profiled, "
                           f"<<<{recorded[0]}, {recorded[1]}>>> recorded")
    return trace[:len(hardware)]


def compare_kernel(kernel, hardware, trace, model):
    """{metric: (trace, hardware)}: None where one side has no number."""
    result = {}
    for metric, (names, column, kinds) in COUNTS.items():
        if all(name in hardware[0][2] for name in names):
            result[metric] = (sum(values[column, kind] for _, _, values in trace for kind in kinds),
                              sum(values[name] for _, _, values in hardware for name in names))
    for metric, name in RATES.items():
        if name in hardware[0][2]:
            # A rate of several launches: their mean. Launches of one kernel here differ little.
            result[metric] = (model.get(kernel, {}).get(metric), sum(v[name] for _, _, v in hardware) / len(hardware))
    return result


def cell(metric, pair):
    if pair is None:
        return ""
    mine, theirs = pair
    if metric in RATES:
        return f"{theirs:.1f} %" if mine is None else f"{mine:.1f} / {theirs:.1f} %"
    if mine == theirs:
        return f"{mine:,}"
    return f"**{mine:,} / {theirs:,.0f}** ({mine / theirs:.3f})" if theirs else f"**{mine:,} / 0**"


def differs(metric, pair, allowed):
    mine, theirs = pair
    if metric in RATES:
        return mine is not None and allowed is not None and abs(mine - theirs) > allowed
    return abs(mine - theirs) > (allowed or 0) / 100 * theirs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", nargs="?")
    parser.add_argument("ncu_csv", nargs="?")
    parser.add_argument("--model")
    parser.add_argument("--allow")
    parser.add_argument("--metrics", action="store_true", help="print what to give to ncu as --metrics")
    options = parser.parse_args()
    if options.metrics:
        print(",".join([name for names, _, _ in COUNTS.values() for name in names] + list(RATES.values())))
        return 0
    if not options.ncu_csv:
        parser.error("TRACE and NCU_CSV are needed")
    hardware, trace = read_hardware(options.ncu_csv), read_trace(options.trace)
    model, allowed = read_model(options.model), read_allowed(options.allow)
    results, notes, wrong = {}, [], []
    for kernel, profiled in hardware.items():
        if kernel not in trace:
            notes.append(f"{kernel}: profiled, not recorded")
            continue
        recorded = paired(kernel, profiled, trace[kernel])
        results[kernel] = compare_kernel(kernel, profiled, recorded, model)
        copies = sum(values["sector_requests", "copy"] for _, _, values in recorded)
        if copies:
            notes.append(f"{kernel}: {copies:,} requests copy structs, as loads or stores; they are in no column")
    notes += [f"{kernel}: recorded, not profiled" for kernel in trace if kernel not in hardware]
    if not results:
        raise Unusable(f"no kernel is in both: profiled {', '.join(hardware) or 'none'}; recorded {', '.join(trace) or 'none'}")
    metrics = [m for m in (*COUNTS, *RATES) if any(r.get(m) and any(r[m]) for r in results.values())]
    print(f"| kernel | launches | {' | '.join(m.replace('_', ' ') for m in metrics)} |\n|---|---|{'---|' * len(metrics)}")
    for kernel, result in results.items():
        print(f"| {kernel} | {len(hardware[kernel])} | {' | '.join(cell(m, result.get(m)) for m in metrics)} |")
        for metric, pair in result.items():
            if differs(metric, pair, tolerance(allowed, kernel, metric)):
                wrong.append(f"{kernel} {metric}: {pair[0]:,.0f} in the trace, {pair[1]:,.0f} in hardware")
    for line in [""] + notes + ["WRONG " + line for line in wrong]:
        print(line)
    equal = sum(pair[0] == pair[1] for result in results.values() for metric, pair in result.items() if metric in COUNTS)
    print(f"{equal} of {sum(m in COUNTS for r in results.values() for m in r)} counts of {len(results)} kernels are equal.")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Unusable, OSError, sqlite3.Error, json.JSONDecodeError) as failure:
        print(f"ncu_compare: {failure}", file=sys.stderr)
        sys.exit(2)
