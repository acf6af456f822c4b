// What a query asks of single accesses: an interval for each column, and a set of sites. Intervals may be
// wider than the query's conditions, never narrower: SQLite checks each row again.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "db/store/value.h"

namespace cui::db {

/// The columns of access, access_lane, thread_access and access_total.
enum class AccessField : std::uint8_t {
  launchId,
  sequence,
  lane,
  siteId,
  blockX,
  blockY,
  blockZ,
  warp,
  address,
  threadX,  // from here on nothing is gained by an interval
  threadY,
  threadZ,
  activeMask,
  stride,
  bytes,
  kind,
  space,
  firstLane,
  value,
  requests,
  threadAccesses,
  minAddress,
  maxAddress,
};
constexpr std::size_t limitedFields = static_cast<std::size_t>(AccessField::threadX);

struct Interval {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  bool limited() const {
    return low != std::numeric_limits<std::int64_t>::min() ||
           high != std::numeric_limits<std::int64_t>::max();
  }
  bool isOne() const { return low == high; }
  bool empty() const { return low > high; }
  bool contains(std::int64_t value) const { return value >= low && value <= high; }
};

enum class Relation : char { equal = '=', greater = '>', atLeast = ')', less = '<', atMost = '(' };

class AccessFilter {
 public:
  const Interval& operator[](AccessField field) const { return intervals_[static_cast<std::size_t>(field)]; }
  /// `field` is one of the limited ones. A value that is no number leaves the interval as it is, except
  /// NULL, to which nothing compares.
  void narrow(AccessField field, Relation comparison, const Value& value);
  /// Only these sites; with several sets, those in all of them.
  void keepSites(std::vector<std::int64_t> siteIds);
  bool acceptsSite(std::int64_t siteId) const;
  bool limitsSites() const { return (*this)[AccessField::siteId].limited() || sites_.has_value(); }
  bool impossible() const;

 private:
  void narrow(Interval& interval, Relation comparison, std::int64_t value);
  std::array<Interval, limitedFields> intervals_;
  std::optional<std::vector<std::int64_t>> sites_;  ///< sorted
  bool never_ = false;
};

}  // namespace cui::db
