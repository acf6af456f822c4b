// One warp of the running block: what each lane is doing, and what lanes wait for together.
#pragma once

#include <cstdint>

#include "cuinstrument/backend/cpu/exec_intrinsics.h"
#include "fiber.h"
#include "warp_logs.h"

namespace cui::cpu {

/// What a lane waits for with the other lanes of its mask.
enum class WarpOpKind : std::uint8_t {
  barrier,
  shuffle,
  ballot,
  matchAny,
  matchAll,
  reduce,
  together,
  active
};

struct WarpOp {
  WarpOpKind kind;
  std::uint8_t variant;  ///< CuiShuffle or CuiReduction
  std::uint16_t width;   ///< of a shuffle's segments
  std::uint32_t mask;
  std::uint64_t value;      ///< contributed
  std::uint32_t operand;    ///< a shuffle's lane, delta or lane mask
  std::uint32_t predicate;  ///< result of match_all
  std::uint64_t result;
  CuiTogether function;  ///< of a `together`, whose value is the lane's argument
  const char* file;      ///< of an activemask: where it is in the source …
  std::uint32_t line;
  std::uintptr_t depth;  ///< … and bytes of stack
};

struct Index3;

/// Sets of lanes, one bit each. A lane is in exactly one of ready, full, atBarrier, atWarpOp, finished.
struct Warp {
  std::uint32_t exists = 0;     ///< lanes below the block's size
  std::uint32_t ready = 0;      ///< can run; without a fiber: not started
  std::uint32_t full = 0;       ///< wait for room in their logs
  std::uint32_t yielded = 0;    ///< wait until the others have had a turn
  std::uint32_t atBarrier = 0;  ///< of the block
  std::uint32_t atWarpOp = 0;
  std::uint32_t finished = 0;
  std::uint32_t spinning = 0;      ///< lanes whose last log held nothing but a few addresses over and over
  std::uint32_t held = 0;          ///< full lanes that the last merge gave no room
  std::uint32_t hungryRounds = 0;  ///< merges in a row that held lanes back for spinning ones
  std::uint32_t waitedRounds = 0;  ///< rounds that activemask callers have waited for lanes to arrive
  bool recorded = false;
  const Index3* threadIndex = nullptr;  ///< of its first lane
  WarpLogs* logs = nullptr;             ///< null where nothing is logged
  Fiber* fiber[warpLanes] = {};
  WarpOp op[warpLanes];
  std::int32_t predicate[warpLanes];    ///< at the block's barrier; then its result
  std::uint8_t barrierKind[warpLanes];  ///< CuiBarrier

  std::uint32_t live() const { return exists & ~finished; }
};

/// Completes what can be: sets results and returns the lanes released (moved to ready).
std::uint32_t completeWarpOps(Warp& warp);

/// Completes one group of lanes at an activemask, the one that is behind; returns it (0: nobody waits).
std::uint32_t completeActive(Warp& warp);

/// The intrinsic's name for reports.
const char* nameOf(WarpOpKind kind);

}  // namespace cui::cpu
