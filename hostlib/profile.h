// What a GPU adds up in profile mode, as the trace has it. A pure function.
#pragma once

#include <cstdint>

#include "cuinstrument/host/abi.h"
#include "db/store/trace_writer.h"

namespace cui::hostlib {

/// Adds what another part of the device added up for the same launch and site.
void addProfile(CuiProfile& sums, const CuiProfile& more);

db::AccessTotals totalsOf(const CuiProfile& profile);

}  // namespace cui::hostlib
