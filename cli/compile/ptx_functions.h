// Functions and kernels of PTX as text: declarations, and whose they are. For ptx_text.h and plain_code.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "cli/base/find_text.h"

namespace cui::cli {

/// `recordWarp` of `_ZN3cui7backend10recordWarpILi3EEEvRKNS0_10DeviceUnitEjyj`; empty for other names.
std::string_view recorderFunction(std::string_view mangled);

/// What it depends on, as its name says: 3 there; 0 of other names (cuinstrument/backend/cuda/modes.h).
unsigned formOf(std::string_view mangled);

constexpr std::string_view functionDirective = ".func", kernelDirective = ".entry";

/// The name behind `.func` and, in parentheses, what it returns; or behind `.entry`.
std::string_view nameOfFunction(std::string_view declaration);
std::string_view nameOfKernel(std::string_view declaration);

/// The declaration of the same under that name, which is in it, and a suffix.
std::string withSuffix(std::string_view declaration, std::string_view name, std::string_view suffix);

/// Whether it declares a function of the recorder that is defined elsewhere.
bool isRecordersExtern(std::string_view declaration);
constexpr std::string_view externDirective = ".extern";

/// The body that text behind a declaration begins with, from one brace to the other; empty if it begins with
/// none. Inline assembly has braces at the beginnings of lines, too: `{mul.f16 %0,%1,%2;\n}` of
/// cuda_fp16.hpp.
std::string_view bodyIn(std::string_view behind);

/// The name that stands at `begin` in the text.
std::string_view nameBeginningAt(std::string_view text, std::size_t begin);

/// Each register that is named there: `%r12`, `%p3`.
template <class Function>
void forEachRegister(std::string_view text, const Function& function) {
  for (std::size_t at = 0; (at = text.find('%', at)) != std::string_view::npos;) {
    const std::string_view name = nameBeginningAt(text, at);
    function(name);
    at += name.size();
  }
}

/// Of names of functions, variables and registers, and of instructions.
constexpr Characters charactersOfNames("_$%.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
constexpr bool isPartOfName(char c) {
  return charactersOfNames.has(c);
}

constexpr Characters endOfDeclaration(";{");

/// Calls `visit` with the text between declarations of what `directive` declares (and behind the last), and
/// with each of those, up to its `;` or `{`.
template <class Visit>
void forEachDeclaration(std::string_view ptx, std::string_view directive, const Visit& visit) {
  std::size_t done = 0, at = 0;
  while ((at = findIn(ptx, directive, at)) != std::string_view::npos) {
    const std::size_t newline = ptx.rfind('\n', at);
    const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
    const std::size_t end = endOfDeclaration.firstIn(ptx, at);
    at += directive.size();
    if (ptx[line] != '.' || end == std::string_view::npos) continue;
    visit(ptx.substr(done, line - done), ptx.substr(line, end - line));
    done = at = end;
  }
  visit(ptx.substr(done), std::string_view{});
}

/// With the declaration and the body (bodyIn) of each that is defined here.
template <class Visit>
void forEachDefinition(std::string_view ptx, std::string_view directive, const Visit& visit) {
  std::string_view declaration;
  forEachDeclaration(ptx, directive, [&](std::string_view between, std::string_view next) {
    if (const std::string_view body = bodyIn(between); !declaration.empty() && !body.empty())
      visit(declaration, body);
    declaration = next;
  });
}

/// The text with what `bodyOf` makes of each of these bodies in its place.
template <class BodyOf>
std::string withBodies(std::string_view ptx, std::string_view directive, const BodyOf& bodyOf) {
  std::string result;
  result.reserve(ptx.size());
  forEachDefinition(ptx, directive, [&](std::string_view declaration, std::string_view body) {
    const auto before = static_cast<std::size_t>(body.data() - ptx.data());
    result.append(ptx.substr(0, before)).append(bodyOf(declaration, body));
    ptx.remove_prefix(before + body.size());
  });
  return result.append(ptx);
}

/// Calls `visit` with each word of the text that can be a name, and with what stands before it.
template <class Visit>
void forEachWord(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const auto begin = std::find_if(text.begin(), text.end(), isPartOfName);
    const auto end = std::find_if_not(begin, text.end(), isPartOfName);
    const auto between = static_cast<std::size_t>(begin - text.begin()),
               length = static_cast<std::size_t>(end - begin);
    visit(text.substr(0, between), text.substr(between, length));
    text.remove_prefix(between + length);
  }
}

/// The names of functions that are defined in the unit, and whether a body has any of such names.
std::set<std::string_view> ownFunctions(std::string_view ptx);
bool namesAny(std::string_view body, const std::set<std::string_view>& functions);

template <class Visit>
void forEachFunction(std::string_view ptx, const Visit& visit) {
  forEachDeclaration(ptx, functionDirective, visit);
}

}  // namespace cui::cli
