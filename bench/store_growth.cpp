// Records one trace of a given size and form, and prints what that took as JSON. bench/store_growth.py runs
// it: a process for each trace, so that the peak of memory is that trace's.
//
//   store_growth FORM PATTERN RECORDS PATH [ENCODERS]
//
// FORM: chunks, the store as it is; rows, a plain SQLite row for each warp record, without the lanes of
// irregular ones, in one transaction and without a journal; json, a line for each thread access. PATTERN:
// regular or gather (bench/store_patterns.h). Times are of the recording alone: making up the records is not
// in them.
#include <sqlite3.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>

#include "bench/store_patterns.h"
#include "db/store/chunk_codec.h"

namespace {

using namespace cui;
using namespace cui::bench;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "store_growth: %s\n", what.c_str());
  std::exit(1);
}

class StoreForm {
 public:
  StoreForm(const std::string& path, std::size_t records, unsigned encoders) {
    db::WriterOptions options;
    options.materializeLimit = 0;
    options.encoderThreads = encoders;
    db::Error error;
    writer_ = db::TraceWriter::open(path, options, error);
    if (!error) error = writer_->addUnit(unit, 0);
    if (!error) error = writer_->addLaunch(launchOf(records));
    if (!error) error = writer_->updateLaunch(1, 1, 0, "");
    if (error) fail(error.message);
  }
  void add(const Slots& slots) {
    db::Error error = writer_->addRecords(1, slots.data(), slots.size());
    if (!error && ++batches_ % 256 == 0) error = writer_->flush();  // every million records
    if (error) fail(error.message);
  }
  void close() {
    if (const db::Error error = writer_->close()) fail(error.message);
  }

 private:
  std::unique_ptr<db::TraceWriter> writer_;
  std::size_t batches_ = 0;
};

class RowForm {
 public:
  explicit RowForm(const std::string& path) {
    std::filesystem::remove(path);
    check(sqlite3_open(path.c_str(), &database_));
    check(
        sqlite3_exec(database_,
                     "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE access(launch_id "
                     "INTEGER, sequence INTEGER, site_id INTEGER, block_x INTEGER, block_y INTEGER, block_z "
                     "INTEGER, warp INTEGER, active_mask INTEGER, address INTEGER, stride INTEGER, bytes "
                     "INTEGER, kind TEXT, space TEXT, PRIMARY KEY(launch_id, sequence)) WITHOUT ROWID; BEGIN",
                     nullptr, nullptr, nullptr));
    check(sqlite3_prepare_v2(database_,
                             "INSERT INTO access VALUES(1, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, 'global')", -1,
                             &insert_, nullptr));
  }
  void add(const Slots& slots) {
    for (std::size_t at = 0; at < slots.size();) {
      const format::WarpRecord& record = slots[at];
      const std::uint32_t site = format::siteOf(record);
      int column = 0;
      for (const std::uint64_t value :
           {sequence_++, std::uint64_t{1000} + site, std::uint64_t{record.block},
            std::uint64_t{format::warpOf(record)}, std::uint64_t{record.activeMask}, record.address,
            static_cast<std::uint64_t>(std::int64_t{record.stride}), std::uint64_t{format::bytesOf(record)}})
        sqlite3_bind_int64(insert_, ++column, static_cast<std::int64_t>(value));
      sqlite3_bind_text(insert_, ++column, site == 2 ? "store" : "load", -1, SQLITE_STATIC);
      if (sqlite3_step(insert_) != SQLITE_DONE) check(SQLITE_ERROR);
      sqlite3_reset(insert_);
      at += 1 + format::payloadSlots(record.flags, format::bytesOf(record));
    }
  }
  void close() {
    sqlite3_finalize(insert_);
    check(sqlite3_exec(database_, "COMMIT", nullptr, nullptr, nullptr));
    check(sqlite3_close(database_));
  }

 private:
  void check(int code) {
    if (code != SQLITE_OK) fail(sqlite3_errmsg(database_));
  }
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  std::uint64_t sequence_ = 0;
};

/// What a tracer writes that knows no warps: who accessed what, from where, in words.
class JsonForm {
 public:
  explicit JsonForm(const std::string& path) : file_(std::fopen(path.c_str(), "w")) {
    if (!file_) fail("cannot write " + path);
  }
  void add(const Slots& slots) {
    for (std::size_t at = 0; at < slots.size();) {
      const format::WarpRecord& record = slots[at];
      const auto* payload = reinterpret_cast<const std::uint8_t*>(&slots[at] + 1);
      std::uint64_t address[format::lanesPerWarp];
      db::laneAddresses(record, payload, address);
      for (std::uint32_t lane = 0; lane < format::lanesPerWarp; ++lane)
        std::fprintf(file_,
                     R"({"kind":"%s","space":"global","size":%u,"address":"0x%llx","block":[%u,0,0],)"
                     R"("thread":[%u,0,0],"file":"bench.cu","line":1,"name":"%s"})"
                     "\n",
                     format::siteOf(record) == 2 ? "store" : "load", format::bytesOf(record),
                     static_cast<unsigned long long>(address[lane]), record.block,
                     format::warpOf(record) * 32 + lane, sites[format::siteOf(record)].base);
      at += 1 + format::payloadSlots(record.flags, format::bytesOf(record));
    }
  }
  void close() {
    if (std::fclose(file_) != 0) fail("cannot write");
  }

 private:
  std::FILE* file_;
};

/// By the clock, and of all threads' processors.
struct Spent {
  double seconds = 0, processorSeconds = 0;
  static Spent now() {
    const auto of = [](clockid_t clock) {
      timespec time = {};
      clock_gettime(clock, &time);
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    };
    return {of(CLOCK_MONOTONIC), of(CLOCK_PROCESS_CPUTIME_ID)};
  }
};

template <class Form>
Spent record(Form&& form, bool regularPattern, std::size_t records) {
  Spent spent;
  const auto timed = [&spent](auto&& action) {
    const Spent begin = Spent::now();
    action();
    const Spent end = Spent::now();
    spent.seconds += end.seconds - begin.seconds;
    spent.processorSeconds += end.processorSeconds - begin.processorSeconds;
  };
  for (std::size_t done = 0; done < records; done += batch) {
    const Slots slots = regularPattern ? regular(done, true) : gather(done);
    timed([&] { form.add(slots); });
  }
  timed([&] { form.close(); });
  return spent;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) fail("FORM PATTERN RECORDS PATH [ENCODERS]");
  const std::string form = argv[1], pattern = argv[2], path = argv[4];
  const std::size_t records = (std::strtoull(argv[3], nullptr, 10) + batch - 1) / batch * batch;
  const unsigned encoders = argc > 5 ? static_cast<unsigned>(std::strtoul(argv[5], nullptr, 10)) : 0;
  if ((form != "chunks" && form != "rows" && form != "json") || (pattern != "regular" && pattern != "gather"))
    fail("unknown form or pattern");
  const bool regularPattern = pattern == "regular";
  const Spent spent = form == "json"   ? record(JsonForm(path), regularPattern, records)
                      : form == "rows" ? record(RowForm(path), regularPattern, records)
                                       : record(StoreForm(path, records, encoders), regularPattern, records);
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "{\"records\": %zu, \"seconds\": %.3f, \"processor_seconds\": %.3f, \"bytes\": %ju, \"peak_kb\": "
      "%ld}\n",
      records, spent.seconds, spent.processorSeconds,
      static_cast<std::uintmax_t>(std::filesystem::file_size(path)), usage.ru_maxrss);
}
