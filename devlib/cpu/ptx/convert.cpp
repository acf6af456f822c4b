// Moves, packing, conversions of numbers and of addresses.
#include <cmath>

#include "../exec/cluster.h"
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

/// What is too large becomes the nearest there is; NaN becomes 0, or the highest bit where 64 bits are
/// involved.
std::uint64_t integerOf(double value, const Instruction& in, Type type, Type from) {
  value = integral(value, in);
  const int bits = static_cast<int>(bitsOf(type)) - (isSigned(type) ? 1 : 0);
  const double limit = std::ldexp(1.0, bits);
  if (std::isnan(value))
    return from == Type::f64 || bitsOf(type) == 64 ? std::uint64_t{1} << (bitsOf(type) - 1) : 0;
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

/// To the 19 bits of tf32: towards zero, to the nearest with halves away from zero (`.rna`) or to even.
std::uint64_t tf32Of(std::uint64_t bits, const Instruction& in) {
  constexpr std::uint64_t dropped = 0x1fff, half = 0x1000;
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fffffff;
  if (in.has(Modifier::relu) && bits >> 31 != 0) return 0;
  if (in.has(Modifier::rna)) bits += half;
  if (in.has(Modifier::rn)) bits += half - 1 + (bits >> 13 & 1);
  return bits & ~dropped;
}

/// With `.satfinite`: the largest number instead of an infinity.
std::uint64_t finite(std::uint64_t pattern, Type type, const Instruction& in) {
  if (!in.has(Modifier::satfinite)) return pattern;
  const std::uint64_t infinity = type == Type::f16 ? 0x7c00 : type == Type::bf16 ? 0x7f80 : 0x7f800000;
  const std::uint64_t step = type == Type::tf32 ? 0x2000 : 1;
  return (pattern & ~(std::uint64_t{1} << (bitsOf(type) - 1))) == infinity ? pattern - step : pattern;
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
  // To odd: what does not fit into double precision must not be rounded to nearest twice.
  if (value > Wide{1} << 60 || value < -(Wide{1} << 60))
    value = (value >> 12 << 12) | ((value & 0xfff) != 0) << 12;
  return patternOf(static_cast<double>(value), to, rounding);
}

std::uint64_t realOfReal(std::uint64_t bits, Type from, Type to, const Instruction& in) {
  if (to == Type::tf32) return finite(tf32Of(bits, in), to, in);
  const double value = realOf(flushed(bits, from, in), from);
  if (to == Type::f32 && std::isnan(value) && !in.has(Modifier::sat)) return 0x7fffffff;
  const double result = limited(roundsToInteger(in) ? integral(value, in) : value, in);
  return flushed(finite(patternOf(result, to, roundingOf(in)), to, in), to, in);
}

std::uint64_t converted(std::uint64_t bits, Type from, Type to, const Instruction& in) {
  if (isFloat(from) && isFloat(to)) return realOfReal(bits, from, to, in);
  if (isFloat(from)) return integerOf(realOf(flushed(bits, from, in), from), in, to, from);
  if (isFloat(to)) return realOfInteger(valueOf(bits, from), to, roundingOf(in));
  return in.has(Modifier::sat) ? clamped(valueOf(bits, from), to) : bits;
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

/// Into a pair: from two numbers, the first of which is its upper half, or from a pair.
void convert(const Instruction& in, Frame& frame) {
  const Type to = in.type(0), from = in.type(1);
  if (!isPacked(to))
    return frame.write(in.operands[0], converted(frame.read(in.operands[1], from), from, to, in), to);
  const Type element = elementOf(to), source = elementOf(from);
  const std::uint64_t first = frame.read(in.operands[1], from);
  const bool fromPair = isPacked(from);
  const std::uint64_t upper = fromPair ? first >> bitsOf(source) : first;
  const std::uint64_t lower = fromPair ? first : frame.read(in.operands[2], from);
  const auto part = [&](std::uint64_t bits) {
    return converted(zeroExtended(bits, bitsOf(source)), source, element, in);
  };
  frame.write(in.operands[0], part(upper) << bitsOf(element) | part(lower), to);
}

/// cvt.pack.sat.u8.s32.b32 d, a, b, c: a and b, clamped, behind the upper bits of d where c's lowest were.
void convertAndPack(const Instruction& in, Frame& frame) {
  const Type to = in.type(0), from = in.type(1);
  const unsigned bits = bitsOf(to);
  std::uint64_t all = in.operands.size() > 3 ? frame.read(in.operands[3], Type::b32) : 0;
  for (std::size_t i = 1; i < 3; ++i)
    all = all << bits | zeroExtended(clamped(valueOf(frame.read(in.operands[i], from), from), to), bits);
  frame.write(in.operands[0], all, Type::b32);
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

/// Another block's shared memory: a generic address, or one with the block in it.
void mapBlock(const Instruction& in, Frame& frame) {
  const std::uint64_t address = frame.read(in.operands[1], in.type());
  const auto rank = static_cast<std::uint32_t>(frame.read(in.operands[2], Type::u32));
  if (in.has(Modifier::shared)) return frame.write(in.operands[0], offsetInBlock(address, rank), in.type());
  // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses are integers to PTX
  const void* const there = cuiClusterAddress(reinterpret_cast<const void*>(address), rank);
  frame.write(in.operands[0], reinterpret_cast<std::uintptr_t>(there), in.type());
}
void rankOfBlock(const Instruction& in, Frame& frame) {
  const std::uint64_t address = frame.read(in.operands[1], in.type());
  const void* const generic = in.has(Modifier::shared)
                                  ? cuiSharedAddress(address)
                                  // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses are integers to PTX
                                  : reinterpret_cast<const void*>(address);
  frame.write(in.operands[0], cuiClusterRankOf(generic), Type::u32);
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
