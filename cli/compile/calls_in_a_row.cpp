#include "cli/compile/calls_in_a_row.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "cli/compile/access_calls.h"
#include "cli/compile/control_flow.h"
#include "cli/compile/ptx_calls.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/recorder_calls.h"
#include "cli/compile/straight_lines.h"
#include "cli/compile/unit_state.h"
#include "cuinstrument/format/access_key.h"

namespace cui::cli {
namespace {

/// By how many accesses each records.
constexpr std::array<std::string_view, 3> functionsAtSites = {"recordAtSite", "recordTwoAtSite",
                                                              "recordThreeAtSite"};
/// Of one such call: an address takes 8 bytes of each lane's own memory.
constexpr unsigned mostInARow = 16;
constexpr std::string_view placesInARow = "cuiInARow", tablePrefix = "cuiAccesses$";

/// What a unit's calls are replaced by has outside of functions: a table for all rows that are alike.
class AccessTables {
 public:
  std::string_view nameOf(const std::string& words, std::size_t count) {
    const auto [table, isNew] = names_.emplace(words, std::string());
    if (isNew) {
      table->second.append(tablePrefix).append(std::to_string(names_.size()));
      text_.append(".global .align 4 .b32 ").append(table->second);
      text_.append("[").append(std::to_string(count)).append("] = {").append(words).append("};\n");
    }
    return table->second;
  }
  const std::string& text() const { return text_; }

 private:
  std::map<std::string, std::string> names_;  ///< by what is in them
  std::string text_;
};

/// How many accesses the call records, if all of it is known; else 0.
unsigned accessesOf(const AccessCall& call) {
  const auto found = std::find(functionsAtSites.begin(), functionsAtSites.end(), call.function);
  if (found == functionsAtSites.end() || !call.result.empty()) return 0;
  const auto count = static_cast<unsigned>(found - functionsAtSites.begin()) + 1;
  std::size_t operands = 2 + 2 * std::size_t{count};
  if (count == 1) {
    ++operands;  // the value, which would be another one when it is recorded
    if (call.operands.size() != operands || call.operands.back() != "0") return 0;
  }
  if (call.operands.size() != operands) return 0;
  const std::optional<unsigned> bytes = numberIn(call.operands[1 + 2 * count]);
  if (!bytes || *bytes >= 1u << format::inARowShift) return 0;
  for (unsigned which = 0; which < count; ++which)
    if (!numberIn(call.key(which))) return 0;
  return count;
}

/// Of the accesses of a call: site and bytes each, with how many the call records.
std::string wordsOf(const AccessCall& call, unsigned count) {
  const unsigned all = numberIn(call.operands[1 + 2 * count]).value_or(0);
  std::string words;
  for (unsigned which = 0; which < count; ++which) {
    // Whatever the call's function takes for the bytes of all.
    const unsigned second = which == 0 ? count << format::inARowShift | all : 0;
    words.append(which == 0 ? "" : ", ").append(call.key(which)).append(", ");
    words.append(std::to_string(second));
  }
  return words;
}

/// Instructions that only compute, besides those that are moved elsewhere (onlyComputes()).
constexpr std::array<std::string_view, 14> alsoComputing = {"sqrt", "rsqrt", "rcp",      "ex2",     "lg2",
                                                            "sin",  "cos",   "tanh",     "set",     "slct",
                                                            "sad",  "testp", "copysign", "isspacep"};

/// Of any memory that nobody waits for.
bool isPlainAccess(std::string_view operation) {
  std::string_view rest = operation;
  const std::string_view name = takeUpTo(rest, ".");
  constexpr std::array<std::string_view, 5> others = {"volatile", "relaxed", "acquire", "release", "param"};
  return (name == "ld" || name == "st") &&
         std::none_of(others.begin(), others.end(),
                      [&](std::string_view other) { return mentions(rest, other); });
}

/// Whether it is of a piece of assembly that only computes, loads and stores: instructions on one line, in
/// braces, maybe with registers of their own.
bool onlyComputesAndMoves(std::string_view line) {
  if (mentions(line, "%clock") || mentions(line, "%globaltimer")) return false;
  line = line.substr(0, line.find("//"));
  while (!line.empty()) {
    std::string_view one = takeUpTo(line, ";");
    one.remove_prefix(std::min(one.find_first_not_of(" \t{}"), one.size()));
    if (one.empty() || one.starts_with(".reg")) continue;
    if (one.starts_with("@")) return false;
    const std::string_view operation = one.substr(0, one.find_first_of(" \t"));
    if (!onlyComputes(operation) && !isOneOf(alsoComputing, nameOf(operation)) && !isPlainAccess(operation))
      return false;
  }
  return true;
}

/// A function's body.
class JoinedCalls {
 public:
  explicit JoinedCalls(std::string_view body) {
    while (!body.empty()) lines_.push_back(takeUpTo(body, "\n"));
    calls_ = callsIn(lines_);
  }

  /// Empty if none are.
  std::string joined(std::string_view function, AccessTables& tables) {
    const StraightLines straight(lines_);
    std::string result;
    std::size_t copied = 0;
    for (std::size_t call = 0; call < calls_.size();) {
      std::size_t end = call + 1;
      unsigned count = joinable(calls_[call]);
      if (count != 0)
        while (end < calls_.size() && follows(straight, calls_[end - 1], calls_[end])) {
          const unsigned more = joinable(calls_[end]);
          if (more == 0 || count + more > mostInARow) break;
          count += more;
          ++end;
        }
      if (end - call > 1) {
        most_ = std::max(most_, count);
        copied = join(call, end, function, tables, copied, result);
      }
      call = end;
    }
    if (most_ == 0) return result;
    copyUpTo(lines_.size(), copied, result);
    const std::size_t brace = result.find('{') + 1;
    result.insert(brace, "\n\t.local .align 8 .b8 \t" + std::string(placesInARow) + "[" +
                             std::to_string(8 * most_) + "];");
    return result;
  }

 private:
  /// As accessesOf(), if what sets the call's operands within it is a line each.
  unsigned joinable(const AccessCall& call) const {
    for (std::size_t i = call.first + 1; i < call.last; ++i)
      if (mentions(lines_[i], "{") || mentions(lines_[i], "}")) return 0;
    return accessesOf(call);
  }

  bool follows(const StraightLines& straight, const AccessCall& call, const AccessCall& next) const {
    std::size_t line = straight.next(call.last + 1);
    while (line < next.first && onlyComputesAndMoves(lines_[line])) line = straight.next(line + 1);
    return line == next.first;
  }

  void copyUpTo(std::size_t end, std::size_t from, std::string& result) const {
    for (; from < end; ++from) result.append(lines_[from]).append("\n");
  }

  /// The calls from one to another, behind what has been copied. Returns up to where that is now.
  std::size_t join(std::size_t first, std::size_t end, std::string_view function, AccessTables& tables,
                   std::size_t copied, std::string& result) const {
    std::string words;
    unsigned number = 0;
    for (std::size_t i = first; i < end; ++i) {
      const AccessCall& call = calls_[i];
      copyUpTo(call.first, copied, result);
      copied = call.last + 1;
      for (std::size_t line = call.first; line < call.last; ++line)  // what sets its operands
        if (onlyComputes(operationOf(lines_[line]))) copyUpTo(line + 1, line, result);
      const unsigned count = accessesOf(call);
      for (unsigned which = 0; which < count; ++which, ++number)
        result.append("\tst.local.b64 \t[")
            .append(placesInARow)
            .append("+" + std::to_string(8 * number))
            .append("], ")
            .append(call.address(which))
            .append(";\n");
      words.append(words.empty() ? "" : ", ").append(wordsOf(call, count));
    }
    std::string before(R"(
.reg .b64 %accesses, %addresses;
mov.u64 %accesses, )");
    before.append(tables.nameOf(words, 2 * std::size_t{number}))
        .append(";\ncvta.global.u64 %accesses, %accesses;\nmov.u64 %addresses, ");
    before.append(placesInARow).append(";\ncvta.local.u64 %addresses, %addresses;\n");
    const std::string unit(calls_[end - 1].operands.front()), count = std::to_string(number);
    result += indented(
        callText(before, function,
                 {{'d', unit.c_str()}, {'d', "%accesses"}, {'d', "%addresses"}, {'w', count.c_str()}}));
    return copied;
  }

  std::vector<std::string_view> lines_;
  std::vector<AccessCall> calls_;
  unsigned most_ = 0;  ///< accesses in a row
};

/// The form of the recorder's functions for sites that the unit calls; 0: none.
unsigned formAtSites(std::string_view ptx) {
  unsigned form = 0;
  forEachFunction(ptx, [&form](std::string_view, std::string_view declaration) {
    if (!isRecordersExtern(declaration)) return;
    const std::string_view name = nameOfFunction(declaration), function = recorderFunction(name);
    if (std::find(functionsAtSites.begin(), functionsAtSites.end(), function) != functionsAtSites.end())
      form = formOf(name);
  });
  return form;
}

}  // namespace

std::string withCallsInARow(std::string_view ptx) {
  constexpr std::string_view lastOfHeader = ".address_size";
  const unsigned form = formAtSites(ptx);
  const std::size_t header = ptx.find(lastOfHeader);
  if (form == 0 || header == std::string_view::npos) return std::string(ptx);
  const std::string function = recorderName("12recordInARow", form, "vRKNS0_10DeviceUnitEPKjPKPKvj");
  AccessTables tables;
  const auto joined = [&](std::string_view, std::string_view body) {
    std::string result =
        mentions(body, "AtSite") ? JoinedCalls(body).joined(function, tables) : std::string();
    return result.empty() ? std::string(body) : result;
  };
  std::string result = withBodies(withBodies(ptx, kernelDirective, joined), functionDirective, joined);
  if (tables.text().empty()) return result;
  const std::size_t behindHeader = result.find('\n', header) + 1;
  return result.insert(behindHeader, externDeclaration(function, "dddw") + tables.text());
}

}  // namespace cui::cli
