// drcachesim: what goes to global memory, in the offline format that DynamoRIO's drmemtrace tools read
// (`-infile`): a sequence of 12-byte entries {u16 type, u16 size, u64 address}, little-endian, between a
// header and a footer. Each block of a launch is a thread of its own, each request the instruction of its
// site, each 32-byte sector a reference.
#include <array>
#include <cstring>
#include <ostream>
#include <set>

#include "db/analyses/access_lanes.h"
#include "db/analyses/access_scan.h"
#include "db/exporters/output_file.h"
#include "db/exporters/trace_formats.h"
#include "db/store/metrics.h"
#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

// DynamoRIO: clients/drcachesim/common/trace_entry.h.
enum Type : std::uint16_t {
  typeRead = 0,
  typeWrite = 1,
  typeInstruction = 10,
  typeThread = 22,
  typeThreadExit = 23,
  typeProcess = 24,
  typeHeader = 25,
  typeFooter = 26,
  typeMarker = 28,
};
enum Marker : std::uint16_t {
  markerFileType = 9,
  markerCacheLine = 10,
  markerVersion = 12,
  markerPage = 18,
};
constexpr std::uint64_t formatVersion = 3;  // absolute program counters, no encodings of instructions
// x86_64, so that addresses have 64 bits; instructions and data are not all there are.
constexpr std::uint64_t fileType = 0x40 | 0x80 | 0x100;
constexpr std::uint64_t cacheLineBytes = 128, pageBytes = 4096;
/// Addresses of instructions that no data has.
constexpr std::uint64_t firstInstruction = std::uint64_t{1} << 62;
constexpr std::uint64_t process = 1;

class EntryWriter : public AccessVisitor {
 public:
  explicit EntryWriter(std::ostream& out) : out_(out) {
    entry(typeHeader, 0, formatVersion);
    // The reader wants a thread and its process first. This one does nothing.
    thread(1);
    entry(typeMarker, markerVersion, formatVersion);
    entry(typeMarker, markerFileType, fileType);
    entry(typeMarker, markerCacheLine, cacheLineBytes);
    entry(typeMarker, markerPage, pageBytes);
  }

  void beginLaunch(const Launch&) override { current_ = 0; }

  void access(const Access& access) override {
    const format::Space space = access.space();
    if (!countsSectors(space) || space == format::Space::local) return;
    thread(access.record.block + std::uint64_t{2});
    entry(typeInstruction, 0, firstInstruction + 16 * std::uint64_t{access.site.number});
    // Which side of a struct copy it is, the source does not tell: a read.
    if (!access.site.writes() || access.site.reads()) references(access.record, typeRead);
    if (access.site.writes()) references(access.record, typeWrite);
  }

  /// Blocks of the next launch are other threads' work: those of this one have come to their end.
  void endLaunch(const Launch&) override { exitAll(); }

  void finish() {
    entry(typeThreadExit, 8, 1);
    entry(typeFooter, 0, 0);
  }

 private:
  void references(const AccessRecord& record, Type type) {
    eachSector(record, [&](std::uint64_t sector) { entry(type, sectorBytes, sector * sectorBytes); });
  }
  void thread(std::uint64_t number) {
    if (number == current_) return;
    current_ = number;
    entry(typeThread, 8, number);
    if (threads_.insert(number).second) entry(typeProcess, 8, process);
  }
  void exitAll() {
    for (const std::uint64_t number : threads_)
      if (number != 1) entry(typeThreadExit, 8, number);
    threads_ = {1};
    current_ = 0;
  }
  void entry(std::uint16_t type, std::uint64_t size, std::uint64_t address) {
    std::array<char, 12> bytes;
    for (std::size_t i = 0; i < 2; ++i) bytes[i] = static_cast<char>(type >> 8 * i);
    for (std::size_t i = 0; i < 2; ++i) bytes[2 + i] = static_cast<char>(size >> 8 * i);
    for (std::size_t i = 0; i < 8; ++i) bytes[4 + i] = static_cast<char>(address >> 8 * i);
    out_.write(bytes.data(), bytes.size());
  }

  std::ostream& out_;
  std::uint64_t current_ = 0;        ///< the thread whose entries these are; 0: none
  std::set<std::uint64_t> threads_;  ///< that have begun and not ended
};

}  // namespace

Error exportDrcachesim(const TraceReader& reader, const ExportOptions& options) {
  if (!keepsAccesses(reader)) return {ErrorCode::sql, reader.path() + ": " + noAccesses};
  TraceModel model;
  if (Error error = TraceModel::load(reader, model)) return error;
  OutputFile file(options.path);
  EntryWriter writer(file.stream());
  ScanOptions scan;
  scan.launchId = options.launchId;
  scan.progress = [&](std::uint64_t done, std::uint64_t total) {
    return file.failed() || (options.progress && options.progress(done, total));
  };
  scan.threads = 1;
  std::uint64_t scanned = 0;
  Error error = scanAccesses(reader, model, scan, {&writer}, scanned);
  if (file.failed()) return file.finish();
  if (error) return error;
  writer.finish();
  return file.finish();
}

}  // namespace cui::db
