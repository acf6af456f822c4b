#!/usr/bin/env python3
"""ncu_compare.py on small traces and counters written by hand: what it prints and how it ends.

  ncu_compare_test.py DB_SCHEMA_FOLDER
"""
import json
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().with_name("ncu_compare.py")
SCHEMA = []  # the migrations' text, in order
SITES = {"load": 1, "store": 2, "rmw": 3, "atomic": 4, "copy": 5}
NCU = {"ld": "load", "st": "store"}


def site_row(number, kind, space="global"):
    return (number, number, "k", "k.cu", number, 1, number, 2, kind, space, "float", 4, "a[i]", "a", "i",
            "instrumented", "", "", "", 0, None, None)


class NcuCompare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.trace, self.csv = self.folder / "trace.db", self.folder / "ncu.csv"

    def write_trace(self, launches):
        """launches: (kernel, grid_x, {kind: (requests, sectors, wavefronts, conflicts)})"""
        with sqlite3.connect(self.trace) as db:
            db.execute("PRAGMA synchronous = OFF")
            for text in SCHEMA:
                db.executescript(text)
            columns = db.execute("SELECT count(*) FROM pragma_table_info('site')").fetchone()[0]
            for kind, number in SITES.items():
                row = site_row(number, kind)
                db.execute(f"INSERT INTO site VALUES ({','.join('?' * columns)})", row)
            for launch, (kernel, grid, sums) in enumerate(launches, 1):
                db.execute("INSERT INTO launch (launch_id, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, "
                           "dynamic_shared_bytes, device_id, stream_id, host_begin_ns, caller, file, line, column) "
                           "VALUES (?, ?, ?, 1, 1, 64, 1, 1, 0, 0, 0, 0, 'main', 'k.cu', 1, 1)", (launch, kernel, grid))
                for kind, (requests, sectors, wavefronts, conflicts) in sums.items():
                    db.execute("INSERT INTO site_metric (launch_id, site_id, requests, thread_accesses, bytes, sectors, "
                               "ideal_sectors, wavefronts, ideal_wavefronts, bank_conflicts, min_address, max_address, "
                               "sector_requests, wavefront_requests, useful_bytes) "
                               "VALUES (?, ?, ?, 0, 0, ?, 0, ?, 0, ?, 0, 0, ?, ?, 0)",
                               (launch, SITES[kind], requests, sectors, wavefronts, conflicts,
                                0 if wavefronts else requests, requests if wavefronts else 0))
        db.close()

    def write_counters(self, launches, unit="sector", extra=()):
        """launches: (kernel, grid_x, load requests, load sectors, store requests, store sectors)"""
        metric = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
        names = [metric.format(what, op) for op in NCU for what in ("requests", "sectors")]
        head = ["ID", "Kernel Name", "Block Size", "Grid Size", *names, *(name for name, _ in extra)]
        rows = [head, ["", "", "", "", "", unit, "", unit, *("%" for _ in extra)]]
        for number, (kernel, grid, *values) in enumerate(launches):
            rows.append([str(number), kernel, "(64, 1, 1)", f"({grid}, 1, 1)",
                         *(f"{value:,}" for value in values), *(value for _, value in extra)])
        lines = [",".join(f'"{word}"' for word in row) for row in rows]
        self.csv.write_text("==PROF== Connected to process 7 (k)\n" + "\n".join(lines) + "\n", encoding="utf-8")

    def run_script(self, *arguments):
        done = subprocess.run([sys.executable, SCRIPT, self.trace, self.csv, *arguments], text=True, capture_output=True,
                              check=False)
        return done.returncode, done.stdout, done.stderr

    def test_equal_counts_of_two_instantiations_are_one_row(self):
        self.write_trace([("k<float, 32>", 2, {"load": (4, 16, 0, 0), "store": (4, 16, 0, 0)}),
                          ("k<double, 32>", 2, {"load": (4, 32, 0, 0), "store": (4, 2000, 0, 0)})])
        self.write_counters([("void k<float, (int)32>(const T1 *, T1 *)", 2, 4, 16, 4, 16),
                             ("void k<double, (int)32>(const T1 *, T1 *)", 2, 4, 32, 4, 2000)])
        code, out, err = self.run_script()
        self.assertIn("| k | 2 | 8 | 48 | 8 | 2,016 |", out)
        self.assertIn("4 of 4 counts of 1 kernels are equal.", out)
        self.assertEqual((code, err), (0, ""))

    def test_read_modify_write_is_a_load_and_a_store(self):
        self.write_trace([("k", 2, {"load": (4, 16, 0, 0), "rmw": (4, 32, 0, 0)})])
        self.write_counters([("k(float *)", 2, 8, 48, 4, 32)])
        self.assertEqual(self.run_script()[0], 0)

    def test_difference_fails_and_is_named(self):
        self.write_trace([("k", 2, {"load": (4, 16, 0, 0)})])
        self.write_counters([("k(float *)", 2, 4, 20, 0, 0)])
        code, out, _ = self.run_script()
        self.assertIn("| k | 1 | 4 | **16 / 20** (0.800) |", out)
        self.assertIn("WRONG k load_sectors: 16 in the trace, 20 in hardware", out)
        self.assertEqual(code, 1)

    def test_allowed_difference_passes_up_to_its_percent(self):
        self.write_trace([("k", 2, {"load": (4, 16, 0, 0)})])
        self.write_counters([("k(float *)", 2, 4, 20, 0, 0)])
        allow = self.folder / "allow"
        for percent, expected in (("20", 0), ("19.9", 1)):
            allow.write_text(f"# comment\nother * 50\nk load_sectors {percent}  # merged by the compiler\n")
            self.assertEqual(self.run_script("--allow", allow)[0], expected)
        allow.write_text("k load_sector 20\n")
        self.assertEqual(self.run_script("--allow", allow)[0], 2)

    def test_hit_rates_are_judged_by_a_line_only(self):
        self.write_trace([("k", 2, {"load": (4, 16, 0, 0)})])
        self.write_counters([("k(float *)", 2, 4, 16, 0, 0)],
                            extra=[("l1tex__t_sector_hit_rate.pct", "50"), ("lts__t_sector_hit_rate.pct", "30")])
        model, allow = self.folder / "model.json", self.folder / "allow"
        # 3 loads and 1 store of 16 sectors find theirs in L1: 25 %; of the 13 that go on, 5 hit L2 and 1 is stored: 46 %.
        sums = {"sectors": 16, "l1_hit_sectors": 3, "l1_store_hit_sectors": 1, "l2_hit_sectors": 5, "dram_sectors": 8,
                "dram_store_sectors": 1}
        model.write_text(json.dumps({"kernels": [{"kernel": "k", "launches": 1, "before": sums}]}))
        code, out, _ = self.run_script("--model", model)
        self.assertIn("| 25.0 / 50.0 % | 46.2 / 30.0 % |", out)
        self.assertEqual(code, 0)
        for points, expected in (("25", 0), ("24", 1)):
            allow.write_text(f"* l1_hit_rate {points}\n")
            self.assertEqual(self.run_script("--model", model, "--allow", allow)[0], expected)

    def test_struct_copies_are_named(self):
        self.write_trace([("k", 2, {"load": (4, 16, 0, 0), "copy": (3, 9, 0, 0)})])
        self.write_counters([("k(float *)", 2, 4, 16, 0, 0)])
        self.assertIn("k: 3 requests copy structs", self.run_script()[1])

    def test_what_cannot_be_compared_is_refused(self):
        trace = [("k", 2, {"load": (4, 16, 0, 0)})]
        self.write_trace(trace)
        for counters, unit, words in (([("k(int)", 3, 4, 16, 0, 0)], "sector", "launch 1: <<<(3, 1, 1), (64, 1, 1)>>> profiled"),
                                      ([("k(int)", 2, 4, 16, 0, 0)] * 2, "sector", "2 launches profiled, 1 recorded"),
                                      ([("other(int)", 2, 4, 16, 0, 0)], "sector", "no kernel is in both"),
                                      ([("k(int)", 2, 4, 16, 0, 0)], "Ksector", "--print-units base")):
            self.write_counters(counters, unit)
            code, _, err = self.run_script()
            self.assertEqual(code, 2)
            self.assertIn(words, err)
        self.csv.write_text("==ERROR== no counters\n")
        self.assertEqual(self.run_script()[0], 2)


if __name__ == "__main__":
    SCHEMA += [path.read_text(encoding="utf-8") for path in sorted(Path(sys.argv.pop(1)).glob("0*.sql"))]
    unittest.main()
