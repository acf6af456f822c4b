// Jumps, traps, barriers of the block.
#include "../exec/worker.h"
#include "cuinstrument/backend/cpu/backend.h"
#include "instructions.h"

namespace cui::cpu::ptx {

void branch(const Instruction& in, Frame& frame) {
  const std::size_t target = in.operands[0].bits;
  if (target < frame.next()) cuiSpinPoint();
  frame.goTo(target);
}

void endThread(const Instruction& in, Frame& frame) {
  if (Worker::running() == nullptr) frame.unsupported(in, "on the host");
  Worker::running()->endLane();
}

void trap(const Instruction&, Frame&) {
  cuiTrap();
}

void sleep(const Instruction&, Frame&) {
  cuiLaneYield();
}

/// bar{.cta}.sync, .red.popc, .red.and, .red.or; bar.warp.sync; a cluster's barrier, where who arrives waits
/// only when it waits. Barriers without a number of threads, which are all that have not exited then, are
/// one.
void barrier(const Instruction& in, Frame& frame) {
  if (in.has(Modifier::warp))
    return cuiWarpBarrier(static_cast<std::uint32_t>(frame.read(in.operands[0], Type::b32)));
  if (in.has(Modifier::cluster)) {
    if (in.has(Modifier::wait)) cuiClusterBarrier();
    return;
  }
  const bool combines = in.has(Modifier::red);
  const std::size_t first = combines ? 1 : 0, last = in.operands.size() - (combines ? 1 : 0);
  const bool isCounted = last > first + 1;
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const auto count =
      static_cast<unsigned>(isCounted ? frame.read(in.operands[first + 1], Type::b32) : threads);
  // One for all threads may be another's that only arrives.
  if (isCounted && !combines) {
    const auto id = static_cast<unsigned>(frame.read(in.operands[first], Type::b32));
    return Worker::running()->namedBarrier(id, count, !in.has(Modifier::arrive));
  }
  if (count < threads) frame.unsupported(in, "of some threads");
  if (!combines) {
    cuiBlockBarrier(cuiBarrierPlain, 0);
    return;
  }
  const CuiBarrier kind = in.has(Modifier::popc)     ? cuiBarrierCount
                          : in.has(Modifier::bitAnd) ? cuiBarrierAnd
                                                     : cuiBarrierOr;
  const int result = cuiBlockBarrier(kind, frame.readPredicate(in.operands.back()) ? 1 : 0);
  const bool isNumber = in.has(Modifier::popc);
  frame.write(in.operands[0], static_cast<unsigned>(result), isNumber ? Type::u32 : Type::pred);
}

}  // namespace cui::cpu::ptx
