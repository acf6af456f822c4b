#include "cli/compile/silent_calls.h"

#include <cstddef>

#include "cli/compile/control_flow.h"
#include "cli/compile/ptx_functions.h"

namespace cui::cli {
namespace {

/// Whether the call, from one brace to the other, is of one of the functions, and of nothing else.
bool isSilent(std::string_view call, const std::set<std::string_view>& functions) {
  if (mentions(call, "ld.param")) return false;
  bool found = false;
  forEachWord(call, [&](std::string_view, std::string_view word) {
    found = found || (word.starts_with("_ZN3cui") && functions.count(word) != 0);
  });
  return found;
}

}  // namespace

std::string withoutCalls(std::string_view body, const std::set<std::string_view>& functions) {
  constexpr std::string_view begins = "\t{ // callseq", ends = "\t} // callseq";
  std::string result;
  result.reserve(body.size());
  for (std::size_t at = 0; (at = body.find(begins, at)) != std::string_view::npos;) {
    const std::size_t last = body.find(ends, at);
    const std::size_t end = last == std::string_view::npos ? last : body.find('\n', last);
    if (end == std::string_view::npos) break;
    if (!isSilent(body.substr(at, last - at), functions)) {
      at = end;
      continue;
    }
    result.append(body.substr(0, at));
    body.remove_prefix(end + 1);
    at = 0;
  }
  return result.append(body);
}

std::set<std::string_view> recordersExterns(std::string_view ptx) {
  std::set<std::string_view> functions;
  forEachFunction(ptx, [&functions](std::string_view, std::string_view declaration) {
    if (isRecordersExtern(declaration)) functions.insert(nameOfFunction(declaration));
  });
  return functions;
}

}  // namespace cui::cli
