// Launches: checks the shape as CUDA does, tells hostlib, runs the grid on the workers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "cuinstrument/backend/cpu/exec_launch.h"
#include "cuinstrument/host/abi.h"
#include "error_codes.h"
#include "error_state.h"
#include "grid.h"
#include "illegal_address.h"
#include "pool.h"
#include "worker.h"

namespace cui::cpu {

namespace {

constexpr unsigned maxBlockThreads = 1024;
constexpr unsigned maxBlock[3] = {1024, 1024, 64};
constexpr unsigned maxGrid[3] = {2147483647, 65535, 65535};
constexpr std::size_t sharedBytesWithoutOptIn = 48 << 10;

/// Static shared memory that the kernel's own declarations need, as far as the unit's table knows it.
std::size_t staticSharedBytes(const format::UnitTable& unit, const char* kernel) {
  std::size_t bytes = 0;
  if (*kernel == '\0') return 0;
  for (std::uint32_t i = 0; i < unit.variableCount; ++i) {
    const format::VariableEntry& variable = unit.variables[i];
    if (variable.space == format::Space::shared && variable.dynamic == 0 &&
        std::strcmp(variable.function, kernel) == 0)
      bytes += variable.bytes;
  }
  return bytes;
}

/// Null where no unit has it.
const format::LaunchEntry* rowOf(const backend::CalledLaunch& named) {
  const bool known = named.unit != nullptr && named.entry < named.unit->launchCount;
  return known ? &named.unit->launches[named.entry] : nullptr;
}

int checkShape(const backend::CalledLaunch& named, const backend::LaunchShape& shape) {
  std::uint64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (shape.block[i] == 0 || shape.block[i] > maxBlock[i]) return errorInvalidConfiguration;
    if (shape.grid[i] == 0 || shape.grid[i] > maxGrid[i]) return errorInvalidConfiguration;
    threads *= shape.block[i];
  }
  if (threads > maxBlockThreads) return errorInvalidConfiguration;
  const format::LaunchEntry* const row = rowOf(named);
  const std::size_t fixed = row != nullptr ? staticSharedBytes(*named.unit, row->kernelBase) : 0;
  const std::size_t limit = grantedDynamicShared();
  // Without the opt-in static and dynamic memory share 48 KB; with it, everything the device has.
  const std::size_t total = limit > sharedBytesWithoutOptIn ? sharedWindowBytes : sharedBytesWithoutOptIn;
  if (shape.sharedBytes > limit || shape.sharedBytes + fixed > total) return errorInvalidValue;
  const std::uint64_t blocks = std::uint64_t{shape.grid[0]} * shape.grid[1] * shape.grid[2];
  if (shape.cooperative && blocks > residentBlocks(static_cast<unsigned>(threads), shape.sharedBytes))
    return errorCooperativeLaunchTooLarge;
  if (shape.cluster[0] == 0) return 0;
  std::uint64_t clusterBlocks = 1;
  for (int i = 0; i < 3; ++i) {
    if (shape.cluster[i] == 0 || shape.grid[i] % shape.cluster[i] != 0) return errorInvalidClusterSize;
    clusterBlocks *= shape.cluster[i];
  }
  if (clusterBlocks > maxClusterBlocks) return errorInvalidClusterSize;
  return 0;
}

/// One launch at a time: a grid's blocks may use every worker, and records come launch by launch.
std::mutex launching;

void runGrid(Grid& grid) {
  std::lock_guard<std::mutex> lock(launching);
  if (grid.workers > 1)
    WorkerPool::instance().run(grid);
  else
    Worker::ofThisThread().runBlocks(grid);
  grid.order.close();
  grid.reportCounts();
}

}  // namespace

}  // namespace cui::cpu

namespace cui::backend {

using namespace cui::cpu;

CalledLaunch& calledLaunch() {
  static thread_local CalledLaunch called = {};
  return called;
}

void launch(const format::UnitTable* unit, unsigned launchEntry, const LaunchShape& shape,
            void (*thread)(void*), void* context) {
  const CalledLaunch named = shape.named.unit != nullptr ? shape.named : CalledLaunch{unit, launchEntry};
  const format::LaunchEntry* const row = rowOf(named);
  const char* const kernel = row != nullptr ? row->kernel : "(unknown)";
  if (Worker* worker = Worker::running()) {
    worker->fail(errorNotSupported,
                 "a kernel is launched from device code by a call: only k<<<…>>>(…) works there");
    worker->stop();
  }
  static thread_local unsigned depth = 0;
  std::vector<LaterLaunch> later;
  const bool recording = cuiRecording() != 0;
  std::uint64_t launchId = 0;
  if (recording) {
    CuiLaunch event = {};
    event.unit = unit;
    event.device = currentDevice();
    event.launchEntry = launchEntry;
    std::memcpy(event.grid, shape.grid, sizeof event.grid);
    std::memcpy(event.block, shape.block, sizeof event.block);
    event.dynamicSharedBytes = shape.sharedBytes;
    event.stream = reinterpret_cast<std::uintptr_t>(shape.stream);
    event.hostBeginNs = cuiNow();
    const bool isVariable = row != nullptr && *row->kernelBase == '\0';  // whose kernel will say its name
    if (shape.named.unit != nullptr && !isVariable) event.kernel = kernel;
    launchId = cuiLaunchBegin(&event);
  }
  int error = stickyError();
  LaunchShape shaped = shape;
  for (bool hasRun = false; !hasRun;) {
    if (error == 0) error = checkShape(named, shaped);
    if (error != 0) {
      setLastError(error);
      break;
    }
    Grid grid(shaped, cuiOptions()->cpuThreads);
    grid.thread = thread;
    grid.context = context;
    grid.depth = depth;
    grid.kernel = kernel;
    grid.launchKey = static_cast<std::uint32_t>(launchId);
    grid.recording = recording && cuiLaunchSelected(named.unit, named.entry, launchId) != 0;
    catchIllegalAddresses();
    const std::int64_t begin = cuiNow();
    runGrid(grid);
    hasRun = grid.neededCluster() == nullptr;
    if (!hasRun) {  // its kernel has said what the launch did not
      std::copy_n(grid.neededCluster(), 3, shaped.cluster);
      continue;
    }
    if (recording) cuiLaunchTime(launchId, begin, cuiNow());
    if (grid.error() == 0) {
      later = grid.takeLaterLaunches();
    } else {
      // As on a device, the launch itself succeeded: the error shows at the next call.
      setStickyError(grid.error());
      if (recording) cuiStat("kernel_failed", "error", grid.error(), launchId, errorName(grid.error()));
    }
  }
  if (recording) cuiLaunchEnd(launchId, cuiNow(), error, error == 0 ? "cudaSuccess" : errorName(error));
  ++depth;
  for (const LaterLaunch& child : later)
    launch(child.unit, child.entry, child.shape, child.thread, child.context.get());
  --depth;
}

void launchLater(const format::UnitTable* unit, unsigned launchEntry, const LaunchShape& shape,
                 void (*thread)(void*), void* context, void (*destroy)(void*)) {
  Worker& worker = *Worker::running();
  if (worker.launchLater({0, 0, unit, launchEntry, shape, thread, {context, destroy}})) return;
  worker.fail(errorLaunchMaxDepthExceeded, "kernels launch each other more than 24 deep");
  worker.stop();
}

}  // namespace cui::backend
