// Logic, shifts, counting, fields and permutations of bits.
#include <algorithm>
#include <bit>

#include "instructions.h"

namespace cui::cpu::ptx {
namespace {

template <class Function>
void logic(const Instruction& in, Frame& frame, Function function) {
  const Type type = in.type();
  const auto value = [&](const Operand& operand) -> std::uint64_t {
    return type == Type::pred ? std::uint64_t{frame.readPredicate(operand)} : frame.read(operand, type);
  };
  frame.write(in.operands[0], function(value(in.operands[1]), value(in.operands[2])), type);
}

std::uint64_t read32(const Instruction& in, std::size_t operand, const Frame& frame) {
  return frame.read(in.operands[operand], Type::u32);
}

/// Ones in the lowest `count` places; 64 and more give all.
std::uint64_t ones(std::uint64_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace

void bitAnd(const Instruction& in, Frame& frame) {
  logic(in, frame, [](std::uint64_t a, std::uint64_t b) { return a & b; });
}
void bitOr(const Instruction& in, Frame& frame) {
  logic(in, frame, [](std::uint64_t a, std::uint64_t b) { return a | b; });
}
void bitXor(const Instruction& in, Frame& frame) {
  logic(in, frame, [](std::uint64_t a, std::uint64_t b) { return a ^ b; });
}

void bitNot(const Instruction& in, Frame& frame) {
  if (in.type() == Type::pred)
    frame.write(in.operands[0], frame.readPredicate(in.operands[1]) ? 0 : 1, Type::pred);
  else
    frame.write(in.operands[0], ~frame.read(in.operands[1], in.type()), in.type());
}

void logicalNot(const Instruction& in, Frame& frame) {
  frame.write(in.operands[0], frame.read(in.operands[1], in.type()) == 0 ? 1 : 0, in.type());
}

/// Bit (a << 2 | b << 1 | c) of the table is the result for these three bits. lop3.op.b32 d|p, a, b, c,
/// table, q: p is whether that is not 0, joined with q.
void anyOfThree(const Instruction& in, Frame& frame) {
  const std::uint64_t a = read32(in, 1, frame), b = read32(in, 2, frame), c = read32(in, 3, frame);
  const std::uint64_t table = read32(in, 4, frame);
  std::uint64_t result = 0;
  for (unsigned row = 0; row < 8; ++row)
    if ((table >> row & 1) != 0)
      result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  result = zeroExtended(result, 32);
  if (in.operands[0].kind != Operand::Kind::list) return frame.write(in.operands[0], result, in.type());
  const bool q = frame.readPredicate(in.operands[5]);
  const bool p = in.has(Modifier::bitOr) ? result != 0 || q : result != 0 && q;
  frame.write(in.operands[0].parts[0], result, in.type());
  frame.write(in.operands[0].parts[1], p ? 1 : 0, Type::pred);
}

void shiftLeft(const Instruction& in, Frame& frame) {
  const std::uint64_t by = read32(in, 2, frame), a = frame.read(in.operands[1], in.type());
  frame.write(in.operands[0], by >= bitsOf(in.type()) ? 0 : a << by, in.type());
}

void shiftRight(const Instruction& in, Frame& frame) {
  const unsigned bits = bitsOf(in.type());
  const std::uint64_t by = read32(in, 2, frame), a = frame.read(in.operands[1], in.type());
  std::uint64_t result = by >= bits ? 0 : a >> by;
  if (isSigned(in.type()))
    result =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> std::min<std::uint64_t>(by, bits - 1));
  frame.write(in.operands[0], result, in.type());
}

void funnelShift(const Instruction& in, Frame& frame) {
  const std::uint64_t both = read32(in, 2, frame) << 32 | read32(in, 1, frame), given = read32(in, 3, frame);
  const std::uint64_t by = in.has(Modifier::wrap) ? given & 31 : std::min<std::uint64_t>(given, 32);
  frame.write(in.operands[0], in.has(Modifier::left) ? both << by >> 32 : both >> by, in.type());
}

void countOnes(const Instruction& in, Frame& frame) {
  frame.write(in.operands[0], static_cast<unsigned>(std::popcount(frame.read(in.operands[1], in.type()))),
              Type::u32);
}

void countLeadingZeros(const Instruction& in, Frame& frame) {
  const auto zeros = static_cast<unsigned>(std::countl_zero(frame.read(in.operands[1], in.type())));
  frame.write(in.operands[0], zeros - (64 - bitsOf(in.type())), Type::u32);
}

void reverseBits(const Instruction& in, Frame& frame) {
  const std::uint64_t a = frame.read(in.operands[1], in.type());
  const unsigned bits = bitsOf(in.type());
  std::uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i) result |= (a >> i & 1) << (bits - 1 - i);
  frame.write(in.operands[0], result, in.type());
}

/// The highest bit that is not the sign; all ones where there is none.
void findHighest(const Instruction& in, Frame& frame) {
  std::uint64_t a = frame.read(in.operands[1], in.type());
  const unsigned bits = bitsOf(in.type());
  if (isSigned(in.type()) && static_cast<std::int64_t>(a) < 0) a = ~a;
  const auto at = static_cast<unsigned>(63 - std::countl_zero(a));
  const unsigned result = a == 0 ? ~0u : in.has(Modifier::shiftamt) ? bits - 1 - at : at;
  frame.write(in.operands[0], result, Type::u32);
}

void extractField(const Instruction& in, Frame& frame) {
  const Type type = in.type();
  const unsigned bits = bitsOf(type);
  const std::uint64_t a = frame.read(in.operands[1], type);
  const std::uint64_t position = read32(in, 2, frame) & 0xff, length = read32(in, 3, frame) & 0xff;
  const std::uint64_t unextended = zeroExtended(a, bits);
  std::uint64_t result = (position >= bits ? 0 : unextended >> position) & ones(length);
  if (isSigned(type) && length > 0) {
    const std::uint64_t signAt = std::min<std::uint64_t>(position + length - 1, bits - 1);
    const std::uint64_t present = signAt >= position ? signAt - position + 1 : 0;
    if ((unextended >> signAt & 1) != 0) result |= ~ones(present);
  }
  frame.write(in.operands[0], result, type);
}

void insertField(const Instruction& in, Frame& frame) {
  const std::uint64_t a = frame.read(in.operands[1], in.type()), b = frame.read(in.operands[2], in.type());
  const std::uint64_t position = read32(in, 3, frame) & 0xff, length = read32(in, 4, frame) & 0xff;
  const std::uint64_t field = position >= 64 ? 0 : ones(length) << position;
  frame.write(in.operands[0], (b & ~field) | ((position >= 64 ? 0 : a << position) & field), in.type());
}

/// Byte i of the result is the byte of b:a that the i-th nibble of the selector (or the mode) names; a
/// nibble's high bit asks for its sign instead.
void permuteBytes(const Instruction& in, Frame& frame) {
  const std::uint64_t both = read32(in, 2, frame) << 32 | read32(in, 1, frame),
                      selector = read32(in, 3, frame);
  const unsigned c = static_cast<unsigned>(selector & 3);
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned from = static_cast<unsigned>(selector >> 4 * i & 0xf);
    if (in.has(Modifier::f4e)) from = c + i;
    if (in.has(Modifier::b4e)) from = (c - i) & 7;
    if (in.has(Modifier::rc8)) from = c;
    if (in.has(Modifier::ecl)) from = std::max(c, i);
    if (in.has(Modifier::ecr)) from = std::min(c, i);
    if (in.has(Modifier::rc16)) from = (c & 1) * 2 + (i & 1);
    std::uint64_t byte = both >> 8 * (from & 7) & 0xff;
    if ((from & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  frame.write(in.operands[0], result, in.type());
}

void extendSign(const Instruction& in, Frame& frame) {
  const std::uint64_t a = read32(in, 1, frame), given = read32(in, 2, frame);
  const auto bits =
      static_cast<unsigned>(in.has(Modifier::clamp) ? std::min<std::uint64_t>(given, 32) : given & 31);
  const std::uint64_t result = bits == 0             ? 0
                               : isSigned(in.type()) ? static_cast<std::uint64_t>(signExtended(a, bits))
                                                     : zeroExtended(a, bits);
  frame.write(in.operands[0], result, in.type());
}

void makeMask(const Instruction& in, Frame& frame) {
  const bool clamps = in.has(Modifier::clamp);
  const auto amount = [&](std::size_t i) {
    return clamps ? std::min<std::uint64_t>(read32(in, i, frame), 32) : read32(in, i, frame) & 31;
  };
  const std::uint64_t position = amount(1);
  frame.write(in.operands[0], ones(amount(2)) << position, Type::b32);
}

}  // namespace cui::cpu::ptx
