// Loads, stores, atomics and asynchronous copies, which are made at once. What is accessed is recorded by the
// forms around the operands (device/assembly.h).
#include <algorithm>
#include <cstring>

#include "cuinstrument/backend/cpu/exec_atomics.h"
#include "instructions.h"
#include "integer.h"
#include "real.h"

namespace cui::cpu::ptx {
namespace {

using Kind = Operand::Kind;

/// What another thread may be waiting for, or be about to write.
bool isOrdered(const Instruction& in) {
  return in.has(Modifier::volatileAccess) || in.has(Modifier::relaxed) || in.has(Modifier::acquire) ||
         in.has(Modifier::release) || in.has(Modifier::acquireRelease);
}
void order(const Instruction& in) {
  if (isOrdered(in)) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

template <class Bits>
std::uint64_t swap(void* address, std::uint64_t expected, std::uint64_t desired, bool& done) {
  auto old = static_cast<Bits>(expected);
  done = __atomic_compare_exchange_n(static_cast<Bits*>(address), &old, static_cast<Bits>(desired), false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return old;
}
std::uint64_t compareAndSwap(void* address, unsigned bits, std::uint64_t expected, std::uint64_t desired,
                             bool& done) {
  return bits == 64   ? swap<std::uint64_t>(address, expected, desired, done)
         : bits == 32 ? swap<std::uint32_t>(address, expected, desired, done)
                      : swap<std::uint16_t>(address, expected, desired, done);
}

std::uint64_t loadBits(const void* address, unsigned bits) {
  std::uint64_t value = 0;
  std::memcpy(&value, address, bits / 8);
  return value;
}

/// A real operation on a type's pattern, packed or not.
std::uint64_t combineReal(const Instruction& in, RealOperation operation, std::uint64_t a, std::uint64_t b) {
  const Type type = in.type();
  if (!isPacked(type)) return computeReal(operation, in, type, a, b, 0);
  const Type half = elementOf(type);
  return computeReal(operation, in, half, a & 0xffff, b & 0xffff, 0) |
         computeReal(operation, in, half, a >> 16, b >> 16, 0) << 16;
}

std::uint64_t updated(const Instruction& in, std::uint64_t old, std::uint64_t value) {
  const Type type = in.type();
  const bool larger = in.has(Modifier::max);
  if (in.has(Modifier::exch)) return value;
  if (in.has(Modifier::bitAnd)) return old & value;
  if (in.has(Modifier::bitOr)) return old | value;
  if (in.has(Modifier::bitXor)) return old ^ value;
  if (in.has(Modifier::inc)) return old >= value ? 0 : old + 1;
  if (in.has(Modifier::dec)) return old == 0 || old > value ? value : old - 1;
  if (isFloat(type))
    return combineReal(in,
                       in.has(Modifier::add) ? RealOperation::add
                       : larger              ? RealOperation::maximum
                                             : RealOperation::minimum,
                       old, value);
  if (in.has(Modifier::add)) return old + value;
  return larger == (valueOf(old, type) > valueOf(value, type)) ? old : value;
}

/// The value that was there.
std::uint64_t atomically(const Instruction& in, Frame& frame, void* address, const Operand& value) {
  const unsigned bits = bitsOf(in.type());
  const std::uint64_t given = zeroExtended(frame.read(value, in.type()), bits);
  bool done = false;
  if (in.has(Modifier::cas)) {
    // The value is what is compared with; behind it comes what is written.
    const Operand& desired = *(&value + 1);
    return compareAndSwap(address, bits, given, frame.read(desired, in.type()), done);
  }
  std::uint64_t old = loadBits(address, bits);
  for (;;) {
    const std::uint64_t seen =
        compareAndSwap(address, bits, old, zeroExtended(updated(in, old, given), bits), done);
    if (done) return old;
    old = seen;
  }
}

}  // namespace

void load(const Instruction& in, Frame& frame) {
  if (isOrdered(in)) cuiSpinPoint();
  const unsigned bits = bitsOf(in.type());
  const auto* from = static_cast<const char*>(frame.address(in.operands[1], in.has(Modifier::shared)));
  const Operand& to = in.operands[0];
  if (to.kind == Kind::list)
    for (std::size_t i = 0; i < to.parts.size(); ++i)
      frame.write(to.parts[i], loadBits(from + i * bits / 8, bits), in.type());
  else
    frame.write(to, loadBits(from, bits), in.type());
  order(in);
}

void store(const Instruction& in, Frame& frame) {
  order(in);
  const unsigned bits = bitsOf(in.type());
  auto* to = static_cast<char*>(frame.address(in.operands[0], in.has(Modifier::shared)));
  const Operand& from = in.operands[1];
  const auto put = [&](const Operand& operand, std::size_t i) {
    const std::uint64_t value = frame.read(operand, in.type());
    std::memcpy(to + i * bits / 8, &value, bits / 8);
  };
  if (from.kind == Kind::list)
    for (std::size_t i = 0; i < from.parts.size(); ++i) put(from.parts[i], i);
  else
    put(from, 0);
  order(in);
}

/// `atom` has a target in front of the address, `red` has none; the elements of vectors are atomic one by
/// one.
void atomic(const Instruction& in, Frame& frame) {
  cuiSpinPoint();
  const std::size_t first = in.operands[0].kind == Kind::address ? 0 : 1;
  auto* address = static_cast<char*>(frame.address(in.operands[first], in.has(Modifier::shared)));
  const Operand& value = in.operands[first + 1];
  if (value.kind != Kind::list) {
    const std::uint64_t old = atomically(in, frame, address, value);
    if (first == 1) frame.write(in.operands[0], old, in.type());
    return;
  }
  for (std::size_t i = 0; i < value.parts.size(); ++i) {
    const std::uint64_t old = atomically(in, frame, address + i * bitsOf(in.type()) / 8, value.parts[i]);
    if (first == 1) frame.write(in.operands[0].parts[i], old, in.type());
  }
}

/// cp.async [to], [from], bytes, fewer: the rest is filled with zeros. `fewer` may be a predicate that leaves
/// all of them out, and a cache policy may follow.
void copyAsync(const Instruction& in, Frame& frame) {
  const std::uint64_t bytes = frame.read(in.operands[2], Type::b32);
  const std::size_t given = in.operands.size() - (in.has(Modifier::cacheHint) ? 1 : 0);
  std::uint64_t read = bytes;
  if (given > 3 && in.operands[3].isPredicate)
    read = frame.readPredicate(in.operands[3]) ? 0 : bytes;
  else if (given > 3)
    read = std::min(bytes, frame.read(in.operands[3], Type::b32));
  auto* to = static_cast<char*>(frame.address(in.operands[0], true));
  if (read > 0) std::memcpy(to, frame.address(in.operands[1], false), read);
  std::memset(to + read, 0, bytes - read);
}

void cachePolicy(const Instruction& in, Frame& frame) {
  frame.write(in.operands[0], 0, Type::b64);
}

void fence(const Instruction&, Frame&) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void nothing(const Instruction&, Frame&) {}

}  // namespace cui::cpu::ptx
