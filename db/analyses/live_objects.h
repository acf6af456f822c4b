// Which allocation or shared variable an address belongs to at the time of a launch.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "db/analyses/trace_model.h"

namespace cui::db {

class LiveObjects {
 public:
  explicit LiveObjects(const TraceModel& model);
  /// Goes on to the launch; launches come in order.
  void advance(const Launch& launch) { advance(launch.hostBeginNs); }
  void advance(std::int64_t timeNs);
  /// The live allocation that holds the address; null: none.
  const Object* find(std::uint64_t address) const;
  /// Calls `take` with the live allocations that have a part of these addresses, `end` not included.
  template <class F>
  void forEachIn(std::uint64_t begin, std::uint64_t end, const F& take) const {
    auto next = live_.upper_bound(begin);
    if (next != live_.begin() && std::prev(next)->second->holds(begin)) --next;
    for (; next != live_.end() && next->first < end; ++next) take(*next->second);
  }
  /// The allocation freed last of those that held the address; null: none.
  const Object* findFreed(std::uint64_t address) const;
  /// True if nothing between has ever been allocated, and what lives is at least `margin` bytes away.
  bool farFromAll(std::uint64_t low, std::uint64_t high, std::uint64_t margin) const;
  /// The live allocation with the least distance (in bytes, at least 1) to an address outside all; null if
  /// there is none.
  const Object* nearest(std::uint64_t address, std::uint64_t& distance) const;

 private:
  using ByAddress = std::map<std::uint64_t, const Object*>;
  struct Event {
    std::int64_t timeNs = 0;
    bool free = false;
    const Object* object = nullptr;
  };
  static const Object* holder(const ByAddress& objects, std::uint64_t address);
  void apply(const Event& event);

  std::vector<Event> events_;
  std::size_t next_ = 0;
  ByAddress live_, freed_;
  mutable const Object* last_ = nullptr;               ///< found last
  mutable std::uint64_t gapBegin_ = 0, gapBytes_ = 0;  ///< where nothing lives, looked for last
};

/// What an access of a launch may be to: the launch's shared variables, or the allocations that live.
class AccessedObjects {
 public:
  explicit AccessedObjects(const TraceModel& model) : model_(model), live_(model) {}
  void beginLaunch(const Launch& launch);
  /// Null: no known object holds the address.
  const Object* find(std::uint64_t address, format::Space space) const;

 private:
  const TraceModel& model_;
  LiveObjects live_;
  std::pair<const Object*, const Object*> shared_;
};

}  // namespace cui::db
