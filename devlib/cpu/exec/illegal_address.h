// Memory faults of device code: as on a device, they fail the grid with cudaErrorIllegalAddress and leave
// the host program alive; the message names kernel, thread and the last recorded access.
#pragma once

namespace cui::cpu {

/// Called before each launch: makes sure that faults are caught on the calling thread. Faults outside
/// kernels, in other libraries' code, or where the program has its own handler, stay what they were.
void catchIllegalAddresses();
/// The same for a worker thread.
void useSignalStack();

}  // namespace cui::cpu
