// Where the executor leaves error codes for the runtime API; devlib/cpu/runtime implements these.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cui {
namespace cpu {

/// The calling host thread's last error, as cudaGetLastError reports and clears it: a refused launch.
void setLastError(int error);
/// An error of the context that no call clears: a kernel that trapped, asserted or hung. Every later
/// runtime call returns it.
void setStickyError(int error);
/// The sticky error, 0 if there is none: after one, no kernel runs.
int stickyError();

/// Which device the calling host thread has chosen.
int currentDevice();

/// Largest dynamic shared memory that any kernel has been granted, at least 48 KiB.
std::size_t grantedDynamicShared();

/// Blocks of this size that the device holds at once: how many a cooperative grid may have.
std::uint64_t residentBlocks(unsigned blockThreads, std::size_t dynamicSharedBytes);

}  // namespace cpu
}  // namespace cui
