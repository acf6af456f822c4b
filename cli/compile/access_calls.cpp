#include "cli/compile/access_calls.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "cli/compile/control_flow.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/recorder_calls.h"
#include "cli/compile/unit_state.h"

namespace cui::cli {

bool AccessCall::isOfAccesses() const {
  return std::any_of(callFamilies.begin(), callFamilies.end(),
                     [this](const CallFamily& family) { return isOneOf(family.ofAccesses, function); });
}

unsigned AccessCall::count(CallMode mode) const {
  const auto& names = callFamilies[static_cast<std::size_t>(mode)].ofAccesses;
  const auto found = std::find(names.begin(), names.end(), function);
  if (found == names.end()) return 0;
  const auto count = static_cast<unsigned>(found - names.begin()) + 1;
  return operands.size() == 2 + 2 * count ? count : 0;
}

std::optional<unsigned> AccessCall::bytes(unsigned which) const {
  const std::optional<unsigned> all = numberIn(operands.back());
  if (!all) return std::nullopt;
  switch (operands.size()) {  // as bytesOfAll() of cuinstrument/backend/cuda/site.h puts them together
    case 4:
      return all;
    case 6:
      return *all >> (16 * which) & 0xffffu;
    default:
      return *all >> (10 * which) & 0x3ffu;
  }
}

unsigned AccessCall::gathered() const {
  const bool known = function == gatheredLoop && operands.size() == gatheredTimes + 1 && !result.empty();
  return known ? numberIn(operands[gatheredCount]).value_or(0) : 0;
}

bool AccessCall::isOfEvenAccess() const {
  return function == callFamilies[static_cast<std::size_t>(CallMode::traced)].ofLoops.front() &&
         operands.size() == evenTimes + 1 && !result.empty();
}

std::vector<AccessCall> callsIn(const std::vector<std::string_view>& lines) {
  std::vector<AccessCall> calls;
  AccessCall call;
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (line.starts_with("\t{ // callseq")) {
      call = AccessCall();
      call.first = i;
      inside = true;
    }
    if (!inside) continue;
    if (operationOf(line).starts_with("st.param")) {
      std::string_view rest = line;
      takeUpTo(rest, "], ");
      call.operands.push_back(takeUpTo(rest, ";"));
    }
    if (operationOf(line).starts_with("ld.param")) {
      std::string_view rest = operandsOf(line, operationOf(line));
      call.result = takeUpTo(rest, ", ");
    }
    forEachWord(line, [&call](std::string_view, std::string_view word) {
      if (const std::string_view function = recorderFunction(word); !function.empty())
        call.function = function;
    });
    if (!line.starts_with("\t} // callseq")) continue;
    call.last = i;
    calls.push_back(call);
    inside = false;
  }
  return calls;
}

std::optional<unsigned> numberIn(std::string_view text) {
  unsigned value = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || stopped != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view operandsOf(std::string_view line, std::string_view operation) {
  line.remove_prefix(static_cast<std::size_t>(operation.data() - line.data()) + operation.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

std::string_view nameOf(std::string_view operation) {
  return operation.substr(0, operation.find('.'));
}

}  // namespace cui::cli
