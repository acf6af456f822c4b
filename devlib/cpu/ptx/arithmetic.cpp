// Sums, products, quotients and extremes.
#include <algorithm>

#include "instructions.h"
#include "integer.h"
#include "real.h"

namespace cui::cpu::ptx {
namespace {

std::uint64_t saturated(Wide value, const Instruction& in, Type type) {
  if (!in.has(Modifier::sat)) return static_cast<std::uint64_t>(value);
  const Wide limit = Wide{1} << (bitsOf(type) - 1);
  return static_cast<std::uint64_t>(std::clamp(value, -limit, limit - 1));
}

/// The part of a product that `.lo`, `.hi` and `.wide` name, and the type that it has.
Wide product(const Instruction& in, Frame& frame, Type& result) {
  const Type type = in.type();
  const auto whole = static_cast<Wide>(static_cast<WidePattern>(wideOf(in.operands[1], type, frame)) *
                                       static_cast<WidePattern>(wideOf(in.operands[2], type, frame)));
  result = in.has(Modifier::wide) ? widened(type) : type;
  if (!in.has(Modifier::hi)) return whole;
  // Two 64-bit numbers without a sign fill all 128 bits.
  return isSigned(type) ? whole >> bitsOf(type)
                        : static_cast<Wide>(static_cast<WidePattern>(whole) >> bitsOf(type));
}

Wide product24(const Instruction& in, Frame& frame) {
  const auto low = [&](const Operand& operand) {
    const std::uint64_t bits = frame.read(operand, in.type());
    return isSigned(in.type()) ? Wide{signExtended(bits, 24)} : Wide{zeroExtended(bits, 24)};
  };
  const Wide whole = low(in.operands[1]) * low(in.operands[2]);
  return in.has(Modifier::hi) ? whole >> 16 : whole;
}

/// a + b + carryIn; with `.cc`, what leaves the type's bits is the carry.
void sum(WidePattern a, WidePattern b, unsigned carryIn, Type type, const Instruction& in, Frame& frame) {
  const WidePattern total = WidePattern{zeroExtended(static_cast<std::uint64_t>(a), bitsOf(type))} +
                            zeroExtended(static_cast<std::uint64_t>(b), bitsOf(type)) + carryIn;
  if (in.has(Modifier::cc)) frame.carry() = static_cast<unsigned>(total >> bitsOf(type)) & 1u;
  frame.write(in.operands[0], static_cast<std::uint64_t>(total), type);
}

void difference(const Instruction& in, Frame& frame, unsigned borrowIn) {
  const Type type = in.type();
  const WidePattern a = zeroExtended(frame.read(in.operands[1], type), bitsOf(type));
  const WidePattern b = WidePattern{zeroExtended(frame.read(in.operands[2], type), bitsOf(type))} + borrowIn;
  if (in.has(Modifier::cc)) frame.carry() = a < b ? 1 : 0;
  frame.write(in.operands[0], static_cast<std::uint64_t>(a - b), type);
}

/// With `.relu`, which only types with a sign have, nothing below zero.
Wide choose(const Instruction& in, Frame& frame, bool larger) {
  const Wide a = wideOf(in.operands[1], in.type(), frame), b = wideOf(in.operands[2], in.type(), frame);
  const Wide chosen = larger == (a > b) ? a : b;
  return in.has(Modifier::relu) ? std::max<Wide>(chosen, 0) : chosen;
}

}  // namespace

void add(const Instruction& in, Frame& frame) {
  const Type type = in.type();
  if (isFloat(type)) return computeReal(RealOperation::add, in, frame);
  const Wide a = wideOf(in.operands[1], type, frame), b = wideOf(in.operands[2], type, frame);
  if (in.has(Modifier::cc))
    return sum(static_cast<WidePattern>(a), static_cast<WidePattern>(b), 0, type, in, frame);
  frame.write(in.operands[0], saturated(a + b, in, type), type);
}

void addWithCarry(const Instruction& in, Frame& frame) {
  sum(frame.read(in.operands[1], in.type()), frame.read(in.operands[2], in.type()), frame.carry(), in.type(),
      in, frame);
}

void subtract(const Instruction& in, Frame& frame) {
  const Type type = in.type();
  if (isFloat(type)) return computeReal(RealOperation::subtract, in, frame);
  if (!in.has(Modifier::sat)) return difference(in, frame, 0);
  const Wide a = wideOf(in.operands[1], type, frame), b = wideOf(in.operands[2], type, frame);
  frame.write(in.operands[0], saturated(a - b, in, type), type);
}

void subtractWithCarry(const Instruction& in, Frame& frame) {
  difference(in, frame, frame.carry());
}

void multiply(const Instruction& in, Frame& frame) {
  if (isFloat(in.type())) return computeReal(RealOperation::multiply, in, frame);
  Type type;
  const Wide result = product(in, frame, type);
  frame.write(in.operands[0], static_cast<std::uint64_t>(result), type);
}

void multiply24(const Instruction& in, Frame& frame) {
  frame.write(in.operands[0], static_cast<std::uint64_t>(product24(in, frame)), in.type());
}

void multiplyAdd(const Instruction& in, Frame& frame) {
  if (isFloat(in.type())) return computeReal(RealOperation::fuse, in, frame);
  Type type;
  const Wide result = product(in, frame, type);
  const Wide addend = wideOf(in.operands[3], type, frame);
  if (in.has(Modifier::cc))
    return sum(static_cast<WidePattern>(result), static_cast<WidePattern>(addend), 0, type, in, frame);
  frame.write(in.operands[0], saturated(result + addend, in, type), type);
}

void multiplyAddWithCarry(const Instruction& in, Frame& frame) {
  Type type;
  const Wide result = product(in, frame, type);
  sum(static_cast<WidePattern>(result), frame.read(in.operands[3], type), frame.carry(), type, in, frame);
}

void multiplyAdd24(const Instruction& in, Frame& frame) {
  const Wide addend = wideOf(in.operands[3], in.type(), frame);
  frame.write(in.operands[0], saturated(product24(in, frame) + addend, in, in.type()), in.type());
}

void divide(const Instruction& in, Frame& frame) {
  if (isFloat(in.type())) return computeReal(RealOperation::divide, in, frame);
  const Wide by = wideOf(in.operands[2], in.type(), frame);
  // As the hardware: all ones.
  const Wide result = by == 0 ? Wide{-1} : wideOf(in.operands[1], in.type(), frame) / by;
  frame.write(in.operands[0], static_cast<std::uint64_t>(result), in.type());
}

void remainder(const Instruction& in, Frame& frame) {
  const Wide a = wideOf(in.operands[1], in.type(), frame), by = wideOf(in.operands[2], in.type(), frame);
  frame.write(in.operands[0], static_cast<std::uint64_t>(by == 0 ? a : a % by), in.type());
}

void absolute(const Instruction& in, Frame& frame) {
  if (isFloat(in.type())) return computeReal(RealOperation::absolute, in, frame);
  const Wide a = wideOf(in.operands[1], in.type(), frame);
  frame.write(in.operands[0], static_cast<std::uint64_t>(a < 0 ? -a : a), in.type());
}

void negate(const Instruction& in, Frame& frame) {
  if (isFloat(in.type())) return computeReal(RealOperation::negate, in, frame);
  frame.write(in.operands[0], std::uint64_t{0} - frame.read(in.operands[1], in.type()), in.type());
}

void minimum(const Instruction& in, Frame& frame) {
  if (isFloat(in.type())) return computeReal(RealOperation::minimum, in, frame);
  frame.write(in.operands[0], static_cast<std::uint64_t>(choose(in, frame, false)), in.type());
}

void maximum(const Instruction& in, Frame& frame) {
  if (isFloat(in.type())) return computeReal(RealOperation::maximum, in, frame);
  frame.write(in.operands[0], static_cast<std::uint64_t>(choose(in, frame, true)), in.type());
}

void sumOfDifference(const Instruction& in, Frame& frame) {
  const Type type = in.type();
  const Wide d = wideOf(in.operands[1], type, frame) - wideOf(in.operands[2], type, frame);
  const Wide result = wideOf(in.operands[3], type, frame) + (d < 0 ? -d : d);
  frame.write(in.operands[0], static_cast<std::uint64_t>(result), type);
}

void dotProduct4(const Instruction& in, Frame& frame) {
  const std::uint64_t a = frame.read(in.operands[1], Type::b32), b = frame.read(in.operands[2], Type::b32);
  std::uint64_t result = frame.read(in.operands[3], Type::b32);
  for (unsigned i = 0; i < 4; ++i)
    result += extended(a >> 8 * i, isSigned(in.type(0)) ? Type::s8 : Type::u8) *
              extended(b >> 8 * i, isSigned(in.type(1)) ? Type::s8 : Type::u8);
  frame.write(in.operands[0], result, isSigned(in.type(0)) || isSigned(in.type(1)) ? Type::s32 : Type::u32);
}

void dotProduct2(const Instruction& in, Frame& frame) {
  const std::uint64_t a = frame.read(in.operands[1], Type::b32);
  const std::uint64_t b = frame.read(in.operands[2], Type::b32) >> (in.has(Modifier::hi) ? 16 : 0);
  std::uint64_t result = frame.read(in.operands[3], Type::b32);
  for (unsigned i = 0; i < 2; ++i)
    result += extended(a >> 16 * i, isSigned(in.type(0)) ? Type::s16 : Type::u16) *
              extended(b >> 8 * i, isSigned(in.type(1)) ? Type::s8 : Type::u8);
  frame.write(in.operands[0], result, isSigned(in.type(0)) || isSigned(in.type(1)) ? Type::s32 : Type::u32);
}

}  // namespace cui::cpu::ptx
