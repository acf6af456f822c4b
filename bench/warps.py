"""Two traces of one program, of a GPU and of the CPU backend, say: whether each warp did the same at each site.

`compare(one, other)` counts what each warp did at each site in each launch: where its records are the same, in their order; where its lanes
accessed the same bytes as often, though their requests were made up otherwise; and the others. Addresses are counted from where the
allocation or the shared variable begins. Sites are the same in both; launches need not be in the same order, as a graph's runs are told of as
they come. The traces must hold their accesses as tables (CUINSTRUMENT_MATERIALIZE).
"""
import sqlite3
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field

COLUMNS = "launch_id, sequence, site_id, block_x, block_y, block_z, warp, active_mask, address, stride, bytes, space, first_lane"


@dataclass
class Result:
    same: int = 0
    same_lanes: int = 0
    different: list = field(default_factory=list)  # (site, block, warp)

    @property
    def warps(self):
        return self.same + self.same_lanes + len(self.different)


class Trace:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.places = {}  # of a launch: where each live allocation begins, and ends
        self.variables = defaultdict(list)  # of a launch: its shared variables' address, bytes and name
        for launch, *variable in self.db.execute("SELECT launch_id, l.address, l.bytes, v.name FROM launch_shared_variable l "
                                                 "JOIN shared_variable v USING (shared_variable_id) ORDER BY 1, 2, 4"):
            self.variables[launch].append(variable)

    def rows(self, where="1"):
        """In their order, each with its lanes' addresses, where it has no stride."""
        details = self.db.execute("SELECT launch_id, sequence, lane, address FROM access_lane_detail ORDER BY 1, 2, 3")
        detail = next(details, None)
        for row in self.db.execute(f"SELECT {COLUMNS} FROM access WHERE {where} ORDER BY launch_id, sequence"):
            while detail and detail[:2] < row[:2]:
                detail = next(details, None)
            addresses = {}
            while detail and detail[:2] == row[:2]:
                addresses[detail[2]] = detail[3]
                detail = next(details, None)
            yield row, addresses

    def allocations(self, launch):
        if launch not in self.places:
            rows = self.db.execute(
                "SELECT m.address, m.address + m.bytes FROM allocation m JOIN launch l ON m.allocated_ns <= l.host_begin_ns "
                "AND ifnull(m.freed_ns, l.host_begin_ns) >= l.host_begin_ns WHERE l.launch_id = ? AND m.space <> 'shared' ORDER BY 1", (launch,)).fetchall()
            self.places[launch] = [begin for begin, _ in rows], [end for _, end in rows]
        return self.places[launch]

    def placed(self, launch, space, address):
        """Counted from what it is in; an allocation's size says which."""
        if space == "shared":
            for begin, size, name in self.variables[launch]:
                if begin <= address < begin + size:
                    return name, address - begin
            return "", address
        begins, ends = self.allocations(launch)
        at = bisect_right(begins, address) - 1
        return (ends[at] - begins[at], address - begins[at]) if at >= 0 and address < ends[at] else (0, address)

    def lanes(self, row, addresses):
        """(lane, place) of each lane that came."""
        launch, _, _, _, _, _, _, mask, address, stride, _, space, first = row
        for lane in range(32):
            if mask >> lane & 1:
                yield lane, self.placed(launch, space, addresses[lane] if stride is None else address + stride * (lane - first))

    def record(self, row, addresses):
        launch, _, _, _, _, _, _, mask, address, stride, size, space, _ = row
        if stride is None:
            return mask, size, tuple(self.lanes(row, addresses))
        return mask, size, stride if mask & (mask - 1) else 0, self.placed(launch, space, address)

    def digests(self):
        """{(site, block, warp): of each launch what stands for its records in their order}"""
        found = defaultdict(int)
        for row, addresses in self.rows():
            key = (row[0], row[2], row[3:6], row[6])
            found[key] = hash((found[key], self.record(row, addresses)))
        every = defaultdict(Counter)
        for (_, *key), digest in found.items():
            every[tuple(key)][digest] += 1
        return every

    def accesses(self, keys):
        """{key: how often each lane accessed each place}, of those asked for."""
        found = defaultdict(Counter)
        sites = ", ".join(str(site) for site in {key[0] for key in keys})
        for row, addresses in self.rows(f"site_id IN ({sites})"):
            key = (row[2], row[3:6], row[6])
            if key in keys:
                found[key].update((lane, place, row[10]) for lane, place in self.lanes(row, addresses))
        return found


def compare(one, other):
    traces = [Trace(path) for path in (one, other)]
    first, second = (trace.digests() for trace in traces)
    result = Result()
    unequal = {}  # how many of its launches
    for key in {*first, *second}:
        ours, theirs = first.get(key, Counter()), second.get(key, Counter())
        same = sum((ours & theirs).values())
        result.same += same
        if count := max(sum(ours.values()), sum(theirs.values())) - same:
            unequal[key] = count
    accesses = [trace.accesses(unequal) for trace in traces]
    for key, count in sorted(unequal.items()):
        if accesses[0].get(key) == accesses[1].get(key):
            result.same_lanes += count
        else:
            result.different += [key] * count
    for trace in traces:
        trace.db.close()
    return result
