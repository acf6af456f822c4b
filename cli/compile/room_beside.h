// How much PTX a unit's kernels of a kind may be beside its own (tallied_kernels.h, in_place_kernels.h), so
// that ptxas takes for them no more than some multiple of what nvcc takes for the file.
#pragma once

#include <cstddef>

namespace cui::cli {

/// However large the unit is: ptxas takes some four seconds for it.
constexpr std::size_t mostTextBeside = 2'097'152;

/// In bytes, of a unit that has as many in `plain`, without the recorder. All that there may be with
/// CUINSTRUMENT_MODE_KERNELS=all.
std::size_t roomBeside(std::size_t plain);

}  // namespace cui::cli
