// What the lanes of a warp do together.
#include <bit>

#include "cuinstrument/backend/cpu/exec_intrinsics.h"
#include "instructions.h"

namespace cui::cpu::ptx {
namespace {

unsigned readWord(const Instruction& in, std::size_t operand, const Frame& frame) {
  return static_cast<unsigned>(frame.read(in.operands[operand], Type::b32));
}
/// `d`, or the first of `d|p`.
const Operand& target(const Instruction& in) {
  return in.operands[0].kind == Operand::Kind::list ? in.operands[0].parts[0] : in.operands[0];
}
void writePredicate(const Instruction& in, Frame& frame, bool value) {
  if (in.operands[0].kind == Operand::Kind::list)
    frame.write(in.operands[0].parts[1], value ? 1 : 0, Type::pred);
}

}  // namespace

/// shfl.sync.mode.b32 d|p, a, b, c, mask: lanes of a segment read each other's a; c holds the segments' mask
/// and the last lane that may be read, p whether the lane that b names is one.
void shuffle(const Instruction& in, Frame& frame) {
  if (!in.has(Modifier::sync)) frame.unsupported(in, "without .sync");
  const unsigned lane = cuiLaneIndex(), b = readWord(in, 2, frame) & 31, c = readWord(in, 3, frame);
  const unsigned segment = c >> 8 & 31, clamp = c & 31;
  const unsigned last = (lane & segment) | (clamp & ~segment), first = lane & segment;
  unsigned from;
  bool inRange;
  if (in.has(Modifier::up)) {
    from = lane - b;
    inRange = static_cast<int>(from) >= static_cast<int>(last);
  } else {
    from = in.has(Modifier::down) ? lane + b : in.has(Modifier::bfly) ? lane ^ b : first | (b & ~segment);
    inRange = from <= last;
  }
  if (!inRange) from = lane;
  const std::uint64_t value = frame.read(in.operands[1], Type::b32);
  frame.write(target(in), cuiWarpShuffle(readWord(in, 4, frame), cuiShuffleIndex, value, from, 32),
              Type::b32);
  writePredicate(in, frame, inRange);
}

void vote(const Instruction& in, Frame& frame) {
  if (!in.has(Modifier::sync)) frame.unsupported(in, "without .sync");
  const unsigned mask = readWord(in, 2, frame);
  const int predicate = frame.readPredicate(in.operands[1]) ? 1 : 0;
  const unsigned ballot = cuiWarpBallot(mask, predicate);
  if (in.has(Modifier::ballot)) return frame.write(in.operands[0], ballot, Type::b32);
  // Lanes of the mask that have ended do not vote: those without a bit in either ballot.
  const unsigned against = in.has(Modifier::any) ? 0 : cuiWarpBallot(mask, predicate == 0 ? 1 : 0);
  const bool result = in.has(Modifier::any)   ? ballot != 0
                      : in.has(Modifier::all) ? against == 0
                                              : ballot == 0 || against == 0;
  frame.write(in.operands[0], result ? 1 : 0, Type::pred);
}

void match(const Instruction& in, Frame& frame) {
  const std::uint64_t value = frame.read(in.operands[1], in.type());
  const unsigned mask = readWord(in, 2, frame);
  if (in.has(Modifier::any)) return frame.write(in.operands[0], cuiWarpMatchAny(mask, value), Type::b32);
  int predicate = 0;
  frame.write(target(in), cuiWarpMatchAll(mask, value, &predicate), Type::b32);
  writePredicate(in, frame, predicate != 0);
}

void reduce(const Instruction& in, Frame& frame) {
  const CuiReduction kind = in.has(Modifier::add)      ? cuiReduceAdd
                            : in.has(Modifier::bitAnd) ? cuiReduceAnd
                            : in.has(Modifier::bitOr)  ? cuiReduceOr
                            : in.has(Modifier::bitXor) ? cuiReduceXor
                            : in.has(Modifier::min)
                                ? (isSigned(in.type()) ? cuiReduceMinSigned : cuiReduceMin)
                            : isSigned(in.type()) ? cuiReduceMaxSigned
                                                  : cuiReduceMax;
  frame.write(in.operands[0], cuiWarpReduce(readWord(in, 2, frame), kind, readWord(in, 1, frame)), in.type());
}

void activeMask(const Instruction& in, Frame& frame) {
  frame.write(in.operands[0], cuiWarpActive(frame.file(), frame.line()), Type::b32);
}

/// elect.sync d|p, mask: its lowest lane that has come.
void elect(const Instruction& in, Frame& frame) {
  const auto leader = static_cast<unsigned>(std::countr_zero(cuiWarpBallot(readWord(in, 1, frame), 1)));
  frame.write(target(in), leader, Type::b32);
  writePredicate(in, frame, cuiLaneIndex() == leader);
}

}  // namespace cui::cpu::ptx
