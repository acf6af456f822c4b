// The video instructions, on 32-bit integers and on two or four integers packed in 32 bits.
#include <algorithm>

#include "instructions.h"
#include "integer.h"

namespace cui::cpu::ptx {
namespace {

/// `vabsdiff` of `vabsdiff4.u32…`
std::string_view operationOf(const Instruction& in) {
  const std::string_view text = in.text;
  const std::size_t begin = text.find('v', text.front() == '@' ? text.find_first_of(" \t\n") : 0);
  return text.substr(begin, text.find_first_of(".24", begin) - begin);
}

Wide combine(const Instruction& in, Wide a, Wide b) {
  const std::string_view operation = operationOf(in);
  if (operation == "vadd") return a + b;
  if (operation == "vsub") return a - b;
  if (operation == "vmin") return std::min(a, b);
  if (operation == "vmax") return std::max(a, b);
  if (operation == "vavrg") return (a + b + (a + b < 0 ? 0 : 1)) >> 1;  // halves go away from zero
  if (operation == "vabsdiff") return a < b ? b - a : a - b;
  const Wide by = in.has(Modifier::wrap) ? b & 31 : std::min<Wide>(b, 32);
  return operation == "vshl" ? a << by : a >> by;
}

Wide saturated(Wide value, const Instruction& in, unsigned bits) {
  if (!in.has(Modifier::sat)) return value;
  const Wide limit = Wide{1} << (isSigned(in.type(0)) ? bits - 1 : bits);
  return std::clamp(value, isSigned(in.type(0)) ? -limit : Wide{0}, limit - 1);
}

}  // namespace

/// `.add`, `.min`, `.max` behind the types: joined with the third operand.
void videoScalar(const Instruction& in, Frame& frame) {
  const Type type = in.type(0);
  Wide result = saturated(
      combine(in, wideOf(in.operands[1], in.type(1), frame), wideOf(in.operands[2], in.type(2), frame)), in,
      32);
  if (in.operands.size() > 3) {
    const Wide c = wideOf(in.operands[3], type, frame);
    result = valueOf(static_cast<std::uint64_t>(result), type);
    if (in.has(Modifier::add)) result += c;
    if (in.has(Modifier::min)) result = std::min(result, c);
    if (in.has(Modifier::max)) result = std::max(result, c);
  }
  frame.write(in.operands[0], static_cast<std::uint64_t>(result), type);
}

/// With `.add` the results are added up, to the third operand.
void videoPacked(const Instruction& in, Frame& frame) {
  const unsigned bits = in.text.find("4.") < in.text.find("2.") ? 8 : 16;
  const auto element = [&](std::size_t operand, Type type, unsigned at) -> Wide {
    const std::uint64_t pattern = frame.read(in.operands[operand], Type::b32) >> at;
    return isSigned(type) ? Wide{signExtended(pattern, bits)} : Wide{zeroExtended(pattern, bits)};
  };
  Wide total = wideOf(in.operands[3], in.type(0), frame);
  std::uint64_t packed = 0;
  for (unsigned at = 0; at < 32; at += bits) {
    const Wide one = saturated(combine(in, element(1, in.type(1), at), element(2, in.type(2), at)), in, bits);
    total += one;
    packed |= zeroExtended(static_cast<std::uint64_t>(one), bits) << at;
  }
  frame.write(in.operands[0], in.has(Modifier::add) ? static_cast<std::uint64_t>(total) : packed, in.type(0));
}

}  // namespace cui::cpu::ptx
