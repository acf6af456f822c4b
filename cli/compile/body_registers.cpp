#include "cli/compile/body_registers.h"

#include <algorithm>
#include <array>

#include "cli/compile/access_calls.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/recorder_calls.h"
#include "cli/compile/unit_state.h"

namespace cui::cli {

LineParts partsOfLine(std::string_view line) {
  /// Their first operand is none that they set.
  constexpr std::array<std::string_view, 8> settingNothing = {"st",  "red",  "bar",      "bra",
                                                              "ret", "call", "prefetch", "exit"};
  LineParts parts;
  parts.operation = operationOf(line);
  if (parts.operation.empty()) return parts;
  parts.condition = line.substr(0, line.find(parts.operation));
  parts.sources = operandsOf(line, parts.operation);
  if (!isOneOf(settingNothing, nameOf(parts.operation)))
    parts.targets = takeUpTo(parts.sources, parts.sources.starts_with("{") ? "}" : ", ");
  return parts;
}

BodyRegisters::BodyRegisters(std::string_view body) {
  flow_.read(body, [&](std::string_view line, std::string_view, std::size_t block) {
    blocks_.emplace(line.data(), block);
    return true;
  });
  for (std::string_view rest = body; !rest.empty();) lines_.push_back(takeUpTo(rest, "\n"));
  for (std::size_t i = 0; i < lines_.size(); ++i) read(i);
}

void BodyRegisters::read(std::size_t i) {
  const std::string_view line = lines_[i];
  const LineParts parts = partsOfLine(line);
  if (parts.operation.empty()) return;
  // Assembly of the program's may have several on a line.
  const bool isOne = std::count(line.begin(), line.end(), ';') == 1 && !parts.operation.starts_with(".");
  forEachRegister(parts.targets, [&](std::string_view name) {
    RegisterUses& one = registers_[name];
    one.line = i;
    ++one.settings;
    one.understood = one.understood && isOne && !mentions(parts.condition, "@");
  });
  for (const std::string_view part : {parts.condition, parts.sources})
    forEachRegister(part, [&](std::string_view name) {
      RegisterUses& one = registers_[name];
      one.uses.push_back(i);
      one.understood = one.understood && isOne;
    });
}

std::size_t BodyRegisters::blockOf(std::size_t line) const {
  const auto block = blocks_.find(lines_[line].data());
  return block == blocks_.end() ? noBlock : block->second;
}

bool BodyRegisters::isInLoop(std::size_t line) const {
  const std::size_t block = blockOf(line);
  if (block == noBlock) return false;
  const auto [known, isNew] = comesBack_.emplace(block, false);
  if (isNew) known->second = flow_.comesBack(block);
  return known->second;
}

const RegisterUses* BodyRegisters::setOnce(std::string_view name) const {
  const auto found = registers_.find(name);
  const bool once = found != registers_.end() && found->second.understood && found->second.settings == 1;
  return once ? &found->second : nullptr;
}

}  // namespace cui::cli
