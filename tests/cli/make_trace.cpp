// Makes the trace the tests of report, query and validate read: `make_trace FILE
// [lossy|unclosed|large|huge|repeated]`.
//
// One launch of `k` with one block of one warp and four sites: an uncoalesced load (128 bytes apart), a
// coalesced store, a shared load with all lanes in one bank, and a skipped bit-field.
//   lossy     a trace_stat row says that 5 records were dropped
//   unclosed  the writer goes away without closing, as in a crash
//   large     6,000 records, beyond the materialization limit
//   huge      3,000,000 records: whoever looks at all of them takes a while
//   repeated  twelve allocations of one line, each of which the load reads beyond
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "db/store/trace_writer.h"

namespace {

using namespace cui::format;
namespace db = cui::db;

const FileEntry files[] = {{"k.cu", "/home/u/k.cu", 1}};
const SiteEntry sites[] = {{11, 0, 4, 3, 4, 10, Kind::load, Space::global, Status::instrumented, 4, 0, "k",
                            "in[i * 32]", "in", "i * 32", "float", "", "", ""},
                           {12, 0, 5, 3, 5, 9, Kind::store, Space::global, Status::instrumented, 4, 0, "k",
                            "out[i]", "out", "i", "float", "", "", ""},
                           {13, 0, 6, 3, 6, 13, Kind::load, Space::shared, Status::instrumented, 4, 0, "k",
                            "tile[i][0]", "tile", "0", "float", "", "", ""},
                           {14, 0, 7, 3, 7, 10, Kind::load, Space::generic, Status::skipped, 0, 0, "k",
                            "f->bits", "f", "", "unsigned", "", "", "bit-field"}};
const KernelEntry kernels[] = {{"k", 0, 3, 17}};
const LaunchEntry launches[] = {{"k", "k", "main", 0, 20, 3, 0}};
const CallEntry calls[] = {{"cudaMalloc", "main", "in", "float", 4, 0, 18, 3}};
const UnitTable unit = {unitFormatVersion, 0x77,     "k.cu", "test", 1, 4, 1, 1, 1, 0, files, sites,
                        kernels,           launches, calls,  nullptr};

WarpRecord record(std::uint32_t site, std::uint64_t address, std::int32_t stride, Space space) {
  WarpRecord r = {};
  r.address = address;
  r.activeMask = 0xffffffffu;
  r.warpAndBytes = makeWarpAndBytes(0, 4);
  r.flags = makeFlags(RecordType::access, AddressForm::affine, space, false);
  r.siteAndGeneration = site;
  r.launch = 1;
  r.stride = stride;
  return r;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::string what = argc > 2 ? argv[2] : "";
  db::WriterOptions options;
  options.backend = "cpu";
  options.program = "/home/u/k";
  options.materializeLimit = 1000;
  db::Error error;
  const auto writer = db::TraceWriter::open(argv[1], options, error);
  if (!writer) {
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 3;
  }
  const auto check = [&](const db::Error& failure) {
    if (failure && !error) error = failure;
  };
  check(writer->addUnit(unit, 0));
  db::LaunchRow launch;
  launch.launchId = 1;
  launch.unit = &unit;
  launch.block[0] = 32;
  launch.hostBeginNs = 1000;
  check(writer->addLaunch(launch));
  check(writer->updateLaunch(1, 2000, 0, ""));
  const int times = what == "large" ? 2'000 : what == "huge" ? 1'000'000 : 1;
  for (int i = 0; i < times; ++i) {
    const WarpRecord records[] = {record(0, 0x10000, 128, Space::global),
                                  record(1, 0x20000, 4, Space::global), record(2, 0, 128, Space::shared)};
    check(writer->addRecords(1, records, 3));
  }
  for (std::uint64_t i = 1; what == "repeated" && i <= 12; ++i) {
    db::AllocationRow row;
    row.unit = &unit;
    row.address = 0x40000000 * i;
    row.bytes = 256 * i;
    check(writer->addAllocation(row));
    const WarpRecord beyond[] = {record(0, row.address + row.bytes - 64, 4, Space::global)};
    check(writer->addRecords(1, beyond, 1));
  }
  for (std::uint32_t site = 0; site < 3; ++site)
    check(writer->addCounters(1, site, static_cast<std::uint64_t>(times),
                              32u * static_cast<std::uint64_t>(times)));
  if (what == "lossy") check(writer->addStat("dropped_records", "data_loss", 5, 1, "no space in time"));
  check(what == "unclosed" ? writer->flush() : writer->close());
  if (error) std::fprintf(stderr, "%s\n", error.message.c_str());
  return error ? 3 : 0;
}
