// What a kernel's body says of its registers: which lines set them and ask for them, and in which blocks
// these are. For rare_values.h, kept_answers.h and wide_products.h.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "cli/compile/control_flow.h"

namespace cui::cli {

/// What a line is with its registers: `@%p1 add.s32 %r3, %r1, 2;` asks for `%p1` and `%r1`, and sets `%r3`.
struct LineParts {
  std::string_view operation;  ///< empty: none
  std::string_view condition, targets, sources;
};
LineParts partsOfLine(std::string_view line);

/// Of a register.
struct RegisterUses {
  std::size_t line = 0;      ///< that sets it
  std::size_t settings = 0;  ///< by how many lines
  bool understood = true;  ///< whoever comes to these sets it, and all that name it are one instruction each
  std::vector<std::size_t> uses;  ///< lines
};

/// Of a body of instructions; it has to outlive this.
class BodyRegisters {
 public:
  explicit BodyRegisters(std::string_view body);

  const std::vector<std::string_view>& lines() const { return lines_; }
  /// Lines of labels are in none.
  static constexpr std::size_t noBlock = ~std::size_t{0};
  std::size_t blockOf(std::size_t line) const;
  bool isInLoop(std::size_t line) const;
  const std::map<std::string_view, RegisterUses>& all() const { return registers_; }
  /// If it is understood and set by one line.
  const RegisterUses* setOnce(std::string_view name) const;

 private:
  void read(std::size_t line);

  ControlFlow flow_;
  std::vector<std::string_view> lines_;
  std::map<const char*, std::size_t> blocks_;      ///< of lines, by where they begin
  mutable std::map<std::size_t, bool> comesBack_;  ///< of blocks that were asked for
  std::map<std::string_view, RegisterUses> registers_;
};

}  // namespace cui::cli
