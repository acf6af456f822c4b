// CUDA's fast intrinsics, accurate here. The C library's headers declare these names, so they cannot be
// inline functions of our own; weak, because a static C library defines some of them.
#include <cmath>

#include "cuinstrument/backend/cpu/toolkit/cuda_host_library.h"

#define CUI_WEAK __attribute__((weak))

CUI_WEAK float __sinf(float x) noexcept {
  return std::sin(x);
}
CUI_WEAK float __cosf(float x) noexcept {
  return std::cos(x);
}
CUI_WEAK float __tanf(float x) noexcept {
  return std::tan(x);
}
CUI_WEAK float __tanhf(float x) noexcept {
  return std::tanh(x);
}
CUI_WEAK void __sincosf(float x, float* s, float* c) noexcept {
  *s = std::sin(x), *c = std::cos(x);
}
CUI_WEAK float __expf(float x) noexcept {
  return std::exp(x);
}
CUI_WEAK float __exp10f(float x) noexcept {
  return static_cast<float>(std::pow(10.0, static_cast<double>(x)));
}
CUI_WEAK float __logf(float x) noexcept {
  return std::log(x);
}
CUI_WEAK float __log2f(float x) noexcept {
  return std::log2(x);
}
CUI_WEAK float __log10f(float x) noexcept {
  return std::log10(x);
}
CUI_WEAK float __powf(float x, float y) noexcept {
  return std::pow(x, y);
}
