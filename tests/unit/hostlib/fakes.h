// A ring that a test fills as a device would, and a sink that remembers.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "cuinstrument/format/unit.h"
#include "device_write.h"
#include "hostlib/record_sink.h"
#include "hostlib/router.h"
#include "hostlib/slot.h"
#include "hostlib/unit_registry.h"

namespace cui::hostlib::test {

/// A record of `payload` slots is an affine one (0) or an offsets32 one (4).
struct Record {
  std::uint32_t site = 0;
  std::uint32_t launch = 0;
  std::uint64_t address = 0;
  unsigned payload = 0;
  format::RecordType type = format::RecordType::access;
  std::uint32_t mask = 1;
  std::uint32_t block = 0;
  std::uint32_t number = 0;
};

inline Slot slotOf(const Record& record, std::uint8_t generation = 0) {
  const std::uint64_t flags = format::makeFlags(
      record.type, record.payload == 0 ? format::AddressForm::affine : format::AddressForm::offsets32,
      format::Space::global, false);
  Slot slot;
  slot.word[0] = record.address;
  slot.word[1] = record.mask | std::uint64_t{4u << 5} << 32 | flags << 48 | std::uint64_t{generation} << 56;
  slot.word[2] = record.site | std::uint64_t{generation} << 24 | std::uint64_t{record.launch} << 32;
  slot.word[3] = record.block | std::uint64_t{record.number} << 32;
  return slot;
}

inline Record entryOf(std::uint32_t launch, std::uint32_t siteBase, std::uint32_t kernel,
                      std::uint32_t blocks, std::uint32_t threads) {
  return Record{siteBase, launch, kernel, 0, format::RecordType::kernelEntry, threads, blocks, 0};
}

class FakeRing {
 public:
  explicit FakeRing(std::uint64_t slotCount) : slots_(slotCount) {
    ring_.slots = slots_.data();
    ring_.slotCount = slotCount;
    ring_.consumed = &consumed_;
    ring_.device = 0;
  }
  const CuiRing& ring() const { return ring_; }
  std::uint64_t consumed() {
    return std::atomic_ref<std::uint64_t>(consumed_).load(std::memory_order_acquire);
  }
  std::uint64_t produced() const { return tail_; }

  /// Takes the next slots for a record without writing them.
  std::uint64_t reserve(const Record& record) {
    const std::uint64_t ticket = tail_;
    tail_ += 1 + record.payload;
    return ticket;
  }
  bool hasRoom(unsigned slots) { return tail_ + slots - consumed() <= slots_.size(); }

  void write(std::uint64_t ticket, const Record& record) {
    for (unsigned i = 1; i <= record.payload; ++i)
      for (std::uint64_t& word : at(ticket + i).word)
        word = ~std::uint64_t{0};  // looks like any generation 255
    const auto generation = static_cast<std::uint8_t>(1 + ticket / slots_.size() % 255);
    writeAsDevice(&at(ticket), slotOf(record, generation));
  }
  void append(const Record& record) { write(reserve(record), record); }

 private:
  Slot& at(std::uint64_t ticket) { return slots_[ticket % slots_.size()]; }
  std::vector<Slot> slots_;
  alignas(64) std::uint64_t consumed_ = 0;
  std::uint64_t tail_ = 0;
  CuiRing ring_{};
};

/// What a sink was told; shared with the test, as the drain owns the sink.
struct Told {
  std::mutex mutex;
  std::map<std::uint64_t, std::vector<std::uint64_t>> addresses;  ///< of access records, by launch
  std::map<std::uint64_t, unsigned> sharedRecords;                ///< by launch
  std::map<std::uint64_t, unsigned> entries;                      ///< of kernels, by launch
  std::map<std::uint64_t, std::uint64_t> counted;                 ///< requests by launch
  std::map<std::uint64_t, std::vector<db::AccessTotals>> totals;  ///< by launch
  std::map<std::string, std::int64_t> stats;
  std::map<std::uint64_t, std::pair<std::int64_t, std::int64_t>> times;  ///< of launches
  std::map<std::uint64_t, std::string> unannounced;
  std::map<std::uint64_t, bool> instrumented;                  ///< launches with rows, by id
  std::map<std::uint64_t, CuiLaunch> launches;                 ///< of those, the announced ones
  std::vector<std::pair<std::uint64_t, std::uint32_t>> named;  ///< allocations' addresses and call entries
  std::size_t singles = 0;                                     ///< records that came as such
  unsigned flushes = 0;
  bool closed = false;
  bool fail = false;  ///< the next flush fails
};

class FakeSink : public RecordSink {
 public:
  explicit FakeSink(Told& told) : told_(told) {}
  void addUnit(const format::UnitTable&, std::uint32_t) override {}
  void addDevice(const CuiDevice&) override {}
  void addLaunch(std::uint64_t id, const CuiLaunch& launch, bool instrumented) override {
    const std::lock_guard lock(told_.mutex);
    told_.launches[id] = launch;
    told_.instrumented[id] = instrumented;
  }
  void addLibraryLaunch(std::uint64_t id, const CuiLibraryLaunch&) override {
    const std::lock_guard lock(told_.mutex);
    told_.instrumented[id] = false;
  }
  void addUnannouncedLaunch(std::uint64_t id, std::string_view kernel, std::uint32_t, std::uint32_t,
                            std::int32_t) override {
    const std::lock_guard lock(told_.mutex);
    told_.unannounced[id] = kernel;
  }
  void endLaunch(std::uint64_t, std::int64_t, int, std::string_view) override {}
  void timeLaunch(std::uint64_t id, std::int64_t beginNs, std::int64_t endNs) override {
    const std::lock_guard lock(told_.mutex);
    told_.times[id] = {beginNs, endNs};
  }
  void addAllocation(const CuiAllocation&) override {}
  void addFree(std::uint64_t, std::string_view, std::int64_t) override {}
  void nameAllocation(std::uint64_t address, const format::UnitTable&, std::uint32_t callEntry) override {
    const std::lock_guard lock(told_.mutex);
    told_.named.emplace_back(address, callEntry);
  }
  void addVariable(const format::UnitTable&, std::uint32_t, std::uint64_t, std::uint64_t,
                   std::int32_t) override {}
  void addMemoryOperation(const CuiMemoryOperation&) override {}
  void addSynchronization(const CuiSynchronization&) override {}
  void beginPhase(std::uint64_t, std::uint64_t, std::string_view, std::int64_t) override {}
  void endPhase(std::uint64_t, std::int64_t) override {}
  void addTotals(std::uint64_t launch, const db::AccessTotals& totals) override {
    const std::lock_guard lock(told_.mutex);
    told_.totals[launch].push_back(totals);
  }
  void addRecords(std::uint64_t launch, const Slot* slots, std::size_t count) override {
    const std::lock_guard lock(told_.mutex);
    for (std::size_t i = 0; i < count; i += 1 + payloadOf(slots[i])) {
      const format::RecordType type = format::typeOf(flagsOf(slots[i]));
      if (type == format::RecordType::access) told_.addresses[launch].push_back(slots[i].word[0]);
      if (type == format::RecordType::sharedVariable) ++told_.sharedRecords[launch];
      if (type == format::RecordType::kernelEntry) ++told_.entries[launch];
    }
  }
  void addSingles(std::uint64_t launch, const Slot* slots, std::size_t count, std::uint32_t minSite,
                  std::uint32_t maxSite) override {
    {
      const std::lock_guard lock(told_.mutex);
      told_.singles += count;
      for (std::size_t i = 0; i < count; ++i)
        if (payloadOf(slots[i]) != 0 || siteOf(slots[i]) < minSite || siteOf(slots[i]) > maxSite)
          ++told_.stats["not single"];
    }
    addRecords(launch, slots, count);
  }
  void addCounter(std::uint64_t launch, const CuiCounter& counter) override {
    const std::lock_guard lock(told_.mutex);
    told_.counted[launch] += counter.requests;
  }
  void addStat(std::string_view name, std::string_view, std::int64_t value, std::uint64_t,
               std::string_view) override {
    const std::lock_guard lock(told_.mutex);
    told_.stats[std::string(name)] += value;
  }
  void flush() override {
    const std::lock_guard lock(told_.mutex);
    ++told_.flushes;
    if (told_.fail) failed_ = true;
  }
  void close() override {
    const std::lock_guard lock(told_.mutex);
    told_.closed = true;
  }
  std::optional<std::string> failure() const override {
    if (failed_) return "disk full";
    return std::nullopt;
  }

 private:
  Told& told_;
  bool failed_ = false;
};

/// A unit with kernels "a" and "b", one launch of each (numbers 0 and 1), one of a kernel of another
/// library (2), and one of a variable's, "chosen" (3).
inline const format::UnitTable& fakeUnit() {
  static const format::KernelEntry kernels[] = {{"a", 0, 1, 1}, {"b", 0, 2, 1}};
  static const format::LaunchEntry launches[] = {{"a", "a", "main", 0, 1, 1, 0},
                                                 {"b", "b", "main", 0, 1, 1, 0},
                                                 {"gemm", "gemm", "main", 0, 1, 1, 0},
                                                 {"chosen", "", "main", 0, 1, 1, 0}};
  static const format::UnitTable unit = {format::unitFormatVersion,
                                         1,
                                         "t.cu",
                                         "1",
                                         0,
                                         4,
                                         2,
                                         4,
                                         0,
                                         0,
                                         nullptr,
                                         nullptr,
                                         kernels,
                                         launches,
                                         nullptr,
                                         nullptr};
  return unit;
}

/// A launch of 2 blocks of 32 threads.
inline CuiLaunch fakeLaunch(std::uint32_t entry, std::uint64_t stream) {
  CuiLaunch launch = {};
  launch.unit = &fakeUnit();
  launch.launchEntry = entry;
  for (int i = 0; i < 3; ++i) launch.grid[i] = launch.block[i] = 1;
  launch.grid[0] = 2;
  launch.block[0] = 32;
  launch.stream = stream;
  return launch;
}

/// A router whose sink tells what it is given, with fakeUnit().
class RoutedTest : public testing::Test {
 protected:
  RoutedTest() { base_ = units_.add(fakeUnit()).siteBase; }

  Told told_;
  FakeSink sink_{told_};
  UnitRegistry units_;
  std::uint64_t newId_ = 100;
  Router router_{sink_, units_, [this] { return ++newId_; }, 64 * sizeof(Slot)};
  std::uint32_t base_ = 0;
};

}  // namespace cui::hostlib::test
