// Calls of the recorder that nothing comes between but what computes, loads and stores, and no assembly or
// clock of the program's: all lanes that come to the first come to the others. Something that stands in place
// of all of them can ask once who they are (in_place_kernels.h).
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "cli/compile/access_calls.h"

namespace cui::cli {

/// Of instructions that come to the same for the same operands, wherever they stand.
bool onlyComputes(std::string_view operation);

/// Of a body's lines, which outlive this.
class StraightLines {
 public:
  explicit StraightLines(const std::vector<std::string_view>& lines);

  const std::vector<std::string_view>& lines() const { return lines_; }
  /// From a line on, past what is nothing to ptxas, and past jumps to what follows.
  std::size_t next(std::size_t line) const;

 private:
  bool isNeedless(std::string_view line) const;

  const std::vector<std::string_view>& lines_;
  std::map<std::string_view, unsigned> mentions_;  ///< of labels, by branches
};

/// Calls that are made together in front of all that comes between them but what sets their operands.
class CallsTogether {
 public:
  CallsTogether(const StraightLines& straight, const AccessCall& first);

  /// The call behind those that are together. False where it is somewhere else, or depends on what comes
  /// between: what is loaded there, too, would be waited for.
  bool add(const AccessCall& next);

  const std::vector<std::string_view>& inFront() const { return inFront_; }
  const std::vector<std::string_view>& behind() const { return behind_; }

 private:
  /// A line between calls, or one that sets a call's operands. False if it has to stay where it is.
  bool take(std::string_view line);
  bool takeOperands(const AccessCall& call);
  /// The lines within a call that set what it is called with.
  std::vector<std::string_view> settingOperands(const AccessCall& call) const;
  bool isOperand(std::string_view name) const;

  const StraightLines* straight_;
  std::vector<const AccessCall*> calls_;
  std::vector<std::string_view> inFront_, behind_;
  std::set<std::string_view> late_, named_;  ///< registers that are set behind, and all that are named there
};

}  // namespace cui::cli
