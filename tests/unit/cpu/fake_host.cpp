#include "fake_host.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "../record_lanes.h"
#include "cuinstrument/format/site_rows.h"

namespace cui::test {

namespace {
std::mutex mutex;
std::uint32_t nextSite = 100;  // not 0: a site that forgot its base shows
}  // namespace

FakeHost& host() {
  static FakeHost instance;
  return instance;
}

void FakeHost::clear() {
  slots.clear();
  begun.clear();
  ended.clear();
  stats.clear();
  counters.clear();
  allocated.clear();
  freed.clear();
  operations.clear();
  synchronizations.clear();
}

std::vector<Access> FakeHost::accesses() const {
  std::vector<Access> all;
  for (std::size_t i = 0; i < slots.size();) {
    const format::WarpRecord& r = slots[i++];
    if (format::typeOf(r.flags) != format::RecordType::access) continue;
    Access a{format::siteOf(r),
             r.launch,
             r.block,
             format::warpOf(r),
             r.activeMask,
             format::bytesOf(r),
             r.address,
             format::formOf(r.flags),
             format::spaceOf(r.flags),
             r.stride,
             {},
             {}};
    const auto addresses = laneAddresses(r);
    a.lane.assign(addresses.begin(), addresses.end());
    a.values = laneValues(r);
    i += format::payloadSlots(r.flags, a.bytes);
    all.push_back(a);
  }
  return all;
}

std::vector<Access> FakeHost::accesses(std::uint32_t site) const {
  std::vector<Access> some;
  for (Access& a : accesses())
    if (a.site == site) some.push_back(a);
  return some;
}

std::vector<Announcement> FakeHost::announcements() const {
  std::vector<Announcement> all;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const format::WarpRecord& r = slots[i];
    if (format::typeOf(r.flags) == format::RecordType::access)
      i += format::payloadSlots(r.flags, format::bytesOf(r));
    else
      all.push_back(
          {format::typeOf(r.flags), format::siteOf(r), r.launch, r.activeMask, r.block, r.address, r.stride});
  }
  return all;
}

}  // namespace cui::test

using cui::test::host;
using Lock = std::lock_guard<std::mutex>;

std::int64_t cuiNow(void) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
std::uint32_t cuiRegisterUnit(std::uint32_t, const cui::format::UnitTable* unit) {
  Lock lock(cui::test::mutex);
  if (!cui::format::readSiteRows(*unit)) std::abort();
  const std::uint32_t first = cui::test::nextSite;
  cui::test::nextSite += unit->siteCount + 1;
  return first;
}
int cuiRecording(void) {
  return host().recording;
}
const CuiOptions* cuiOptions(void) {
  return &host().options;
}
std::uint64_t cuiLaunchBegin(const CuiLaunch* launch) {
  Lock lock(cui::test::mutex);
  host().begun.push_back(*launch);
  return ++host().launches;
}
int cuiLaunchSelected(const cui::format::UnitTable*, std::uint32_t, std::uint64_t) {
  return 1;
}
void cuiLaunchEnd(std::uint64_t id, std::int64_t, int error, const char* name) {
  Lock lock(cui::test::mutex);
  host().ended.push_back({id, error, name});
}
void cuiLaunchTime(std::uint64_t, std::int64_t, std::int64_t) {}
void cuiDeviceGridBase(std::int32_t, std::uint64_t) {}
void cuiDeviceTimer(std::int32_t, std::int64_t) {}
void cuiAllocated(const CuiAllocation* allocation) {
  Lock lock(cui::test::mutex);
  host().allocated.push_back(*allocation);
}
void cuiFreed(std::uint64_t address, const char*, std::int64_t) {
  Lock lock(cui::test::mutex);
  host().freed.push_back(address);
}
void cuiBeginInnerCalls(void) {}
void cuiEndInnerCalls(void) {}
int cuiInnerCall(void) {
  return 0;
}
void cuiVariable(const cui::format::UnitTable*, std::uint32_t, std::uint64_t, std::uint64_t, std::int32_t) {}
void cuiMemoryOperation(const CuiMemoryOperation* operation) {
  Lock lock(cui::test::mutex);
  host().operations.push_back(*operation);
}
void cuiSynchronization(const CuiSynchronization* synchronization) {
  Lock lock(cui::test::mutex);
  host().synchronizations.push_back(*synchronization);
}
void cuiDevice(const CuiDevice*) {}
void cuiSubmit(const void* slots, std::size_t slotCount) {
  Lock lock(cui::test::mutex);
  const auto* records = static_cast<const cui::format::WarpRecord*>(slots);
  host().slots.insert(host().slots.end(), records, records + slotCount);
}
void cuiAttachRing(const CuiRing*) {}
std::uint64_t cuiDrainRing(const CuiRing*, std::uint64_t produced, std::int64_t, int) {
  return produced;
}
void cuiCounters(std::int32_t, const CuiCounter* counters, std::size_t count) {
  Lock lock(cui::test::mutex);
  host().counters.insert(host().counters.end(), counters, counters + count);
}
void cuiStat(const char* name, const char* severity, std::int64_t value, std::uint64_t, const char* detail) {
  Lock lock(cui::test::mutex);
  host().stats.push_back({name, severity, detail == nullptr ? "" : detail, value});
}
void cuiAtClose(void (*)(void)) {}
void cuiFlush(void) {}
