// Rows of `site_counter`, which a device's table has in any order: sorted they are added four times as soon.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "db/store/row_queue.h"

namespace cui::db {

class CounterRows {
 public:
  explicit CounterRows(RowQueue& rows) : rows_(rows) {}

  void add(std::uint64_t launchId, std::int64_t siteId, std::uint64_t requests,
           std::uint64_t threadAccesses) {
    if (waiting_.size() >= most) flush();
    waiting_.push_back({launchId, siteId, requests, threadAccesses});
  }
  /// Hands all to the queue.
  void flush() {
    std::sort(waiting_.begin(), waiting_.end(), [](const Row& a, const Row& b) {
      return std::tie(a.launchId, a.siteId) < std::tie(b.launchId, b.siteId);
    });
    for (const Row& row : waiting_)
      append(rows_.add(1).counters,
             {row.launchId, static_cast<std::uint64_t>(row.siteId), row.requests, row.threadAccesses});
    waiting_.clear();
  }

 private:
  static constexpr std::size_t most = 1u << 18;  ///< 8 MB; a device's table has as many

  struct Row {
    std::uint64_t launchId;
    std::int64_t siteId;
    std::uint64_t requests, threadAccesses;
  };
  RowQueue& rows_;
  std::vector<Row> waiting_;
};

}  // namespace cui::db
