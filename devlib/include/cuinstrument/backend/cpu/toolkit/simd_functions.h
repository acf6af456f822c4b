// Packed integers: two of 16 bits or four of 8 in a word.
#pragma once
#pragma GCC system_header

#include "host_defines.h"

/// name2 and name4 of operands with lanes x and y; `bits` is a lane's width, `most` its largest signed value.
#define CUI_TK_SIMD_WIDTH(name, Lane, ...)                                                      \
  CUI_TK_DEVICE unsigned int name(unsigned int a, unsigned int b) {                             \
    constexpr int bits = 8 * sizeof(Lane), most = (1 << (bits - 1)) - 1, all = (1 << bits) - 1; \
    unsigned int result = 0;                                                                    \
    for (int i = 0; i < 32; i += bits) {                                                        \
      const int x = static_cast<Lane>(a >> i), y = static_cast<Lane>(b >> i);                   \
      result |= (static_cast<unsigned int>(__VA_ARGS__) & static_cast<unsigned int>(all)) << i; \
    }                                                                                           \
    (void)most;                                                                                 \
    return result;                                                                              \
  }
#define CUI_TK_SIMD_SIGNED(name, ...)            \
  CUI_TK_SIMD_WIDTH(name##2, short, __VA_ARGS__) \
  CUI_TK_SIMD_WIDTH(name##4, signed char, __VA_ARGS__)
#define CUI_TK_SIMD_UNSIGNED(name, ...)                   \
  CUI_TK_SIMD_WIDTH(name##2, unsigned short, __VA_ARGS__) \
  CUI_TK_SIMD_WIDTH(name##4, unsigned char, __VA_ARGS__)
#define CUI_TK_SIMD_SATURATE(value) ((value) > most ? most : (value) < -most - 1 ? -most - 1 : (value))

CUI_TK_SIMD_UNSIGNED(__vadd, x + y)
CUI_TK_SIMD_SIGNED(__vaddss, CUI_TK_SIMD_SATURATE(x + y))
CUI_TK_SIMD_UNSIGNED(__vaddus, x + y > all ? all : x + y)
CUI_TK_SIMD_UNSIGNED(__vsub, x - y)
CUI_TK_SIMD_SIGNED(__vsubss, CUI_TK_SIMD_SATURATE(x - y))
CUI_TK_SIMD_UNSIGNED(__vsubus, x < y ? 0 : x - y)
CUI_TK_SIMD_SIGNED(__vabsdiffs, x < y ? y - x : x - y)
CUI_TK_SIMD_UNSIGNED(__vabsdiffu, x < y ? y - x : x - y)
CUI_TK_SIMD_SIGNED(__vavgs, (x + y + (x + y >= 0)) >> 1)
CUI_TK_SIMD_UNSIGNED(__vavgu, (x + y + 1) >> 1)
CUI_TK_SIMD_UNSIGNED(__vhaddu, (x + y) >> 1)
CUI_TK_SIMD_SIGNED(__vmaxs, x < y ? y : x)
CUI_TK_SIMD_UNSIGNED(__vmaxu, x < y ? y : x)
CUI_TK_SIMD_SIGNED(__vmins, y < x ? y : x)
CUI_TK_SIMD_UNSIGNED(__vminu, y < x ? y : x)
#define CUI_TK_SIMD_COMPARE(name, kind, op) \
  CUI_TK_SIMD_##kind(__vcmp##name, x op y ? all : 0) CUI_TK_SIMD_##kind(__vset##name, x op y ? 1 : 0)
CUI_TK_SIMD_COMPARE(eq, UNSIGNED, ==)
CUI_TK_SIMD_COMPARE(ne, UNSIGNED, !=)
CUI_TK_SIMD_COMPARE(ges, SIGNED, >=)
CUI_TK_SIMD_COMPARE(geu, UNSIGNED, >=)
CUI_TK_SIMD_COMPARE(gts, SIGNED, >)
CUI_TK_SIMD_COMPARE(gtu, UNSIGNED, >)
CUI_TK_SIMD_COMPARE(les, SIGNED, <=)
CUI_TK_SIMD_COMPARE(leu, UNSIGNED, <=)
CUI_TK_SIMD_COMPARE(lts, SIGNED, <)
CUI_TK_SIMD_COMPARE(ltu, UNSIGNED, <)
#undef CUI_TK_SIMD_COMPARE

// --- of one operand
CUI_TK_SIMD_SIGNED(cuiAbsolute, ((void)y, x < 0 ? -x : x))
CUI_TK_SIMD_SIGNED(cuiAbsoluteSaturated, ((void)y, x < 0 ? CUI_TK_SIMD_SATURATE(-x) : x))
#define CUI_TK_SIMD_UNARY(name, function, ...)      \
  CUI_TK_DEVICE unsigned int name(unsigned int a) { \
    return function(__VA_ARGS__);                   \
  }
CUI_TK_SIMD_UNARY(__vabs2, cuiAbsolute2, a, 0)
CUI_TK_SIMD_UNARY(__vabs4, cuiAbsolute4, a, 0)
CUI_TK_SIMD_UNARY(__vabsss2, cuiAbsoluteSaturated2, a, 0)
CUI_TK_SIMD_UNARY(__vabsss4, cuiAbsoluteSaturated4, a, 0)
CUI_TK_SIMD_UNARY(__vneg2, __vsub2, 0, a)
CUI_TK_SIMD_UNARY(__vneg4, __vsub4, 0, a)
CUI_TK_SIMD_UNARY(__vnegss2, __vsubss2, 0, a)
CUI_TK_SIMD_UNARY(__vnegss4, __vsubss4, 0, a)
#undef CUI_TK_SIMD_UNARY

// --- sums over the lanes
#define CUI_TK_SIMD_SUM(name, difference, bits)                            \
  CUI_TK_DEVICE unsigned int name(unsigned int a, unsigned int b) {        \
    const unsigned int d = difference(a, b);                               \
    unsigned int sum = 0;                                                  \
    for (int i = 0; i < 32; i += bits) sum += d >> i & ((1u << bits) - 1); \
    return sum;                                                            \
  }
CUI_TK_SIMD_SUM(__vsads2, __vabsdiffs2, 16)
CUI_TK_SIMD_SUM(__vsads4, __vabsdiffs4, 8)
CUI_TK_SIMD_SUM(__vsadu2, __vabsdiffu2, 16)
CUI_TK_SIMD_SUM(__vsadu4, __vabsdiffu4, 8)
#undef CUI_TK_SIMD_SUM
#undef CUI_TK_SIMD_SATURATE
#undef CUI_TK_SIMD_UNSIGNED
#undef CUI_TK_SIMD_SIGNED
#undef CUI_TK_SIMD_WIDTH
