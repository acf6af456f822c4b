// Times of accesses on a GPU: the tables warp_time and access_time.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "cuinstrument/format/record.h"
#include "db/store/row_queue.h"
#include "db/store/stats.h"

namespace cui::db {

class TimeRows {
 public:
  /// `ofAccesses`: also single ones.
  TimeRows(RowQueue& rows, Stats& stats, bool ofAccesses)
      : rows_(rows), stats_(stats), ofAccesses_(ofAccesses) {}

  /// A mark in front of the access that its lane leads next.
  void add(std::uint64_t launchId, const format::WarpRecord& mark);
  /// An access that goes into the trace.
  void meet(std::uint64_t launchId, const format::WarpRecord& access, std::uint64_t sequence) {
    if (!next_.empty()) write(launchId, access, sequence);
  }
  /// No mark waits for an access.
  bool areMet() const { return next_.empty(); }
  /// Hands on what has been gathered.
  void flush();

 private:
  struct Key {
    std::uint64_t launchId, lane;  ///< block << 10 | warp << 5 | lane; 0 for the lane where it is the warp's
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::uint64_t>()((key.lane ^ key.launchId << 42) * 0x9e3779b97f4a7c15u >> 7);
    }
  };
  struct Time {
    std::uint64_t ns, clock;
  };
  struct Warp {
    Time first, last;
    std::uint64_t accesses;
    std::uint32_t multiprocessor;
  };
  void write(std::uint64_t launchId, const format::WarpRecord& access, std::uint64_t sequence);

  RowQueue& rows_;
  Stats& stats_;
  const bool ofAccesses_;
  std::unordered_map<Key, Warp, Hash> warps_;
  std::unordered_map<Key, Time, Hash> next_;  ///< of lanes whose access has not come yet
  std::uint64_t accessCount_ = 0;
};

}  // namespace cui::db
