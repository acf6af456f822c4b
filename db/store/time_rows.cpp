// See time_rows.h.
#include "db/store/time_rows.h"

#include <algorithm>
#include <bit>

namespace cui::db {
namespace {

constexpr std::size_t maxWarps = 1u << 16;  // gathered before they are written
constexpr std::uint64_t maxAccessTimes = 4'000'000;

std::uint64_t warpNumber(const format::WarpRecord& record) {
  return std::uint64_t{record.block} << 10 | format::warpOf(record) << 5;
}
std::uint64_t laneOf(const format::WarpRecord& record) {
  return warpNumber(record) | static_cast<unsigned>(std::countr_zero(record.activeMask));
}

}  // namespace

void TimeRows::add(std::uint64_t launchId, const format::WarpRecord& mark) {
  const Time time = {mark.address, format::clockOf(mark)};
  const auto [place, fresh] =
      warps_.try_emplace(Key{launchId, warpNumber(mark)}, Warp{time, time, 0, format::bytesOf(mark)});
  Warp& warp = place->second;
  ++warp.accesses;
  // Lanes of a warp have records of their own, which come one lane after the other.
  if (time.ns < warp.first.ns) warp.first = time;
  if (time.ns >= warp.last.ns) warp.last = time;
  if (ofAccesses_) next_[Key{launchId, laneOf(mark)}] = time;
  if (warps_.size() >= maxWarps) flush();
}

void TimeRows::write(std::uint64_t launchId, const format::WarpRecord& access, std::uint64_t sequence) {
  const auto found = next_.find(Key{launchId, laneOf(access)});
  if (found == next_.end()) return;
  if (accessCount_ == maxAccessTimes) {
    stats_.add("access_times_not_kept", "info", 1, 0, "beyond the first 4 million");
  } else {
    ++accessCount_;
    append(rows_.add(1).accessTimes, {launchId, sequence, found->second.ns, found->second.clock});
  }
  next_.erase(found);
}

void TimeRows::flush() {
  for (const auto& [key, warp] : warps_)
    append(rows_.add(1).warpTimes,
           {key.launchId, key.lane >> 10, key.lane >> 5 & 31, warp.multiprocessor, warp.accesses,
            warp.first.ns, warp.last.ns, warp.first.clock, warp.last.clock});
  warps_.clear();
}

}  // namespace cui::db
