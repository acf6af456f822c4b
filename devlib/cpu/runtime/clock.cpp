// clock() is one function with two meanings: in a kernel it counts the device's cycles, in host code the
// process's time. The compiler sees only one declaration, so the C library's definition is replaced.
#include <ctime>

#include "../exec/worker.h"
#include "cuinstrument/host/abi.h"

extern "C" clock_t clock() noexcept {
  if (cui::cpu::Worker::running() != nullptr) return static_cast<clock_t>(cuiNow());  // 1 GHz, as clock64()
  timespec used{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return -1;
  return static_cast<clock_t>(used.tv_sec) * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}
