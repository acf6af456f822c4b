#include "hostlib/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace cui::hostlib {
namespace {

/// With -rdc=true a kernel of internal linkage is `__nv_static_<length>_<file and more, so long>_<its
/// symbol>`.
const char* withoutStaticPrefix(const char* symbol) {
  constexpr std::string_view prefix = "__nv_static_";
  const std::string_view all = symbol;
  if (all.substr(0, prefix.size()) != prefix) return symbol;
  char* file = nullptr;
  const unsigned long length = std::strtoul(symbol + prefix.size(), &file, 10);
  const std::size_t begin = static_cast<std::size_t>(file - symbol) + length + 2;
  return length < all.size() && begin < all.size() ? symbol + begin : symbol;
}

std::string demangled(const char* symbol) {
  symbol = withoutStaticPrefix(symbol);
  int status = 0;
  const bool isMangled = std::string_view(symbol).substr(0, 2) == "_Z";  // else `a` would be `signed char`
  const std::unique_ptr<char, decltype(&std::free)> text(
      isMangled ? abi::__cxa_demangle(symbol, nullptr, nullptr, &status) : nullptr, &std::free);
  std::string_view name = text ? text.get() : symbol;
  if (!name.empty() && name.back() == ')') {  // the parameters, which may have parentheses, too
    std::size_t begin = name.size(), open = 0;
    do {
      --begin;
      open += name[begin] == ')';
      open -= name[begin] == '(';
    } while (open != 0 && begin != 0);
    name.remove_suffix(name.size() - begin);
  }
  constexpr std::string_view result = "void ";  // of a template; a kernel has no other
  if (name.substr(0, result.size()) == result) name.remove_prefix(result.size());
  return std::string(name);
}

}  // namespace

const char* kernelName(const char* symbol) {
  // For launches while the program ends, too.
  static auto& mutex = *new std::mutex;
  static auto& names = *new std::map<std::string, std::string, std::less<>>;
  const std::lock_guard lock(mutex);
  const auto found = names.find(std::string_view(symbol));
  if (found != names.end()) return found->second.c_str();
  return names.emplace(symbol, demangled(symbol)).first->second.c_str();
}

}  // namespace cui::hostlib
