// What the recorder's records mean, and what they cost: the store's own code, for tests to compare with.
// Plain C++: CUDA sources include it, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cuinstrument/format/profile.h"

namespace recordertest {

/// A request: what the lanes of a warp do together at a site.
struct Request {
  std::uint32_t site, launch, block, warp, space, bytes, mask;
  std::array<std::uint64_t, 32> address;  ///< where bit i of mask is set
  std::vector<unsigned char> values;      ///< lane i's at i * bytes; empty: none were recorded
  std::uint64_t barriers;                 ///< that the lane which leads it has passed, as marks in front say
};

/// The requests that `count` slots hold, in their order, loops and rows expanded. Whole records; ends the
/// program where a header has not the tag. `barriers`: by block, warp and lane, from call to call.
using Barriers = std::map<std::uint64_t, std::uint64_t>;
std::vector<Request> requestsOf(const void* slots, std::size_t count, unsigned tag, Barriers& barriers);

/// Those of logs that lanes have written (format/lane_log.h), each with its bytes.
std::vector<Request> requestsOfLogs(const std::vector<std::pair<const void*, std::size_t>>& logs);

/// Totals by site and whether memory is shared, as profile mode adds them up.
using Totals = std::map<std::pair<std::uint32_t, bool>, cui::format::ProfileSums>;
Totals totalsOf(const std::vector<Request>& requests);

}  // namespace recordertest
