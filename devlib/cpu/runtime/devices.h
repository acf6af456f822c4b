// How many devices there are, and which one a host thread has chosen. They are alike, and have one memory:
// what one can reach, all can, and a __device__ variable is the same in all of them.
#pragma once

#include "../exec/error_state.h"

namespace cui::cpu {

/// CUINSTRUMENT_CPU_DEVICES, 1 to 8; 1 if it is not set.
int deviceCount();
inline bool isDevice(int number) {
  return number >= 0 && number < deviceCount();
}

}  // namespace cui::cpu
