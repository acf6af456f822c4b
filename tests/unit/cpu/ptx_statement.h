// One statement of inline assembly, run on the host.
#pragma once

#include <cuda_runtime.h>

#include <cstring>

namespace ptxtest {

/// The one result of `text` for up to four numbers.
template <class T>
T run(const char* text, unsigned long long a = 0, unsigned long long b = 0, unsigned long long c = 0,
      unsigned long long d = 0) {
  T result = {};
  // A site of its own for each text.
  ::cui::backend::PtxSite site = {__FILE__, __LINE__, nullptr};
  ::cui::backend::PtxStatement{site}(text, CUI_PTX_OPERAND("=l")(result), CUI_PTX_OPERAND("l")(a),
                                     CUI_PTX_OPERAND("l")(b), CUI_PTX_OPERAND("l")(c),
                                     CUI_PTX_OPERAND("l")(d));
  return result;
}
inline unsigned u(const char* text, unsigned a = 0, unsigned b = 0, unsigned c = 0, unsigned d = 0) {
  return run<unsigned>(text, a, b, c, d);
}
inline int s(const char* text, int a = 0, int b = 0, int c = 0) {
  return static_cast<int>(
      u(text, static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c)));
}
inline unsigned bits(float x) {
  unsigned result;
  std::memcpy(&result, &x, sizeof result);
  return result;
}
inline float f(const char* text, float a = 0, float b = 0, float c = 0) {
  const unsigned result = u(text, bits(a), bits(b), bits(c));
  float value;
  std::memcpy(&value, &result, sizeof value);
  return value;
}

}  // namespace ptxtest
