#include "reference.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>

#include "../record_lanes.h"
#include "db/store/metrics.h"
#include "hostlib/device_forms.h"
#include "hostlib/lane_logs.h"
#include "hostlib/loops.h"
#include "hostlib/slot.h"

namespace recordertest {
namespace {

using cui::format::RecordType;
using cui::hostlib::Slot;

std::uint64_t laneKey(const Slot& header, unsigned lane) {
  return std::uint64_t{blockOf(header)} << 16 | warpOf(header) << 5 | lane;
}

Request requestOf(const Slot& header) {
  // A slot is a record's header, as four words.
  const auto& record = reinterpret_cast<const cui::format::WarpRecord&>(header);
  return {siteOf(header),
          launchKeyOf(header),
          blockOf(header),
          warpOf(header),
          static_cast<std::uint32_t>(cui::format::spaceOf(flagsOf(header))),
          bytesOf(header),
          activeMaskOf(header),
          cui::test::laneAddresses(record),
          cui::test::laneValues(record),
          0};
}

void addPlain(const Slot* record, const Barriers& barriers, std::vector<Request>& to) {
  to.push_back(requestOf(*record));
  const auto passed =
      barriers.find(laneKey(*record, static_cast<unsigned>(std::countr_zero(to.back().mask))));
  to.back().barriers = passed == barriers.end() ? 0 : passed->second;
}

}  // namespace

std::vector<Request> requestsOf(const void* slots, std::size_t count, unsigned tag, Barriers& barriers) {
  std::vector<Request> requests;
  std::vector<Slot> expanded;
  const auto* const all = static_cast<const Slot*>(slots);
  for (std::size_t at = 0; at < count; at += slotsOf(all[at])) {
    const Slot* const record = all + at;
    if (cui::hostlib::generationA(record->word[1]) != tag ||
        cui::hostlib::generationB(record->word[2]) != tag)
      std::abort();
    if (cui::hostlib::isLoop(*record)) {
      cui::hostlib::expandLoop(record, expanded, [&](const Slot* part, std::size_t size) {
        for (std::size_t i = 0; i < size; i += slotsOf(part[i])) addPlain(part + i, barriers, requests);
      });
    } else if (cui::hostlib::hasDeviceForm(*record)) {
      expanded.clear();
      cui::hostlib::expandDeviceForm(record, expanded);
      addPlain(expanded.data(), barriers, requests);
    } else if (cui::format::typeOf(flagsOf(*record)) == RecordType::access) {
      addPlain(record, barriers, requests);
    } else if (cui::hostlib::isProgress(*record)) {
      const auto lane = static_cast<unsigned>(std::countr_zero(activeMaskOf(*record)));
      barriers[laneKey(*record, lane)] = record->word[0];
    }
  }
  return requests;
}

std::vector<Request> requestsOfLogs(const std::vector<std::pair<const void*, std::size_t>>& logs) {
  cui::hostlib::LaneLogs all;
  for (const auto& [begin, bytes] : logs) {
    const auto* const first = static_cast<const Slot*>(begin);
    all.add(std::make_shared<const std::vector<Slot>>(first, first + bytes / sizeof(Slot)));
  }
  std::vector<Request> requests;
  const Barriers barriers;
  const std::uint64_t lost = all.take([&](const std::vector<Slot>& records) {
    for (std::size_t at = 0; at < records.size(); at += slotsOf(records[at]))
      addPlain(&records[at], barriers, requests);
  });
  if (lost != 0) std::abort();
  return requests;
}

Totals totalsOf(const std::vector<Request>& requests) {
  Totals totals;
  for (const Request& request : requests) {
    const auto space = static_cast<cui::format::Space>(request.space);
    const bool shared = space == cui::format::Space::shared;
    const cui::db::AccessCost cost =
        cui::db::measureLanes(space, request.bytes, request.mask, request.address.data());
    const auto lanes = static_cast<unsigned>(std::popcount(request.mask));
    cui::format::ProfileSums sums = {};
    sums.requests = 1;
    sums.bytes = std::uint64_t{lanes} * request.bytes;
    sums.idleLanes = 32 - lanes;
    if (shared) {
      sums.excess = cost.wavefronts - cost.idealWavefronts;
      sums.idealDelta = std::uint64_t{cost.idealWavefronts} - 1;
    } else {
      sums.excess = cost.sectors - cost.idealSectors;
      sums.idealDelta = std::uint64_t{32} * cost.idealSectors - sums.bytes;
      sums.uselessBytes = sums.bytes - cost.usefulBytes;
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((request.mask >> lane & 1u) == 0) continue;
      sums.high = std::max<unsigned long long>(sums.high, request.address[lane] + request.bytes - 1);
      sums.inverseLow = std::max<unsigned long long>(sums.inverseLow, ~request.address[lane]);
    }
    cui::format::addSums(totals[{request.site, shared}], sums);
  }
  return totals;
}

}  // namespace recordertest
