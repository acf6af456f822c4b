// Comparisons, and selection by what they found.
#include <cmath>

#include "instructions.h"
#include "integer.h"
#include "real.h"

namespace cui::cpu::ptx {
namespace {

bool compareNumbers(const Instruction& in, Wide a, Wide b) {
  if (in.has(Modifier::eq)) return a == b;
  if (in.has(Modifier::ne)) return a != b;
  if (in.has(Modifier::lt) || in.has(Modifier::lo)) return a < b;
  if (in.has(Modifier::le) || in.has(Modifier::ls)) return a <= b;
  if (in.has(Modifier::gt) || in.has(Modifier::hi)) return a > b;
  return a >= b;
}

bool compareReals(const Instruction& in, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (in.has(Modifier::num)) return !unordered;
  if (in.has(Modifier::nan)) return unordered;
  if (in.has(Modifier::equ)) return unordered || a == b;
  if (in.has(Modifier::neu)) return unordered || a != b;
  if (in.has(Modifier::ltu)) return unordered || a < b;
  if (in.has(Modifier::leu)) return unordered || a <= b;
  if (in.has(Modifier::gtu)) return unordered || a > b;
  if (in.has(Modifier::geu)) return unordered || a >= b;
  if (in.has(Modifier::eq)) return a == b;
  if (in.has(Modifier::ne)) return !unordered && a != b;
  if (in.has(Modifier::lt)) return a < b;
  if (in.has(Modifier::le)) return a <= b;
  if (in.has(Modifier::gt)) return a > b;
  return a >= b;
}

bool compared(const Instruction& in, Type type, std::size_t first, const Frame& frame) {
  const std::uint64_t a = frame.read(in.operands[first], type), b = frame.read(in.operands[first + 1], type);
  if (isFloat(type))
    return compareReals(in, realOf(flushed(a, type, in), type), realOf(flushed(b, type, in), type));
  return compareNumbers(in, valueOf(a, type), valueOf(b, type));
}

/// With `.and`, `.or`, `.xor`: joined with the predicate behind the two that are compared.
bool joined(const Instruction& in, bool result, std::size_t predicate, const Frame& frame) {
  if (in.operands.size() <= predicate) return result;
  const bool other = frame.readPredicate(in.operands[predicate]);
  return in.has(Modifier::bitOr)    ? result || other
         : in.has(Modifier::bitXor) ? result != other
                                    : result && other;
}

}  // namespace

/// The second of `p|q` is the opposite of the comparison, joined likewise.
void setPredicate(const Instruction& in, Frame& frame) {
  const bool result = compared(in, in.type(), 1, frame);
  const Operand& target = in.operands[0];
  const bool p = joined(in, result, 3, frame), q = joined(in, !result, 3, frame);
  const bool isPair = target.kind == Operand::Kind::list;
  frame.write(isPair ? target.parts[0] : target, p ? 1 : 0, Type::pred);
  if (isPair) frame.write(target.parts[1], q ? 1 : 0, Type::pred);
}

void setNumber(const Instruction& in, Frame& frame) {
  const bool result = joined(in, compared(in, in.type(1), 1, frame), 3, frame);
  const std::uint64_t yes = isFloat(in.type(0)) ? patternOf(1, in.type(0), RoundingMode::nearest) : ~0ull;
  frame.write(in.operands[0], result ? yes : 0, in.type(0));
}

void selectByPredicate(const Instruction& in, Frame& frame) {
  frame.write(in.operands[0], frame.read(in.operands[frame.readPredicate(in.operands[3]) ? 1 : 2], in.type()),
              in.type());
}

void selectBySign(const Instruction& in, Frame& frame) {
  const std::uint64_t by = flushed(frame.read(in.operands[3], in.type(1)), in.type(1), in);
  const bool first = isFloat(in.type(1)) ? realOf(by, in.type(1)) >= 0 : static_cast<std::int64_t>(by) >= 0;
  frame.write(in.operands[0], frame.read(in.operands[first ? 1 : 2], in.type(0)), in.type(0));
}

}  // namespace cui::cpu::ptx
