// The CUDA backend's recorder as a program's own device code, run by the CPU backend: its headers in another
// namespace (emulate.cmake), what the host side would set up, and reading back what kernels left behind.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "emulated/fixed_loop.h"
#include "reference.h"

namespace recordertest {

using namespace cui::emulated;

/// Memory that begins as zeros: on the CPU backend kernels work with any. Pages that nobody touches cost
/// nothing.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    for (void* piece : pieces_) std::free(piece);
  }
  template <class T>
  T* get(std::size_t count) {
    pieces_.push_back(std::calloc(count + alignment / sizeof(T) + 1, sizeof(T)));
    const auto begin = reinterpret_cast<std::uintptr_t>(pieces_.back());
    return reinterpret_cast<T*>((begin + alignment - 1) / alignment * alignment);
  }

 private:
  static constexpr std::size_t alignment = 128;
  std::vector<void*> pieces_;
};

struct DeviceSettings {
  bool profile = false;
  unsigned spareUnits = 1u << 12;  ///< of the pool, after the lanes' first chunks
  unsigned hostChunks = 0;
  unsigned ringSlots = 1u << 16;
  unsigned siteBase = 3;
  unsigned multiprocessors = 32;  ///< as many as a test has blocks, or more: a block's is its number
  unsigned long long waitNs = 2000000000;
  unsigned sampleLimit = ~0u;  ///< format::sampleLimit()'s: of blocks
};

/// Requests and idle lanes, by launch and site.
using Counts = std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, std::uint64_t>>;

/// A device with its recorder, as device_setup.h leaves it.
class Device {
 public:
  explicit Device(const DeviceSettings& settings = {}) : settings_(settings) {
    const unsigned slots = settings.multiprocessors * warpsPerMultiprocessor;
    first_ = slots * firstUnitsPerWarp;
    units_ = first_ + settings.spareUnits;
    context_->warpSlots = slots;
    context_->firstPoolUnit = first_;
    context_->poolUnits = settings.spareUnits;
    context_->warpSampleLimit = ~0u;
    context_->waitNs = settings.waitNs;
    context_->unitUsed = memory_.get<unsigned short>(units_);
    if (settings.spareUnits != 0) context_->newestLogs = memory_.get<unsigned int>(slots);
    context_->slots = memory_.get<unsigned char>(std::size_t{settings.ringSlots} * cui::format::slotBytes);
    context_->slotCount = settings.ringSlots;
    context_->reserveLimit = settings.ringSlots / 2;
    while ((1u << context_->slotCountLog2) < settings.ringSlots) ++context_->slotCountLog2;
    context_->consumed = memory_.get<unsigned long long>(1);
    RecorderConstants& constants = context_->constants;
    constants.cursors = memory_.get<Cursor>(std::size_t{slots} * 32);
    constants.units = memory_.get<unsigned char>(std::size_t{units_} * unitBytes);
    constants.counters = memory_.get<CounterTable>(1);
    constants.progress =
        reinterpret_cast<Progress*>(memory_.get<char>(std::size_t{slots} * 32 * progressBytesPerLane));
    constants.sharedBegin = 0u - (1u << 24);  // as the second block of a cluster has it
    constants.warpsPerMultiprocessor = warpsPerMultiprocessor;
    for (unsigned warp = 0; warp < slots; ++warp)
      for (unsigned lane = 0; lane < 32; ++lane)
        constants.cursors[warp * 32 + lane] =
            Cursor{firstUnit(slots, lane, warp) * unitSlots, chunkUnits(lane) * unitSlots | lap << lapShift};
    if (settings.profile) setUpProfile();
    setUpChunks();
    unit_->context = context_;
    unit_->siteBase = settings.siteBase;
    unit_->firstKey = settings.siteBase << keyShift | (settings.profile ? profileBit : 0);
    unit_->recordedBlocks = recordedBelow(settings.sampleLimit);
    unit_->notesBarriers = !settings.profile;
    unit_->constants = constants;
  }

  DeviceUnit& unit() { return *unit_; }
  DeviceContext& context() { return *context_; }

  /// All requests: of the pool's chunks, then those of the host's in the order of their tickets, then the
  /// ring's. Every header has the tag that it must have, or the test ends.
  std::vector<Request> requests() {
    std::vector<Request> all;
    Barriers barriers;
    const auto take = [&](const unsigned char* slots, std::size_t count, unsigned tag) {
      for (Request& request : requestsOf(slots, count, tag, barriers)) all.push_back(std::move(request));
    };
    std::vector<unsigned> used(context_->unitUsed, context_->unitUsed + units_);
    for (unsigned i = 0; i < context_->warpSlots * 32; ++i) {
      const Cursor cursor = context_->constants.cursors[i];
      if (isOfHost(cursor)) continue;
      used[firstUnitOf(cursor, i % 32)] = usedSlotsOf(cursor, i % 32);
    }
    std::vector<std::pair<const void*, std::size_t>> logs;
    for (unsigned unit = 0; unit < units_; ++unit) {
      const unsigned char* const begin = context_->constants.units + std::size_t{unit} * unitBytes;
      if (cui::format::isLogUsed(static_cast<std::uint16_t>(used[unit])))
        logs.emplace_back(begin, cui::format::logBytes(used[unit] == cui::format::longLogUsed));
      else
        take(begin, used[unit], lap);
    }
    for (Request& request : requestsOfLogs(logs)) all.push_back(std::move(request));
    takeChunks(take);
    take(context_->slots, context_->cursor.tail, 1);  // its first lap
    return all;
  }

  /// What the device counted.
  Counts counts() const {
    Counts all;
    const CounterTable& table = *context_->constants.counters;
    for (unsigned i = 0; i < counterTableSize; ++i) {
      const CounterKey& key = table.keys[i];
      if (key.key == 0 || table.sums[i].requests == 0) continue;
      if (key.inverse != ~key.key) std::abort();
      auto& sums = all[{static_cast<std::uint32_t>(key.key >> 32), static_cast<std::uint32_t>(key.key) >> 1}];
      sums.first += table.sums[i].requests;
      sums.second += table.sums[i].idleLanes;
    }
    return all;
  }

  /// What profile mode has added up, wherever it is now.
  Totals totals() const {
    Totals all;
    const RecorderConstants& constants = context_->constants;
    const auto addEntry = [&](unsigned long long key, ProfileSums sums) {
      if (key == 0 || sums.requests == 0) return;
      if (isShared(key)) cui::format::countForAll(sums);
      cui::format::addSums(all[{siteOf(key), isShared(key)}], sums);
    };
    // As the host, which looks at what is marked.
    const ProfileSlots& marks = context_->profileSlots;
    for (unsigned i = 0; i < context_->warpSlots * profilePlanes * profileEntries; ++i)
      if (marks.planesUsed[i / (profileEntries * profilePlanes * warpsPerMultiprocessor) * profilePlanes +
                           i / profileEntries % profilePlanes] != 0)
        addEntry(constants.profile[i].key, sumsOf(constants.profile[i]));
    for (unsigned i = 0; i < context_->warpSlots * profilePlanes * 32 * profileLaneEntries; ++i)
      if (marks.lanesUsed[i / (32 * profileLaneEntries)] != 0)
        addEntry(constants.profileLanes[i].key, sumsOf(constants.profileLanes[i]));
    const ProfileTable& table = context_->profile;
    const unsigned pieces = (table.rowMask + 1) * (table.replicaMask + 1);
    for (unsigned i = 0; i < pieces * table.siteCount * 2; ++i)
      if (table.sums[i].requests != 0) {
        ProfileSums sums = table.sums[i];
        if (i % 2 != 0) cui::format::countForAll(sums);
        cui::format::addSums(all[{i / 2 % table.siteCount, i % 2 != 0}], sums);
      }
    return all;
  }

 private:
  static constexpr unsigned lap = 7, warpsPerMultiprocessor = 64;

  void setUpProfile() {
    RecorderConstants& constants = context_->constants;
    const std::size_t planes = std::size_t{context_->warpSlots} * profilePlanes;
    constants.profile = memory_.get<ProfileEntry>(planes * profileEntries);
    constants.profileLanes = memory_.get<ProfileLaneEntry>(planes * 32 * profileLaneEntries);
    context_->profileSlots.lanesUsed = memory_.get<unsigned char>(planes + planes / warpsPerMultiprocessor);
    context_->profileSlots.planesUsed = context_->profileSlots.lanesUsed + planes;
    ProfileTable& table = context_->profile;
    table.siteCount = 128;
    table.rowMask = 3;
    table.replicaMask = 1;
    table.sums = memory_.get<ProfileSums>(std::size_t{4} * 2 * table.siteCount * 2);
    table.owners = memory_.get<ProfileOwner>(4 * 2);
    table.used = memory_.get<unsigned char>(std::size_t{4} * table.siteCount);
  }

  void setUpChunks() {
    HostChunks& chunks = context_->hostChunks;
    if (settings_.hostChunks == 0) return;
    chunks.count = settings_.hostChunks;
    while ((1u << chunks.log2QueueSize) < chunks.count) ++chunks.log2QueueSize;
    auto* const memory = memory_.get<unsigned char>(std::size_t{chunks.count} * hostChunkBytes);
    chunkMemory_ = memory;
    context_->constants.hostSlots = reinterpret_cast<unsigned long long>(memory) -
                                    static_cast<unsigned long long>(hostSlot) * cui::format::slotBytes;
    auto* const free = memory_.get<unsigned>(1u << chunks.log2QueueSize);
    for (unsigned i = 0; i < chunks.count; ++i) free[i] = i + 1;
    chunks.freeQueue = free;
    auto* const freed = memory_.get<unsigned long long>(1);
    *freed = chunks.count;
    chunks.freed = freed;
    chunks.fullQueue = memory_.get<unsigned long long>(1u << chunks.log2QueueSize);
  }

  template <class Take>
  void takeChunks(const Take& take) {
    HostChunks& chunks = context_->hostChunks;
    for (unsigned long long ticket = 0; ticket < chunks.full; ++ticket) {
      const unsigned long long word = chunks.fullQueue[ticket];
      if (!cui::format::isOfTicket(word, ticket, chunks.log2QueueSize)) std::abort();
      take(chunkMemory_ + std::size_t{cui::format::chunkOf(word)} * hostChunkBytes,
           cui::format::slotsOf(word), cui::format::chunkTag);
    }
    for (unsigned i = 0; i < context_->warpSlots * 32; ++i) {
      const Cursor cursor = context_->constants.cursors[i];
      if (hasHostChunk(cursor))
        take(chunkMemory_ + std::size_t{hostChunkOf(cursor)} * hostChunkBytes,
             cui::format::chunkSlots - roomOf(cursor), cui::format::chunkTag);
    }
  }

  DeviceSettings settings_;
  Memory memory_;
  DeviceContext* context_ = new (memory_.get<DeviceContext>(1)) DeviceContext();
  DeviceUnit* unit_ = memory_.get<DeviceUnit>(1);
  unsigned char* chunkMemory_ = nullptr;
  unsigned first_, units_;
};

}  // namespace recordertest
