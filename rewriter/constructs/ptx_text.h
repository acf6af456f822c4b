// The parts of a piece of inline assembly: text in, text out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cui::constructs {

std::string_view trimmed(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
bool has(const std::vector<std::string_view>& parts, std::string_view part);
std::string withoutComments(std::string_view assembly);

struct PtxInstruction {
  std::string_view guard;                   ///< `p` of `@p`, `!p`; "" for none
  std::string_view name;                    ///< `ld.global.v4.f32`
  std::vector<std::string_view> parts;      ///< of the name
  std::vector<std::string_view> operands;   ///< `{%0, %1}` and `[%4+16]` are one each
  std::vector<std::string_view> addresses;  ///< what is in brackets
};

/// Of one instruction, without its semicolon and labels. It points into `text`.
PtxInstruction readInstruction(std::string_view text);

}  // namespace cui::constructs
