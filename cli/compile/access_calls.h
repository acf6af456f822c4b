// A kernel's calls of the recorder, as cicc writes them in PTX: which function, and with which operands.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace cui::cli {

/// callFamilies[], by number.
enum class CallMode { traced, profiled };

/// What stands between braces on lines of their own, operands as text.
struct AccessCall {
  std::size_t first = 0, last = 0;  ///< lines
  std::string_view function;        ///< recorderFunction()
  std::vector<std::string_view> operands;
  std::string_view result;  ///< the register that is set to what it returns, if it does

  /// Of accesses where they are made, in either mode.
  bool isOfAccesses() const;
  /// How many accesses it records in that mode; 0: it is another function's.
  unsigned count(CallMode mode) const;
  /// Of these; what a lane accesses if the PTX says it, the site's key, the address.
  std::optional<unsigned> bytes(unsigned which) const;
  std::string_view key(unsigned which) const { return operands[1 + 2 * which]; }
  std::string_view address(unsigned which) const { return operands[2 + 2 * which]; }

  /// If it is of all of a loop's accesses, of whose i-th one lane i knows all: how many; else 0.
  unsigned gathered() const;
  /// Whether it is of a loop's only access, which the lane itself makes.
  bool isOfEvenAccess() const;
};
/// The operands of such a call, behind the unit.
enum GatheredOperand {
  gatheredKey = 1,
  gatheredFirst,
  gatheredSecond,
  gatheredRow,
  gatheredStep,
  gatheredBytes,
  gatheredCount,
  gatheredTimes
};
enum EvenOperand { evenKey = 1, evenAddress, evenStep, evenBytes, evenTimes };

/// Of the recorder and of others, in their order.
std::vector<AccessCall> callsIn(const std::vector<std::string_view>& lines);

/// All of the text as a decimal number.
std::optional<unsigned> numberIn(std::string_view text);
/// What stands behind a line's operation (control_flow.h), and that without its types.
std::string_view operandsOf(std::string_view line, std::string_view operation);
std::string_view nameOf(std::string_view operation);

}  // namespace cui::cli
