// See live_objects.h.
#include "db/analyses/live_objects.h"
#include "db/analyses/stable_sort.h"

#include <algorithm>
#include <iterator>

namespace cui::db {

LiveObjects::LiveObjects(const TraceModel& model) {
  for (const Object& object : model.allocations) {
    events_.push_back({object.allocatedNs, false, &object});
    if (object.freedNs != 0) events_.push_back({object.freedNs, true, &object});
  }
  stableSort(events_, [](const Event& a, const Event& b) {
    return a.timeNs != b.timeNs ? a.timeNs < b.timeNs : a.free > b.free;
  });
}

void LiveObjects::advance(std::int64_t timeNs) {
  while (next_ < events_.size() && events_[next_].timeNs <= timeNs) apply(events_[next_++]);
}

void LiveObjects::apply(const Event& event) {
  const Object& object = *event.object;
  last_ = nullptr;
  gapBytes_ = 0;
  // What overlaps an allocation from now on is gone: its free was not seen, or it is history.
  for (ByAddress* objects : {&live_, &freed_}) {
    auto from = objects->upper_bound(object.address);
    if (from != objects->begin() && std::prev(from)->second->holds(object.address)) --from;
    while (from != objects->end() && from->first < object.address + std::max<std::uint64_t>(object.bytes, 1))
      from = objects->erase(from);
  }
  (event.free ? freed_ : live_)[object.address] = &object;
}

const Object* LiveObjects::holder(const ByAddress& objects, std::uint64_t address) {
  auto next = objects.upper_bound(address);
  if (next == objects.begin()) return nullptr;
  const Object* const object = std::prev(next)->second;
  return object->holds(address) ? object : nullptr;
}

const Object* LiveObjects::find(std::uint64_t address) const {
  if (last_ && last_->holds(address)) return last_;
  if (address - gapBegin_ < gapBytes_) return nullptr;
  const auto next = live_.upper_bound(address);
  std::uint64_t begin = 0;
  if (next != live_.begin()) {
    const Object* const before = std::prev(next)->second;
    if (before->holds(address)) return last_ = before;
    begin = before->address + before->bytes;
  }
  gapBegin_ = begin;
  gapBytes_ = (next == live_.end() ? ~std::uint64_t{0} : next->first) - begin;
  return nullptr;
}

const Object* LiveObjects::findFreed(std::uint64_t address) const {
  return holder(freed_, address);
}

bool LiveObjects::farFromAll(std::uint64_t low, std::uint64_t high, std::uint64_t margin) const {
  if (find(low)) return false;
  // find() has left the gap around `low`.
  const std::uint64_t gapEnd = gapBegin_ + gapBytes_;
  if ((gapBegin_ != 0 && low - gapBegin_ < margin) || gapEnd < high || gapEnd - high < margin) return false;
  const auto above = freed_.lower_bound(high);
  if (above == freed_.begin()) return true;
  const auto& [begin, object] = *std::prev(above);
  return begin + object->bytes <= low;
}

const Object* LiveObjects::nearest(std::uint64_t address, std::uint64_t& distance) const {
  const Object* best = nullptr;
  const auto next = live_.upper_bound(address);
  if (next != live_.end()) {
    best = next->second;
    distance = next->first - address;
  }
  if (next != live_.begin()) {
    const Object* const before = std::prev(next)->second;
    const std::uint64_t behind = address - (before->address + before->bytes) + 1;
    if (!best || behind < distance) {
      best = before;
      distance = behind;
    }
  }
  return best;
}

void AccessedObjects::beginLaunch(const Launch& launch) {
  live_.advance(launch);
  shared_ = model_.sharedOf(launch.id);
}

const Object* AccessedObjects::find(std::uint64_t address, format::Space space) const {
  if (space != format::Space::shared) return live_.find(address);
  for (const Object* each = shared_.first; each != shared_.second; ++each)
    if (each->holds(address)) return each;
  return nullptr;
}

}  // namespace cui::db
