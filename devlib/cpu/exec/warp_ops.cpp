// What the lanes of a mask compute together once all of them have arrived.
#include "warp.h"

namespace cui::cpu {

namespace {

std::uint64_t shuffled(const Warp& warp, unsigned lane, std::uint32_t arrived) {
  const WarpOp& op = warp.op[lane];
  const std::uint32_t width = op.width == 0 || op.width > warpLanes ? warpLanes : op.width;
  const std::uint32_t segmentMask = warpLanes - width;  // as the instruction's operand c has it
  const std::uint32_t first = lane & segmentMask;
  const std::uint32_t last = first | (~segmentMask & (warpLanes - 1));
  std::int64_t source = lane;
  bool inSegment = true;
  switch (op.variant) {
    case cuiShuffleIndex:
      source = first | (op.operand & ~segmentMask & (warpLanes - 1));
      break;
    case cuiShuffleUp:
      source = static_cast<std::int64_t>(lane) - op.operand;
      inSegment = source >= first;
      break;
    case cuiShuffleDown:
      source = static_cast<std::int64_t>(lane) + op.operand;
      inSegment = source <= last;
      break;
    default:
      source = lane ^ op.operand;
      inSegment = source <= last;
  }
  // Reading a lane that takes no part is undefined in CUDA; here a lane then keeps its own value.
  if (!inSegment || (arrived >> source & 1u) == 0) return op.value;
  return warp.op[source].value;
}

std::uint32_t reduced(const Warp& warp, std::uint32_t lanes) {
  const WarpOp& first = warp.op[firstLane(lanes)];
  auto result = static_cast<std::uint32_t>(first.value);
  for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
    const auto value = static_cast<std::uint32_t>(warp.op[firstLane(lanes)].value);
    const auto a = static_cast<std::int32_t>(result), b = static_cast<std::int32_t>(value);
    switch (first.variant) {
      case cuiReduceAdd:
        result += value;
        break;
      case cuiReduceMin:
        result = value < result ? value : result;
        break;
      case cuiReduceMax:
        result = value > result ? value : result;
        break;
      case cuiReduceMinSigned:
        result = b < a ? value : result;
        break;
      case cuiReduceMaxSigned:
        result = b > a ? value : result;
        break;
      case cuiReduceAnd:
        result &= value;
        break;
      case cuiReduceOr:
        result |= value;
        break;
      default:
        result ^= value;
    }
  }
  return result;
}

/// Lanes among `lanes` that contributed the same value as `lane`.
std::uint32_t matching(const Warp& warp, unsigned lane, std::uint32_t lanes) {
  std::uint32_t same = 0;
  for (; lanes != 0; lanes &= lanes - 1)
    if (warp.op[firstLane(lanes)].value == warp.op[lane].value) same |= 1u << firstLane(lanes);
  return same;
}

void callTogether(const Warp& warp, std::uint32_t lanes) {
  void* arguments[warpLanes] = {};
  for (std::uint32_t left = lanes; left != 0; left &= left - 1)
    // NOLINTNEXTLINE(performance-no-int-to-ptr): it travels as every lane's value does
    arguments[firstLane(left)] = reinterpret_cast<void*>(warp.op[firstLane(left)].value);
  warp.op[firstLane(lanes)].function(arguments);
}

void complete(Warp& warp, std::uint32_t lanes) {
  const WarpOp& any = warp.op[firstLane(lanes)];
  if (any.kind == WarpOpKind::together) return callTogether(warp, lanes);
  std::uint64_t common = 0;  // the result of all lanes, where it is one
  if (any.kind == WarpOpKind::reduce) {
    common = reduced(warp, lanes);
  } else if (any.kind == WarpOpKind::ballot) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1)
      if (warp.op[firstLane(left)].value != 0) common |= 1u << firstLane(left);
  } else if (any.kind == WarpOpKind::matchAll) {
    common = matching(warp, firstLane(lanes), lanes) == lanes ? lanes : 0;
  }
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const unsigned lane = firstLane(left);
    WarpOp& op = warp.op[lane];
    op.predicate = common != 0;
    op.result = op.kind == WarpOpKind::shuffle    ? shuffled(warp, lane, lanes)
                : op.kind == WarpOpKind::matchAny ? matching(warp, lane, lanes)
                                                  : common;
  }
}

}  // namespace

std::uint32_t completeWarpOps(Warp& warp) {
  std::uint32_t released = 0;
  for (std::uint32_t left = warp.atWarpOp; left != 0;) {
    const WarpOp& op = warp.op[firstLane(left)];
    std::uint32_t arrived = 0;
    for (std::uint32_t others = left; others != 0; others &= others - 1) {
      const WarpOp& other = warp.op[firstLane(others)];
      if (other.kind == op.kind && other.variant == op.variant && other.mask == op.mask &&
          other.function == op.function)
        arrived |= 1u << firstLane(others);
    }
    left &= ~arrived;
    if (op.kind == WarpOpKind::active) continue;
    // Exited lanes count as arrived.
    if ((op.mask & warp.live() & ~arrived) != 0) continue;
    complete(warp, arrived);
    released |= arrived;
  }
  warp.atWarpOp &= ~released;
  warp.ready |= released;
  return released;
}

std::uint32_t completeActive(Warp& warp) {
  // Of several such calls the one that is behind: deepest, then first in its file.
  const WarpOp* behind = nullptr;
  std::uint32_t lanes = 0;
  for (std::uint32_t left = warp.atWarpOp; left != 0; left &= left - 1) {
    const WarpOp& op = warp.op[firstLane(left)];
    if (op.kind != WarpOpKind::active) continue;
    const bool same =
        behind != nullptr && op.depth == behind->depth && op.line == behind->line && op.file == behind->file;
    if (!same) {
      const bool before = behind == nullptr || op.depth > behind->depth ||
                          (op.depth == behind->depth && op.line < behind->line);
      if (!before) continue;
      behind = &op;
      lanes = 0;
    }
    lanes |= 1u << firstLane(left);
  }
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) warp.op[firstLane(left)].result = lanes;
  warp.atWarpOp &= ~lanes;
  warp.ready |= lanes;
  return lanes;
}

const char* nameOf(WarpOpKind kind) {
  switch (kind) {
    case WarpOpKind::barrier:
      return "__syncwarp";
    case WarpOpKind::shuffle:
      return "__shfl_sync";
    case WarpOpKind::ballot:
      return "a vote (__ballot_sync, __any_sync, __all_sync)";
    case WarpOpKind::matchAny:
      return "__match_any_sync";
    case WarpOpKind::matchAll:
      return "__match_all_sync";
    case WarpOpKind::reduce:
      return "__reduce_sync";
    case WarpOpKind::together:
      return "a matrix operation of the warp";
    default:
      return "__activemask";
  }
}

}  // namespace cui::cpu
