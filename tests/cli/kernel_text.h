// A unit's PTX as cicc writes it, for tests of kernels in which something else stands in place of calls of
// the recorder: a kernel with a loop, and what is called in it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cui::cli::kernel_text {

inline constexpr const char* state = "_ZN3cui12_GLOBAL__N_19unitStateE";
inline constexpr const char* one = "_ZN3cui7backend10warpInModeILi7EEEvRKNS0_10DeviceUnitEjyj";
inline constexpr const char* two = "_ZN3cui7backend9twoInModeILi7EEEvRKNS0_10DeviceUnitEjyjyj";
inline constexpr const char* traced = "_ZN3cui7backend10recordWarpILi7EEEvRKNS0_10DeviceUnitEjyj";
inline constexpr const char* gathered =
    "_ZN3cui7backend18recordGatheredLoopILi7EEEbRKNS0_10DeviceUnitEjyjjijjj";
inline constexpr const char* even = "_ZN3cui7backend13recordLoopOneILi7EEEbRKNS0_10DeviceUnitEjyijj";
inline constexpr const char* loop = "_ZN3cui7backend13loopOneInModeILi7EEEbRKNS0_10DeviceUnitEjyijj";

inline std::string called(const std::string& function) {
  return "\t" + function + ",\n";
}
/// Of the unit's state.
inline std::string word(unsigned at) {
  return "[" + std::string(state) + "+" + std::to_string(at) + "]";
}

inline std::string calling(const std::string& function, const std::vector<std::string>& operands,
                           const std::string& before = "") {
  std::string text = "\t{ // callseq 1, 0\n\t.reg .b32 temp_param_reg;\n", names;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::string name = "param" + std::to_string(i);
    text += "\t.param .b64 " + name + ";\n";
    if (operands[i] == "%key") text += before;
    text += "\tst.param.b64 \t[" + name + "+0], " + operands[i] + ";\n";
    names += (i == 0 ? "" : ", \n") + std::string("\t") + name;
  }
  return text + "\tcall.uni \n\t" + function + ", \n\t(\n" + names + "\n\t);\n\t} // callseq 1\n";
}
/// Of a site in the loop: 1 is global memory, 2 shared.
inline std::string accessBy(const char* function, unsigned site, unsigned space,
                            const std::string& bytes = "4", const std::string& time = "") {
  const std::string number = std::to_string(site), key = std::to_string(site << 3 | space);
  const std::string own = number + time;  // a register is set once
  return "\tadd.s32 \t%k" + own + ", %r1, " + key + ";\n" +
         calling(function, {"%rd1", "%k" + own, "%rd" + number, bytes});
}
inline std::string kernelOf(const std::string& inLoop, const std::string& inFront = "") {
  return "{\n\t.reg .b32 \t%r<9>;\n\n\tld.const.u32 \t%r1, " + word(12) + ";\n" + inFront + "\n$L__BB0_1:\n" +
         inLoop + "\tsetp.lt.s32 \t%p1, %r3, %r2;\n\t@%p1 bra \t$L__BB0_1;\n\n\tret;\n\n}\n";
}
inline std::string unitOf(const std::string& body, const std::string& target = "sm_90") {
  std::string text =
      ".version 9.0\n.target " + target + "\n.address_size 64\n\n.const .align 8 .b8 " + state + "[112];\n";
  for (const char* function : {one, two, traced, gathered, even, loop})
    text += std::string(".extern .func ") + function + "\n(\n\t.param .b64 a_param_0\n)\n;\n";
  return text + ".visible .entry _Z6kernelv(\n\t.param .b64 _Z6kernelv_param_0\n)\n" + body;
}

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

}  // namespace cui::cli::kernel_text
