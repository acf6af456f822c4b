#include "cli/compile/ptx_functions.h"

#include <cctype>
#include <cstdlib>
#include <string>

namespace cui::cli {
namespace {

constexpr std::string_view namePrefix = "_ZN3cui7backend";

/// The word that stands at `begin`, or nothing.
std::string_view nameAt(std::string_view declaration, std::size_t begin) {
  if (begin == std::string_view::npos) return {};
  return declaration.substr(begin, declaration.find_first_of(" \t\n(", begin) - begin);
}

/// Where what begins at `at` ends, if that is a comment or a text, whose braces are none.
std::size_t endOfText(std::string_view ptx, std::size_t at) {
  const std::string_view begin = ptx.substr(at, 2);
  const std::string_view end = begin == "//" ? "\n" : begin == "/*" ? "*/" : begin.front() == '"' ? "\"" : "";
  if (end.empty()) return at;
  const std::size_t found = ptx.find(end, at + (begin.front() == '"' ? 1 : 2));
  return found == std::string_view::npos ? ptx.size() - 1 : found + end.size() - 1;
}

}  // namespace

std::string_view nameBeginningAt(std::string_view text, std::size_t begin) {
  text.remove_prefix(begin);
  const auto* const end = std::find_if_not(text.begin(), text.end(), isPartOfName);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::string_view bodyIn(std::string_view behind) {
  if (behind.empty() || behind.front() != '{') return {};
  constexpr Characters marks("{}/\"");
  std::size_t depth = 0;
  for (std::size_t at = 0; (at = marks.firstIn(behind, at)) != std::string_view::npos; ++at) {
    if (behind[at] == '{') ++depth;
    if (behind[at] == '}' && --depth == 0) return behind.substr(0, at + 1);
    at = endOfText(behind, at);
  }
  return behind;
}

std::string_view recorderFunction(std::string_view mangled) {
  if (mangled.substr(0, namePrefix.size()) != namePrefix) return {};
  mangled.remove_prefix(namePrefix.size());
  std::size_t length = 0, digits = 0;
  while (digits < mangled.size() && std::isdigit(static_cast<unsigned char>(mangled[digits])))
    length = 10 * length + static_cast<std::size_t>(mangled[digits++] - '0');
  return digits == 0 ? std::string_view{} : mangled.substr(digits, length);
}

unsigned formOf(std::string_view mangled) {
  const std::string_view function = recorderFunction(mangled), begin = "ILi";
  if (function.empty()) return 0;
  const std::string_view arguments = mangled.substr(mangled.find(function) + function.size());
  if (arguments.substr(0, begin.size()) != begin) return 0;
  return static_cast<unsigned>(
      std::strtoul(std::string(arguments.substr(begin.size())).c_str(), nullptr, 10));
}

std::string_view nameOfFunction(std::string_view declaration) {
  std::size_t begin = declaration.find(functionDirective) + functionDirective.size();
  begin = declaration.find_first_not_of(" \t\n", begin);
  if (begin != std::string_view::npos && declaration[begin] == '(')
    begin = declaration.find_first_not_of(" \t\n", declaration.find(')', begin) + 1);
  return nameAt(declaration, begin);
}

std::string_view nameOfKernel(std::string_view declaration) {
  const std::size_t directive = declaration.find(kernelDirective);
  return nameAt(declaration, declaration.find_first_not_of(" \t\n", directive + kernelDirective.size()));
}

std::string withSuffix(std::string_view declaration, std::string_view name, std::string_view suffix) {
  const auto end = static_cast<std::size_t>(name.data() + name.size() - declaration.data());
  return std::string(declaration.substr(0, end)).append(suffix).append(declaration.substr(end));
}

bool isRecordersExtern(std::string_view declaration) {
  return declaration.substr(0, externDirective.size()) == externDirective &&
         !recorderFunction(nameOfFunction(declaration)).empty();
}

std::set<std::string_view> ownFunctions(std::string_view ptx) {
  std::set<std::string_view> functions;
  forEachDefinition(ptx, functionDirective, [&](std::string_view declaration, std::string_view) {
    functions.insert(nameOfFunction(declaration));
  });
  return functions;
}

bool namesAny(std::string_view body, const std::set<std::string_view>& functions) {
  if (functions.empty()) return false;
  bool found = false;
  forEachWord(body,
              [&](std::string_view, std::string_view word) { found = found || functions.count(word) != 0; });
  return found;
}

}  // namespace cui::cli
