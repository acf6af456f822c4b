// Arithmetic in a rounding mode other than to nearest: the mode is switched around the one operation.
#include <cfenv>
#include <cmath>

#include "cuinstrument/backend/cpu/toolkit/math_functions.h"

namespace {

class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before_); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  int before_;
};

/// Keeps the compiler from computing with `value` before the mode is set or after it is restored.
template <class T>
T opaque(T value) {
  volatile T copy = value;
  return copy;
}

}  // namespace

// The results are named so that they are complete before the mode goes back.
#define CUI_IN_MODE(mode, expression)     \
  const RoundingMode set(mode);           \
  const auto result = opaque(expression); \
  return result;

#define CUI_ROUNDED(r, mode)                                       \
  float cuiAddFloat_##r(float a, float b) noexcept {               \
    CUI_IN_MODE(mode, opaque(a) + opaque(b))                       \
  }                                                                \
  float cuiMulFloat_##r(float a, float b) noexcept {               \
    CUI_IN_MODE(mode, opaque(a) * opaque(b))                       \
  }                                                                \
  float cuiFmaFloat_##r(float a, float b, float c) noexcept {      \
    CUI_IN_MODE(mode, std::fma(opaque(a), b, c))                   \
  }                                                                \
  float cuiDivFloat_##r(float a, float b) noexcept {               \
    CUI_IN_MODE(mode, opaque(a) / opaque(b))                       \
  }                                                                \
  float cuiSqrtFloat_##r(float a) noexcept {                       \
    CUI_IN_MODE(mode, std::sqrt(opaque(a)))                        \
  }                                                                \
  double cuiAddDouble_##r(double a, double b) noexcept {           \
    CUI_IN_MODE(mode, opaque(a) + opaque(b))                       \
  }                                                                \
  double cuiMulDouble_##r(double a, double b) noexcept {           \
    CUI_IN_MODE(mode, opaque(a) * opaque(b))                       \
  }                                                                \
  double cuiFmaDouble_##r(double a, double b, double c) noexcept { \
    CUI_IN_MODE(mode, std::fma(opaque(a), b, c))                   \
  }                                                                \
  double cuiDivDouble_##r(double a, double b) noexcept {           \
    CUI_IN_MODE(mode, opaque(a) / opaque(b))                       \
  }                                                                \
  double cuiSqrtDouble_##r(double a) noexcept {                    \
    CUI_IN_MODE(mode, std::sqrt(opaque(a)))                        \
  }                                                                \
  float cuiFloatOfDouble_##r(double a) noexcept {                  \
    CUI_IN_MODE(mode, static_cast<float>(opaque(a)))               \
  }                                                                \
  float cuiFloatOfInt64_##r(long long a) noexcept {                \
    CUI_IN_MODE(mode, static_cast<float>(opaque(a)))               \
  }                                                                \
  float cuiFloatOfUint64_##r(unsigned long long a) noexcept {      \
    CUI_IN_MODE(mode, static_cast<float>(opaque(a)))               \
  }                                                                \
  double cuiDoubleOfInt64_##r(long long a) noexcept {              \
    CUI_IN_MODE(mode, static_cast<double>(opaque(a)))              \
  }                                                                \
  double cuiDoubleOfUint64_##r(unsigned long long a) noexcept {    \
    CUI_IN_MODE(mode, static_cast<double>(opaque(a)))              \
  }

CUI_ROUNDED(rz, FE_TOWARDZERO)
CUI_ROUNDED(ru, FE_UPWARD)
CUI_ROUNDED(rd, FE_DOWNWARD)
