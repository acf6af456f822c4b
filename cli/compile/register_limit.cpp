#include "cli/compile/register_limit.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <sstream>
#include <string_view>

namespace cui::cli {

namespace {

std::string withoutLines(const std::string& messages, std::initializer_list<const char*> parts) {
  std::istringstream lines(messages);
  std::string others;
  for (std::string line; std::getline(lines, line);)
    if (std::none_of(parts.begin(), parts.end(),
                     [&line](const char* part) { return line.find(part) != std::string::npos; }))
      others += line + '\n';
  return others;
}

}  // namespace

std::optional<long> fewestOfKernels(const std::string& messages) {
  constexpr std::string_view before = "with max regcount of ", behind = " calls function";
  std::optional<long> fewest;
  for (std::size_t at = 0; (at = messages.find(before, at)) != std::string::npos;) {
    at += before.size();
    char* end = nullptr;
    const long registers = std::strtol(messages.c_str() + at, &end, 10);
    if (std::string_view(end).substr(0, behind.size()) == behind)
      fewest = std::min(fewest.value_or(registers), registers);
  }
  return fewest;
}

KernelRegisters registersOfKernels(const std::string& messages) {
  constexpr std::string_view kernelIs = "Compiling entry function '", used = ": Used ";
  KernelRegisters result;
  std::istringstream lines(messages);
  std::string kernel;
  for (std::string line; std::getline(lines, line);) {
    if (std::size_t at = line.find(kernelIs); at != std::string::npos) {
      at += kernelIs.size();
      kernel = line.substr(at, line.find('\'', at) - at);
    } else if (at = line.find(used); at != std::string::npos && !kernel.empty()) {
      result[kernel] = std::strtol(line.c_str() + at + used.size(), nullptr, 10);
      kernel.clear();  // what follows may be of a function
    }
  }
  return result;
}

std::string withoutSpills(const std::string& messages) {
  return withoutLines(messages, {"Register spills may happen since callee",
                                 "expected to have different return address register"});
}

std::string withoutIgnoredLimit(const std::string& messages) {
  return withoutLines(messages, {"Too big maxrregcount value specified"});
}

}  // namespace cui::cli
