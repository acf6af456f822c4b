#include "cli/compile/code_registers.h"

#include "cli/compile/cubin.h"

namespace cui::cli {

CodeRegisters registersOf(std::string_view code) {
  const Cubin cubin(code);
  CodeRegisters result;
  const std::string_view all = cubin.contents(cubin.need(".nv.info"));
  forEachAttribute(all, [&](unsigned char attribute, std::size_t at, std::size_t) {
    if (attribute != registersUsed) return;
    const std::size_t number = valueAt<std::uint32_t>(all, at);
    if (number >= cubin.symbols.size()) refuseCode("no such symbol");
    result.used[std::string(cubin.nameOf(cubin.symbols[number]))] = valueAt<std::uint32_t>(all, at + 4);
  });
  for (std::size_t i = 0; i < cubin.sections.size(); ++i) {
    const auto function = behind(cubin.names[i], ".nv.info.");
    if (!function) continue;
    const std::string_view info = cubin.contents(i);
    forEachAttribute(info, [&](unsigned char attribute, std::size_t at, std::size_t) {
      if (attribute == registersAllowed)
        result.limits[std::string(*function)] = valueAt<std::uint16_t>(info, at);
    });
  }
  return result;
}

std::string withLimits(std::string code, const std::map<std::string, long, std::less<>>& limits) {
  const Cubin cubin(code);
  for (std::size_t i = 0; i < cubin.sections.size(); ++i) {
    const auto function = behind(cubin.names[i], ".nv.info.");
    const auto limit = function ? limits.find(*function) : limits.end();
    if (limit == limits.end()) continue;
    const std::size_t begin = cubin.sections[i].sh_offset;
    const std::string info(cubin.contents(i));
    forEachAttribute(info, [&](unsigned char attribute, std::size_t at, std::size_t) {
      if (attribute == registersAllowed) put(code, begin + at, static_cast<std::uint16_t>(limit->second));
    });
  }
  return code;
}

}  // namespace cui::cli
