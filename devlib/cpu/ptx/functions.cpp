// Roots and elementary functions, as accurate as the C library's: `.approx` is a bound on the error.
#include <cmath>

#include "instructions.h"
#include "real.h"

namespace cui::cpu::ptx {

#define CUI_PTX_FUNCTION(name, operation)             \
  void name(const Instruction& in, Frame& frame) {    \
    computeReal(RealOperation::operation, in, frame); \
  }
CUI_PTX_FUNCTION(reciprocal, reciprocal)
CUI_PTX_FUNCTION(squareRoot, squareRoot)
CUI_PTX_FUNCTION(reciprocalRoot, reciprocalRoot)
CUI_PTX_FUNCTION(sine, sine)
CUI_PTX_FUNCTION(cosine, cosine)
CUI_PTX_FUNCTION(logarithm, logarithm)
CUI_PTX_FUNCTION(exponential, exponential)
CUI_PTX_FUNCTION(hyperbolicTangent, hyperbolicTangent)
#undef CUI_PTX_FUNCTION

/// The second operand with the sign of the first.
void copySign(const Instruction& in, Frame& frame) {
  const std::uint64_t sign = std::uint64_t{1} << (bitsOf(in.type()) - 1);
  const std::uint64_t a = frame.read(in.operands[1], in.type()), b = frame.read(in.operands[2], in.type());
  frame.write(in.operands[0], (a & sign) | (b & ~sign), in.type());
}

void testProperty(const Instruction& in, Frame& frame) {
  const double wide = realOf(frame.read(in.operands[1], in.type()), in.type());
  const int kind = in.type() == Type::f32 ? std::fpclassify(static_cast<float>(wide)) : std::fpclassify(wide);
  const bool result = in.has(Modifier::finite)       ? kind != FP_INFINITE && kind != FP_NAN
                      : in.has(Modifier::infinite)   ? kind == FP_INFINITE
                      : in.has(Modifier::number)     ? kind != FP_NAN
                      : in.has(Modifier::notanumber) ? kind == FP_NAN
                      : in.has(Modifier::normal)     ? kind == FP_NORMAL || kind == FP_ZERO
                                                     : kind == FP_SUBNORMAL;
  frame.write(in.operands[0], result ? 1 : 0, Type::pred);
}

}  // namespace cui::cpu::ptx
