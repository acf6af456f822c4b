// Calls of the recorder that follow each other as one call. Where a source has very many sites each access is
// a call by itself (recordAtSite()), and ptxas takes more than a millisecond for each, whatever it is called
// with. Between many of them stands what only computes, loads and stores: there each access's address is put
// down in the lane's own memory, and in the last call's place all of them are recorded in their order
// (recordInARow()), by what a table of the unit's says of them.
//
// So the records are the same. What comes between two of them may be done before the first: if a load or
// store there ends the kernel by a fault, the accesses in front of it are not in the trace.
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

/// The unit with such calls joined.
std::string withCallsInARow(std::string_view ptx);

}  // namespace cui::cli
