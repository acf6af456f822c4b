// Moves, packing, conversions of numbers and of addresses.
#include <cmath>

#include "cuinstrument/backend/cpu/toolkit/cuda_runtime.h"
#include "instructions.h"
#include "integer.h"
#include "real.h"

namespace cui::cpu::ptx {
namespace {

using Kind = Operand::Kind;

bool roundsToInteger(const Instruction& in) {
  return in.has(Modifier::rni) || in.has(Modifier::rzi) || in.has(Modifier::rmi) || in.has(Modifier::rpi);
}
double integral(double value, const Instruction& in) {
  if (in.has(Modifier::rzi)) return std::trunc(value);
  if (in.has(Modifier::rmi)) return std::floor(value);
  if (in.has(Modifier::rpi)) return std::ceil(value);
  return std::nearbyint(value);
}

/// What is too large becomes the nearest there is; NaN becomes 0.
std::uint64_t integerOf(double value, const Instruction& in, Type type) {
  value = integral(value, in);
  const int bits = static_cast<int>(bitsOf(type)) - (isSigned(type) ? 1 : 0);
  const double limit = std::ldexp(1.0, bits);
  if (std::isnan(value)) return 0;
  if (isSigned(type)) {
    if (value >= limit) return static_cast<std::uint64_t>((Wide{1} << bits) - 1);
    if (value < -limit) return static_cast<std::uint64_t>(-(Wide{1} << bits));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
  if (value >= limit) return static_cast<std::uint64_t>((WidePattern{1} << bits) - 1);
  return value <= 0 ? 0 : static_cast<std::uint64_t>(value);
}

std::uint64_t clamped(Wide value, Type type) {
  const unsigned bits = bitsOf(type) - (isSigned(type) ? 1 : 0);
  const Wide most = (Wide{1} << bits) - 1, least = isSigned(type) ? -most - 1 : Wide{0};
  return static_cast<std::uint64_t>(value < least ? least : value > most ? most : value);
}

double limited(double value, const Instruction& in) {
  if (in.has(Modifier::sat)) value = value > 0 ? std::fmin(value, 1.0) : 0.0;
  if (in.has(Modifier::relu) && !std::isnan(value)) value = value > 0 ? value : 0.0;
  return value;
}

/// To the 19 bits of tf32, halves away from zero.
std::uint64_t tf32Of(std::uint64_t bits) {
  const bool isNumber = (bits & 0x7f800000u) != 0x7f800000u;
  return isNumber ? (bits + 0x1000u) & ~0x1fffull : bits;
}

std::uint64_t realOfInteger(Wide value, Type to, RoundingMode rounding) {
  // 64-bit integers are exact in neither format; the smaller ones are in double precision.
  const bool negative = value < 0;
  const auto s = static_cast<long long>(value);
  const auto u = static_cast<unsigned long long>(value);
  if (to == Type::f64) {
    const double result =
        rounding == RoundingMode::nearest ? (negative ? static_cast<double>(s) : static_cast<double>(u))
        : rounding == RoundingMode::zero  ? (negative ? cuiDoubleOfInt64_rz(s) : cuiDoubleOfUint64_rz(u))
        : rounding == RoundingMode::up    ? (negative ? cuiDoubleOfInt64_ru(s) : cuiDoubleOfUint64_ru(u))
                                          : (negative ? cuiDoubleOfInt64_rd(s) : cuiDoubleOfUint64_rd(u));
    return patternOf(result, to, rounding);
  }
  if (to == Type::f32) {
    const float result =
        rounding == RoundingMode::nearest ? (negative ? static_cast<float>(s) : static_cast<float>(u))
        : rounding == RoundingMode::zero  ? (negative ? cuiFloatOfInt64_rz(s) : cuiFloatOfUint64_rz(u))
        : rounding == RoundingMode::up    ? (negative ? cuiFloatOfInt64_ru(s) : cuiFloatOfUint64_ru(u))
                                          : (negative ? cuiFloatOfInt64_rd(s) : cuiFloatOfUint64_rd(u));
    return patternOf(result, to, RoundingMode::nearest);
  }
  return patternOf(static_cast<double>(value), to, rounding);
}

}  // namespace

/// One register; or several into one (`mov.b64 d, {a, b}`), or one into several.
void move(const Instruction& in, Frame& frame) {
  const Operand &to = in.operands[0], &from = in.operands[1];
  if (in.type() == Type::pred) return frame.write(to, frame.readPredicate(from) ? 1 : 0, Type::pred);
  if (to.kind != Kind::list && from.kind != Kind::list)
    return frame.write(to, frame.read(from, in.type()), in.type());
  const std::size_t count = to.kind == Kind::list ? to.parts.size() : from.parts.size();
  const unsigned bits = bitsOf(in.type()) / static_cast<unsigned>(count);
  const Type part = bits == 8 ? Type::b8 : bits == 16 ? Type::b16 : Type::b32;
  std::uint64_t all = 0;
  if (from.kind == Kind::list)
    for (std::size_t i = 0; i < count; ++i) all |= frame.read(from.parts[i], part) << bits * i;
  else
    all = frame.read(from, in.type());
  if (to.kind != Kind::list) return frame.write(to, all, in.type());
  for (std::size_t i = 0; i < count; ++i) frame.write(to.parts[i], all >> bits * i, part);
}

void convert(const Instruction& in, Frame& frame) {
  const Type to = in.type(0), from = in.type(1);
  if (familyOf(to) == Family::packed) {  // cvt.rn.f16x2.f32 d, a, b: a in the upper half
    const Type half = to == Type::f16x2 ? Type::f16 : Type::bf16;
    const auto part = [&](std::size_t i) {
      return patternOf(limited(realOf(frame.read(in.operands[i], from), from), in), half, roundingOf(in));
    };
    return frame.write(in.operands[0], part(1) << 16 | part(2), to);
  }
  if (familyOf(from) == Family::packed) return frame.unsupported(in, "");
  const std::uint64_t bits = frame.read(in.operands[1], from);
  std::uint64_t result;
  if (to == Type::tf32)
    result = tf32Of(bits);
  else if (isFloat(from) && isFloat(to))
    result =
        patternOf(limited(roundsToInteger(in) ? integral(realOf(bits, from), in) : realOf(bits, from), in),
                  to, roundingOf(in));
  else if (isFloat(from))
    result = integerOf(realOf(bits, from), in, to);
  else if (isFloat(to))
    result = realOfInteger(valueOf(bits, from), to, roundingOf(in));
  else
    result = in.has(Modifier::sat) ? clamped(valueOf(bits, from), to) : bits;
  frame.write(in.operands[0], result, to);
}

/// Shared memory has addresses of its own; those of other spaces are generic ones.
void convertAddress(const Instruction& in, Frame& frame) {
  std::uint64_t address = frame.read(in.operands[1], Type::b64);
  // NOLINTBEGIN(performance-no-int-to-ptr): addresses are integers to PTX
  if (in.has(Modifier::shared)) {
    address = in.has(Modifier::to)
                  ? cuiSharedOffset(reinterpret_cast<const void*>(address))
                  : reinterpret_cast<std::uint64_t>(cuiSharedAddress(static_cast<std::uint32_t>(address)));
  }
  // NOLINTEND(performance-no-int-to-ptr)
  frame.write(in.operands[0], address, Type::b64);
}

void testSpace(const Instruction& in, Frame& frame) {
  const std::uint64_t address = frame.read(in.operands[1], Type::b64);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses are integers to PTX
  const int space = cuiAddressSpace(reinterpret_cast<const void*>(address));
  const int asked = in.has(Modifier::global)     ? 1
                    : in.has(Modifier::shared)   ? 2
                    : in.has(Modifier::constant) ? 3
                                                 : 4;
  frame.write(in.operands[0], space == asked ? 1 : 0, Type::pred);
}

}  // namespace cui::cpu::ptx
