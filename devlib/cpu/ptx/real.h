// Arithmetic in the floating-point types of PTX: `float` and `double` as they are, the 16-bit types computed
// in double precision and rounded once.
#pragma once

#include <cstdint>

#include "frame.h"

namespace cui::cpu::ptx {

enum class RoundingMode : std::uint8_t { nearest, zero, up, down };
RoundingMode roundingOf(const Instruction& in);

/// Exact for every type.
double realOf(std::uint64_t pattern, Type type);
std::uint64_t patternOf(double value, Type type, RoundingMode rounding);
/// With `.ftz`: what is too small for the normal range becomes 0 with its sign.
std::uint64_t flushed(std::uint64_t pattern, Type type, const Instruction& in);
/// f16 of f16x2.
Type elementOf(Type packed);

enum class RealOperation : std::uint8_t {
  add,
  subtract,
  multiply,
  fuse,
  divide,
  minimum,
  maximum,
  squareRoot,
  absolute,
  negate,
  reciprocal,
  reciprocalRoot,
  sine,
  cosine,
  logarithm,
  exponential,
  hyperbolicTangent
};

/// The whole instruction: reads its operands (packed ones by halves), rounds, saturates, flushes, writes.
void computeReal(RealOperation operation, const Instruction& in, Frame& frame);
/// One number of the type.
std::uint64_t computeReal(RealOperation operation, const Instruction& in, Type type, std::uint64_t a,
                          std::uint64_t b, std::uint64_t c);

}  // namespace cui::cpu::ptx
