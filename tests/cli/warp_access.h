// An access of some lanes of a warp that runs PTX (ptx_warp.h), as they made it, or as a record says it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "../unit/record_lanes.h"
#include "hostlib/slot.h"
#include "ptx_warp.h"

namespace cui::cli {

struct WarpAccess {
  unsigned site = 0;
  std::uint32_t lanes = 0;
  std::array<std::uint64_t, warpLanes> places = {};  ///< of the others: 0
  auto operator<=>(const WarpAccess&) const = default;
};

/// Of a record as the store has it, with its payload. Sites are numbered from `firstSite` on.
inline WarpAccess accessIn(const hostlib::Slot* record, unsigned firstSite) {
  // A slot is a record's header, as four words.
  const auto& header = reinterpret_cast<const format::WarpRecord&>(*record);
  return {hostlib::siteOf(*record) - firstSite, hostlib::activeMaskOf(*record), test::laneAddresses(header)};
}

}  // namespace cui::cli
