#include "grid.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "cuinstrument/host/abi.h"
#include "error_codes.h"

namespace cui::cpu {

namespace {

/// cudaStreamTailLaunch, as driver_types.h spells it for programs.
constexpr std::uintptr_t tailLaunchStream = 3;

std::atomic<std::uint64_t> gridsBegun{0};

/// A positive number from the environment; `fallback` where it is unset or not one.
std::uint64_t setting(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return fallback;
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (*end == '\0' && value != 0 && *text != '-') return value;
  std::fprintf(stderr, "cuinstrument: %s=%s is not a positive number: using %llu\n", name, text,
               static_cast<unsigned long long>(fallback));
  return fallback;
}

}  // namespace

Grid::Grid(const backend::LaunchShape& launchShape, unsigned maxWorkers)
    : shape(launchShape),
      number(++gridsBegun),
      threads(shape.block[0] * shape.block[1] * shape.block[2]),
      blocks(static_cast<std::uint64_t>(shape.grid[0]) * shape.grid[1] * shape.grid[2]),
      clusters(shape),
      workers(shape.cooperative || maxWorkers > blocks ? static_cast<unsigned>(blocks)
                                                       : clusters.workersFor(std::max(1u, maxWorkers))),
      order(workers > 1, !shape.cooperative && clusters.blocks() == 1),
      running_(blocks) {
  threadIndex.reserve(threads);
  for (unsigned z = 0; z < shape.block[2]; ++z)
    for (unsigned y = 0; y < shape.block[1]; ++y)
      for (unsigned x = 0; x < shape.block[0]; ++x) threadIndex.push_back({{x, y, z, 0}});
}

void Grid::count(std::uint32_t site, std::uint64_t requests, std::uint64_t threadAccesses) {
  std::lock_guard<std::mutex> lock(mutex_);
  CuiCounter& counter = counts_[site];
  counter.launchKey = launchKey;
  counter.site = site;
  counter.requests += requests;
  counter.threadAccesses += threadAccesses;
}

void Grid::reportCounts() {
  std::vector<CuiCounter> counters;
  counters.reserve(counts_.size());
  for (const auto& entry : counts_) counters.push_back(entry.second);
  if (!counters.empty()) cuiCounters(0, counters.data(), counters.size());
}

void Grid::fail(int error, const std::string& message) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (error_.load() != 0) return;
  error_.store(error);
  std::fflush(stdout);  // what the kernel printed comes before the report
  std::fprintf(stderr, "cuinstrument: %s\n", message.c_str());
  allArrived_.notify_all();
  clusters.wake();
}

void Grid::needCluster(const unsigned (&extent)[3]) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (error_.load() != 0) return;
  std::copy_n(extent, 3, needed_);
  error_.store(errorInvalidClusterSize);
  allArrived_.notify_all();
}

void Grid::launchLater(LaterLaunch launch) {
  std::lock_guard<std::mutex> lock(mutex_);
  launch.number = later_.size();
  later_.push_back(std::move(launch));
}

std::vector<LaterLaunch> Grid::takeLaterLaunches() {
  const auto place = [](const LaterLaunch& launch) {
    return std::make_tuple(reinterpret_cast<std::uintptr_t>(launch.shape.stream) == tailLaunchStream,
                           launch.block, launch.number);
  };
  std::sort(later_.begin(), later_.end(),
            [&](const LaterLaunch& a, const LaterLaunch& b) { return place(a) < place(b); });
  return std::move(later_);
}

bool Grid::waitForAllBlocks() {
  std::unique_lock<std::mutex> lock(mutex_);
  const std::uint64_t phase = phase_;
  if (++arrived_ == running_) {
    arrived_ = 0;
    ++phase_;
    allArrived_.notify_all();
    return error_.load() == 0;
  }
  allArrived_.wait(lock, [&] { return phase_ != phase || error_.load() != 0; });
  return error_.load() == 0;
}

void Grid::blockEnded() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (--running_ != arrived_ || arrived_ == 0) return;
  arrived_ = 0;
  ++phase_;
  allArrived_.notify_all();
}

const ExecOptions& execOptions() {
  static const ExecOptions options = [] {
    ExecOptions o;
    o.stackBytes = setting("CUINSTRUMENT_CPU_STACK_KB", 256) << 10;
    const char* lockstep = std::getenv("CUINSTRUMENT_CPU_LOCKSTEP");
    o.lockstep = lockstep != nullptr && *lockstep == '1';
    o.spinLimitNs = static_cast<std::int64_t>(setting("CUINSTRUMENT_CPU_SPIN_MS", 10000)) * 1000000;
    return o;
  }();
  return options;
}

const char* errorName(int code) {
  switch (code) {
    case errorInvalidValue:
      return "cudaErrorInvalidValue";
    case errorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case errorLaunchMaxDepthExceeded:
      return "cudaErrorLaunchMaxDepthExceeded";
    case errorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case errorLaunchOutOfResources:
      return "cudaErrorLaunchOutOfResources";
    case errorLaunchTimeout:
      return "cudaErrorLaunchTimeout";
    case errorAssert:
      return "cudaErrorAssert";
    case errorLaunchFailure:
      return "cudaErrorLaunchFailure";
    case errorCooperativeLaunchTooLarge:
      return "cudaErrorCooperativeLaunchTooLarge";
    case errorInvalidClusterSize:
      return "cudaErrorInvalidClusterSize";
    case errorNotSupported:
      return "cudaErrorNotSupported";
    default:
      return "cudaErrorUnknown";
  }
}

}  // namespace cui::cpu
