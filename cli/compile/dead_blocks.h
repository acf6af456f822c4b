// What cannot be run in a function's PTX, as some of its branches depend on known numbers. ptxas would find
// it out, too, but takes its time over all that it reads.
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

/// A body of instructions, each on a line of its own, without the blocks that are never come to. The body as
/// it is where something in it is not known: tables of branches, or branches in inline assembly.
std::string withoutDeadBlocks(std::string_view body);

}  // namespace cui::cli
