// How the router hands a launch's records to the sink: plain accesses as they are, many at once; loops as
// the accesses that they stand for, and what has a form of a GPU's as the others have it.
#include <algorithm>

#include "hostlib/device_forms.h"
#include "hostlib/loops.h"
#include "hostlib/router.h"

namespace cui::hostlib {
namespace {

bool isShared(const Slot& slot) {
  return format::typeOf(flagsOf(slot)) == format::RecordType::sharedVariable;
}

}  // namespace

/// A __shared__ declaration in a loop announces itself each time; once per launch is enough.
bool Router::isRepeated(std::uint64_t launchId, const Slot& record) {
  if (!isShared(record)) return false;
  if (sharedSeen_.size() > 100'000) sharedSeen_.clear();
  return !sharedSeen_.emplace(launchId, siteOf(record), numberOf(record)).second;
}

/// CPU backend: a key is the low half of the launch id, of a recent launch.
std::uint64_t Router::recentLaunch(std::uint32_t key) const {
  return lastLaunchId_ - (static_cast<std::uint32_t>(lastLaunchId_) - key);
}

void Router::write(std::uint64_t launchId, const Slot* slots, std::size_t count) {
  if (!undecided_.empty() && undecided_.count(launchId) != 0) return hold(launchId, slots, count);
  if (!leftOut_.empty() && leftOut_.count(launchId) != 0) return nameLeftOut(launchId, slots, count);
  for (std::size_t i = 0; i < count;) {
    std::size_t next = i;
    while (next < count && isPlain(slots[next])) next += slotsOf(slots[next]);
    if (next > count) next = count;  // not a whole record: the writer refuses it
    if (next > i) sink_.addRecords(launchId, slots + i, next - i);
    if (next == count) return;
    i = writeSpecial(launchId, slots, next, count);
  }
}

/// What a launch that is left out for the name of its kernel is called: its row has a variable's.
void Router::nameLeftOut(std::uint64_t launchId, const Slot* slots, std::size_t count) {
  if (misnamed_.count(launchId) == 0) return;
  for (std::size_t at = 0; at < count; at += slotsOf(slots[at])) {
    if (!isEntry(slots[at])) continue;
    misnamed_.erase(launchId);
    return sink_.addRecords(launchId, slots + at, 1);
  }
}

/// Writes the record at `at`, or a few, that are no plain accesses; returns where they end.
std::size_t Router::writeSpecial(std::uint64_t launchId, const Slot* slots, std::size_t at,
                                 std::size_t count) {
  const std::size_t next = at + slotsOf(slots[at]);
  if (isLoop(slots[at])) {
    if (next <= count)
      expandLoop(slots + at, expanded_, [this, launchId](const Slot* part, std::size_t size) {
        sink_.addRecords(launchId, part, size);
      });
    else
      stat("records_cut", "data_loss", 1, launchId, "a loop's record that is not whole");
  } else if (hasDeviceForm(slots[at]) && next <= count) {
    expanded_.clear();
    // Many at once, with what comes between them, but not beyond what stays in the cache.
    while (at < count && expanded_.size() < 4096) {
      const std::size_t end = at + slotsOf(slots[at]);
      if (end > count) break;
      if (hasDeviceForm(slots[at]))
        expandDeviceForm(slots + at, expanded_);
      else if (isPlain(slots[at]))
        expanded_.insert(expanded_.end(), slots + at, slots + end);
      else
        break;
      at = end;
    }
    sink_.addRecords(launchId, expanded_.data(), expanded_.size());
    return at;
  } else if (!isRepeated(launchId, slots[at])) {
    sink_.addRecords(launchId, slots + at, std::min(next, count) - at);
  }
  return std::min(next, count);
}

}  // namespace cui::hostlib
