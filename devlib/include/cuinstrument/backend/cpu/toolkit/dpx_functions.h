// DPX: the functions of dynamic programming, sums and extremes of two or three operands, of 32 bits and of
// two halves of 16.
#pragma once
#pragma GCC system_header

#include "host_defines.h"

/// Word is 32 bits wide, Half 16. `value` is made of x, y and z, whose sums wrap: CUI_TK_DPX_ADD.
#define CUI_TK_DPX_WORDS(name, Word, value)     \
  CUI_TK_HD Word name(Word x, Word y, Word z) { \
    typedef Word Operand;                       \
    (void)z;                                    \
    return value;                               \
  }
#define CUI_TK_DPX_HALVES(name, Half, value)                                        \
  CUI_TK_HD unsigned int name(unsigned int a, unsigned int b, unsigned int c) {     \
    typedef Half Operand;                                                           \
    unsigned int result = 0;                                                        \
    for (int i = 0; i < 32; i += 16) {                                              \
      const Half x = static_cast<Half>(a >> i), y = static_cast<Half>(b >> i),      \
                 z = static_cast<Half>(c >> i);                                     \
      (void)z;                                                                      \
      result |= static_cast<unsigned int>(static_cast<unsigned short>(value)) << i; \
    }                                                                               \
    return result;                                                                  \
  }
#define CUI_TK_DPX_ADD(x, y) static_cast<Operand>(static_cast<unsigned int>(x) + static_cast<unsigned int>(y))
#define CUI_TK_DPX_MAX(x, y) ((x) < (y) ? (y) : (x))
#define CUI_TK_DPX_MIN(x, y) ((y) < (x) ? (y) : (x))
#define CUI_TK_DPX_RELU(x) CUI_TK_DPX_MAX(x, 0)

#define CUI_TK_DPX_EXTREME(extreme, best)                                                                 \
  CUI_TK_DPX_WORDS(__vi##extreme##3_s32, int, best(x, best(y, z)))                                        \
  CUI_TK_DPX_WORDS(__vi##extreme##3_u32, unsigned int, best(x, best(y, z)))                               \
  CUI_TK_DPX_WORDS(__vi##extreme##3_s32_relu, int, CUI_TK_DPX_RELU(best(x, best(y, z))))                  \
  CUI_TK_DPX_HALVES(__vi##extreme##3_s16x2, short, best(x, best(y, z)))                                   \
  CUI_TK_DPX_HALVES(__vi##extreme##3_u16x2, unsigned short, best(x, best(y, z)))                          \
  CUI_TK_DPX_HALVES(__vi##extreme##3_s16x2_relu, short, CUI_TK_DPX_RELU(best(x, best(y, z))))             \
  CUI_TK_DPX_WORDS(__viadd##extreme##_s32, int, best(CUI_TK_DPX_ADD(x, y), z))                            \
  CUI_TK_DPX_WORDS(__viadd##extreme##_u32, unsigned int, best(CUI_TK_DPX_ADD(x, y), z))                   \
  CUI_TK_DPX_WORDS(__viadd##extreme##_s32_relu, int, CUI_TK_DPX_RELU(best(CUI_TK_DPX_ADD(x, y), z)))      \
  CUI_TK_DPX_HALVES(__viadd##extreme##_s16x2, short, best(CUI_TK_DPX_ADD(x, y), z))                       \
  CUI_TK_DPX_HALVES(__viadd##extreme##_u16x2, unsigned short, best(CUI_TK_DPX_ADD(x, y), z))              \
  CUI_TK_DPX_HALVES(__viadd##extreme##_s16x2_relu, short, CUI_TK_DPX_RELU(best(CUI_TK_DPX_ADD(x, y), z))) \
  CUI_TK_HD int __vi##extreme##_s32_relu(int x, int y) {                                                  \
    return CUI_TK_DPX_RELU(best(x, y));                                                                   \
  }                                                                                                       \
  CUI_TK_HD unsigned int __vi##extreme##_s16x2_relu(unsigned int a, unsigned int b) {                     \
    return __vi##extreme##3_s16x2_relu(a, b, b);                                                          \
  }                                                                                                       \
  CUI_TK_DPX_CHOICE(__vib##extreme##_s32, int, best)                                                      \
  CUI_TK_DPX_CHOICE(__vib##extreme##_u32, unsigned int, best)                                             \
  CUI_TK_DPX_CHOICES(__vib##extreme##_s16x2, short, best, __vi##extreme##3_s16x2)                         \
  CUI_TK_DPX_CHOICES(__vib##extreme##_u16x2, unsigned short, best, __vi##extreme##3_u16x2)
/// Also whether it is the first operand.
#define CUI_TK_DPX_CHOICE(name, Word, best)            \
  CUI_TK_HD Word name(Word x, Word y, bool* isFirst) { \
    *isFirst = best(x, y) == x;                        \
    return best(x, y);                                 \
  }
#define CUI_TK_DPX_CHOICES(name, Half, best, of)                                                     \
  CUI_TK_HD unsigned int name(unsigned int a, unsigned int b, bool* highIsFirst, bool* lowIsFirst) { \
    const unsigned int result = of(a, b, b);                                                         \
    *highIsFirst = result >> 16 == a >> 16;                                                          \
    *lowIsFirst = (result & 0xffffu) == (a & 0xffffu);                                               \
    return result;                                                                                   \
  }
CUI_TK_DPX_EXTREME(max, CUI_TK_DPX_MAX)
CUI_TK_DPX_EXTREME(min, CUI_TK_DPX_MIN)
#undef CUI_TK_DPX_CHOICES
#undef CUI_TK_DPX_CHOICE
#undef CUI_TK_DPX_EXTREME
#undef CUI_TK_DPX_RELU
#undef CUI_TK_DPX_MIN
#undef CUI_TK_DPX_MAX
#undef CUI_TK_DPX_ADD
#undef CUI_TK_DPX_HALVES
#undef CUI_TK_DPX_WORDS
