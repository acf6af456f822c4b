#include "real.h"

#include <cmath>
#include <cstring>

#include "cuinstrument/backend/cpu/toolkit/cuda_bf16.h"
#include "cuinstrument/backend/cpu/toolkit/cuda_fp16.h"
#include "cuinstrument/backend/cpu/toolkit/cuda_fp8.h"

namespace cui::cpu::ptx {
namespace {

template <class F, class Bits>
F fromBits(std::uint64_t pattern) {
  const auto bits = static_cast<Bits>(pattern);
  F value;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class Bits, class F>
std::uint64_t toBits(F value) {
  Bits bits;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// add, mul, div, fma and sqrt in each rounding mode; the library has those other than the usual one.
template <class F>
struct Rounded;
#define CUI_PTX_ROUNDED(F, Name)                                      \
  template <>                                                         \
  struct Rounded<F> {                                                 \
    static F add(RoundingMode r, F a, F b) {                          \
      return r == RoundingMode::nearest ? a + b                       \
             : r == RoundingMode::zero  ? cuiAdd##Name##_rz(a, b)     \
             : r == RoundingMode::up    ? cuiAdd##Name##_ru(a, b)     \
                                        : cuiAdd##Name##_rd(a, b);    \
    }                                                                 \
    static F multiply(RoundingMode r, F a, F b) {                     \
      return r == RoundingMode::nearest ? a * b                       \
             : r == RoundingMode::zero  ? cuiMul##Name##_rz(a, b)     \
             : r == RoundingMode::up    ? cuiMul##Name##_ru(a, b)     \
                                        : cuiMul##Name##_rd(a, b);    \
    }                                                                 \
    static F divide(RoundingMode r, F a, F b) {                       \
      return r == RoundingMode::nearest ? a / b                       \
             : r == RoundingMode::zero  ? cuiDiv##Name##_rz(a, b)     \
             : r == RoundingMode::up    ? cuiDiv##Name##_ru(a, b)     \
                                        : cuiDiv##Name##_rd(a, b);    \
    }                                                                 \
    static F fuse(RoundingMode r, F a, F b, F c) {                    \
      return r == RoundingMode::nearest ? std::fma(a, b, c)           \
             : r == RoundingMode::zero  ? cuiFma##Name##_rz(a, b, c)  \
             : r == RoundingMode::up    ? cuiFma##Name##_ru(a, b, c)  \
                                        : cuiFma##Name##_rd(a, b, c); \
    }                                                                 \
    static F squareRoot(RoundingMode r, F a) {                        \
      return r == RoundingMode::nearest ? std::sqrt(a)                \
             : r == RoundingMode::zero  ? cuiSqrt##Name##_rz(a)       \
             : r == RoundingMode::up    ? cuiSqrt##Name##_ru(a)       \
                                        : cuiSqrt##Name##_rd(a);      \
    }                                                                 \
  };
CUI_PTX_ROUNDED(float, Float)
CUI_PTX_ROUNDED(double, Double)
#undef CUI_PTX_ROUNDED

template <class F>
F extreme(F a, F b, bool larger, bool keepsNan) {
  if (keepsNan && (std::isnan(a) || std::isnan(b))) return std::nan("");
  if (std::isnan(a)) return b;  // also if it signals
  if (std::isnan(b)) return a;
  if (a == 0 && b == 0) return std::signbit(a) == larger ? b : a;  // -0 is less than +0
  return larger ? std::fmax(a, b) : std::fmin(a, b);
}

template <class F>
F compute(RealOperation operation, const Instruction& in, F a, F b, F c) {
  const RoundingMode rounding = roundingOf(in);
  switch (operation) {
    case RealOperation::add:
      return Rounded<F>::add(rounding, a, b);
    case RealOperation::subtract:
      return Rounded<F>::add(rounding, a, -b);
    case RealOperation::multiply:
      return Rounded<F>::multiply(rounding, a, b);
    case RealOperation::fuse:
      return Rounded<F>::fuse(rounding, a, b, c);
    case RealOperation::divide:
      return Rounded<F>::divide(rounding, a, b);
    case RealOperation::minimum:
      return extreme(a, b, false, in.has(Modifier::nanResult));
    case RealOperation::maximum:
      return extreme(a, b, true, in.has(Modifier::nanResult));
    case RealOperation::squareRoot:
      return Rounded<F>::squareRoot(rounding, a);
    case RealOperation::absolute:
      return std::fabs(a);
    case RealOperation::negate:
      return -a;
    case RealOperation::reciprocal:
      return Rounded<F>::divide(rounding, F{1}, a);
    case RealOperation::reciprocalRoot:
      return F{1} / std::sqrt(a);
    case RealOperation::sine:
      return std::sin(a);
    case RealOperation::cosine:
      return std::cos(a);
    case RealOperation::logarithm:
      return std::log2(a);
    case RealOperation::exponential:
      return std::exp2(a);
    case RealOperation::hyperbolicTangent:
      return std::tanh(a);
  }
  return a;
}

template <class F>
F finished(F value, const Instruction& in) {
  if (in.has(Modifier::sat)) value = value > 0 ? std::fmin(value, F{1}) : F{0};
  if (in.has(Modifier::relu)) value = std::isnan(value) ? value : value > 0 ? value : F{0};
  return value;
}

__nv_fp8_interpretation_t kindOf(Type type) {
  return type == Type::e4m3 ? __NV_E4M3 : __NV_E5M2;
}

/// Of single precision: the one NaN that operations make. Signs are changed in any.
std::uint64_t withOneNan(std::uint64_t bits, RealOperation operation) {
  const bool keeps = operation == RealOperation::absolute || operation == RealOperation::negate;
  return !keeps && (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : bits;
}

}  // namespace

Type elementOf(Type packed) {
  switch (packed) {
    case Type::f16x2:
      return Type::f16;
    case Type::bf16x2:
      return Type::bf16;
    case Type::e4m3x2:
      return Type::e4m3;
    case Type::e5m2x2:
      return Type::e5m2;
    default:
      return packed;
  }
}

std::uint64_t flushed(std::uint64_t pattern, Type type, const Instruction& in) {
  if (!in.has(Modifier::ftz)) return pattern;
  const std::uint64_t exponent = type == Type::f32    ? 0x7f800000
                                 : type == Type::f16  ? 0x7c00
                                 : type == Type::bf16 ? 0x7f80
                                                      : ~0ull;
  return (pattern & exponent) != 0 ? pattern : pattern & std::uint64_t{1} << (bitsOf(type) - 1);
}

RoundingMode roundingOf(const Instruction& in) {
  return in.has(Modifier::rz)   ? RoundingMode::zero
         : in.has(Modifier::rp) ? RoundingMode::up
         : in.has(Modifier::rm) ? RoundingMode::down
                                : RoundingMode::nearest;
}

double realOf(std::uint64_t pattern, Type type) {
  switch (type) {
    case Type::f64:
      return fromBits<double, std::uint64_t>(pattern);
    case Type::f16:
      return static_cast<float>(__ushort_as_half(static_cast<unsigned short>(pattern)));
    case Type::bf16:
      return fromBits<float, std::uint32_t>(pattern << 16);
    case Type::e4m3:
    case Type::e5m2:
      return __half2float(
          __half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(pattern), kindOf(type))));
    case Type::tf32:
      return fromBits<float, std::uint32_t>(pattern & ~0x1fffull);  // the hardware reads the upper 19 bits
    default:
      return fromBits<float, std::uint32_t>(pattern);
  }
}

std::uint64_t patternOf(double value, Type type, RoundingMode rounding) {
  const auto small = rounding == RoundingMode::nearest ? toolkit::Rounding::nearest
                     : rounding == RoundingMode::zero  ? toolkit::Rounding::zero
                     : rounding == RoundingMode::up    ? toolkit::Rounding::up
                                                       : toolkit::Rounding::down;
  switch (type) {
    case Type::f64:
      return toBits<std::uint64_t>(value);
    case Type::f16:
      return toolkit::smallFloatBits<10, 5>(value, small);
    case Type::bf16:
      return toolkit::smallFloatBits<7, 8>(value, small);
    case Type::e4m3:
    case Type::e5m2:  // always to the nearest, and never beyond the largest number
      return std::isnan(value) ? 0x7f : __nv_cvt_double_to_fp8(value, __NV_SATFINITE, kindOf(type));
    default:
      return toBits<std::uint32_t>(rounding == RoundingMode::nearest ? static_cast<float>(value)
                                   : rounding == RoundingMode::zero  ? cuiFloatOfDouble_rz(value)
                                   : rounding == RoundingMode::up    ? cuiFloatOfDouble_ru(value)
                                                                     : cuiFloatOfDouble_rd(value));
  }
}

std::uint64_t computeReal(RealOperation operation, const Instruction& in, Type type, std::uint64_t a,
                          std::uint64_t b, std::uint64_t c) {
  if (type == Type::f32) {
    const auto number = [&](std::uint64_t bits) {
      return fromBits<float, std::uint32_t>(flushed(bits, type, in));
    };
    const float result = finished(compute(operation, in, number(a), number(b), number(c)), in);
    return flushed(withOneNan(toBits<std::uint32_t>(result), operation), type, in);
  }
  const auto number = [&](std::uint64_t bits) { return realOf(flushed(bits, type, in), type); };
  const double x = number(a), y = number(b), z = number(c);
  if (type == Type::f64) return toBits<std::uint64_t>(finished(compute(operation, in, x, y, z), in));
  const double exact =
      operation == RealOperation::fuse ? toolkit::fmaToOdd(x, y, z) : compute(operation, in, x, y, z);
  return flushed(patternOf(finished(exact, in), type, RoundingMode::nearest), type, in);
}

void computeReal(RealOperation operation, const Instruction& in, Frame& frame) {
  const Type type = in.type();
  std::uint64_t from[3] = {};
  for (std::size_t i = 1; i < in.operands.size() && i < 4; ++i)
    from[i - 1] = frame.read(in.operands[i], type);
  std::uint64_t result = 0;
  if (isPacked(type))
    for (unsigned shift = 0; shift < 32; shift += 16)
      result |= computeReal(operation, in, elementOf(type), from[0] >> shift & 0xffff,
                            from[1] >> shift & 0xffff, from[2] >> shift & 0xffff)
                << shift;
  else
    result = computeReal(operation, in, type, from[0], from[1], from[2]);
  frame.write(in.operands[0], result, type);
}

}  // namespace cui::cpu::ptx
