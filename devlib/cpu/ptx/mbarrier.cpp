// mbarrier: a barrier in shared memory that waits for arrivals of threads and for bytes of asynchronous
// copies; and the bulk copies that report to one. Copies are made at once. Another block of the cluster may
// arrive at the same time: each change is one atomic step.
#include <cstring>

#include "../exec/worker.h"
#include "instructions.h"

namespace cui::cpu::ptx {
namespace {

/// The object, whose 64 bits are opaque to programs, is also the state that `arrive` returns.
struct Phases {
  static constexpr unsigned countBits = 20, byteBits = 21;

  std::uint64_t pending, expected;  ///< arrivals: missing in this phase, and of each
  std::int64_t bytes;               ///< expected and not yet copied; the copy may come first
  unsigned parity;                  ///< of the phase that is under way

  static Phases of(std::uint64_t word) {
    const auto field = [&](unsigned at, unsigned bits) { return zeroExtended(word >> at, bits); };
    return {field(0, countBits), field(countBits, countBits),
            signExtended(field(2 * countBits, byteBits), byteBits), static_cast<unsigned>(word >> 63)};
  }
  std::uint64_t word() const {
    return zeroExtended(pending, countBits) | zeroExtended(expected, countBits) << countBits |
           zeroExtended(static_cast<std::uint64_t>(bytes), byteBits) << 2 * countBits |
           std::uint64_t{parity} << 63;
  }
};

std::uint64_t* objectOf(const Instruction& in, std::size_t operand, const Frame& frame) {
  return static_cast<std::uint64_t*>(frame.address(in.operands[operand], in.has(Modifier::shared)));
}

Phases now(const std::uint64_t* object) {
  return Phases::of(__atomic_load_n(object, __ATOMIC_SEQ_CST));
}

/// What `change` makes of the phases, and the phase's end if that is it. Returns the state before.
template <class Change>
std::uint64_t update(std::uint64_t* object, Change change) {
  std::uint64_t before = __atomic_load_n(object, __ATOMIC_SEQ_CST);
  for (;;) {
    Phases phases = Phases::of(before);
    change(phases);
    if (phases.pending == 0 && phases.bytes == 0) {
      phases.pending = phases.expected;
      phases.parity ^= 1;
    }
    if (__atomic_compare_exchange_n(object, &before, phases.word(), false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
      return before;
  }
}

std::uint32_t number(const Instruction& in, std::size_t operand, std::uint32_t otherwise,
                     const Frame& frame) {
  return in.operands.size() > operand
             ? static_cast<std::uint32_t>(frame.read(in.operands[operand], Type::b32))
             : otherwise;
}

/// state, [object], and how many arrive or, with `expects`, how many bytes are to come.
void arriveAt(const Instruction& in, Frame& frame, bool forGood, bool expects) {
  const std::uint32_t given = number(in, 2, 1, frame), threads = expects ? 1 : given;
  const std::uint64_t before = update(objectOf(in, 1, frame), [&](Phases& phases) {
    if (expects) phases.bytes += given;
    if (forGood) phases.expected -= threads;
    phases.pending -= threads;
  });
  frame.write(in.operands[0], before, Type::b64);
}

/// done, [object], and what `under(phases)` compares; who finds the phase under way lets the others run
/// first.
template <class UnderWay>
void test(const Instruction& in, Frame& frame, UnderWay underWay) {
  const std::uint64_t* const object = objectOf(in, 1, frame);
  if (underWay(now(object)) && Worker::running() != nullptr) Worker::running()->yield();
  frame.write(in.operands[0], underWay(now(object)) ? 0 : 1, Type::pred);
}

/// [to], [from], bytes: returns these.
std::uint32_t copyBulk(const Instruction& in, const Frame& frame, bool toShared, bool fromShared) {
  const std::uint32_t bytes = number(in, 2, 0, frame);
  std::memcpy(frame.address(in.operands[0], toShared), frame.address(in.operands[1], fromShared), bytes);
  return bytes;
}

void report(const Instruction& in, const Frame& frame, std::uint32_t bytes) {
  auto* const object = static_cast<std::uint64_t*>(frame.address(in.operands[3], true));
  update(object, [bytes](Phases& phases) { phases.bytes -= bytes; });
}

}  // namespace

void startPhases(const Instruction& in, Frame& frame) {
  const std::uint64_t threads = number(in, 1, 1, frame);
  const std::uint64_t word = Phases{threads, threads, 0, 0}.word();
  std::memcpy(frame.address(in.operands[0], in.has(Modifier::shared)), &word, sizeof word);
}

void expectBytes(const Instruction& in, Frame& frame) {
  const std::uint32_t bytes = number(in, 1, 0, frame);
  update(objectOf(in, 0, frame), [bytes](Phases& phases) { phases.bytes += bytes; });
}

void completeBytes(const Instruction& in, Frame& frame) {
  const std::uint32_t bytes = number(in, 1, 0, frame);
  update(objectOf(in, 0, frame), [bytes](Phases& phases) { phases.bytes -= bytes; });
}

void arrive(const Instruction& in, Frame& frame) {
  arriveAt(in, frame, false, false);
}
void arriveExpecting(const Instruction& in, Frame& frame) {
  arriveAt(in, frame, false, true);
}
void arriveForGood(const Instruction& in, Frame& frame) {
  arriveAt(in, frame, true, false);
}
void arriveForGoodExpecting(const Instruction& in, Frame& frame) {
  arriveAt(in, frame, true, true);
}

/// When the thread's copies have been made, which is now. Without `.noinc` the object waits for one arrival
/// more: this one.
void arriveAfterCopies(const Instruction& in, Frame& frame) {
  if (!in.has(Modifier::noinc)) return;
  update(objectOf(in, 0, frame), [](Phases& phases) { --phases.pending; });
}

void testPhase(const Instruction& in, Frame& frame) {
  const unsigned parity = Phases::of(frame.read(in.operands[2], Type::b64)).parity;
  test(in, frame, [&](const Phases& now) { return now.parity == parity; });
}

void testParity(const Instruction& in, Frame& frame) {
  const unsigned parity = number(in, 2, 0, frame) & 1;
  test(in, frame, [&](const Phases& now) { return now.parity == parity; });
}

void pendingCount(const Instruction& in, Frame& frame) {
  frame.write(in.operands[0], Phases::of(frame.read(in.operands[1], Type::b64)).pending, Type::b32);
}

void copyBulkToShared(const Instruction& in, Frame& frame) {
  report(in, frame, copyBulk(in, frame, true, false));
}
void copyBulkInShared(const Instruction& in, Frame& frame) {
  report(in, frame, copyBulk(in, frame, true, true));
}
void copyBulkToGlobal(const Instruction& in, Frame& frame) {
  copyBulk(in, frame, false, true);
}

}  // namespace cui::cpu::ptx
