#include "cli/compile/read_only_loads.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cli/compile/control_flow.h"
#include "cli/compile/ptx_functions.h"

namespace cui::cli {
namespace {

/// Parameters that a value may be made of, a bit for each; the highest: anything else that can be a pointer.
using Origins = std::uint64_t;
constexpr unsigned mostParameters = 63;
constexpr Origins anywhereElse = Origins{1} << mostParameters;

/// What an instruction does with pointers.
enum class Action {
  computes,  ///< its result is made of its operands
  asks,      ///< nothing: it may be asked about pointers
  halves,    ///< its result is half of a pointer
  loads,     ///< its result comes from memory
  stores,    ///< to memory, or both
  shares,    ///< stores to shared memory
  keeps,     ///< stores to the thread's own memory
  passes,    ///< its value is a parameter of the next call
  calls,
  unknown,
};
struct Rule {
  std::string_view begins, ends;
  Action action;
};
/// The first that fits.
constexpr auto rules = std::to_array<Rule>({
    {"ld.", "", Action::loads},           {"ldu.", "", Action::loads},
    {"st.param.", "", Action::passes},    {"st.local.", "", Action::keeps},
    {"st.shared.", "", Action::shares},   {"st.", "", Action::stores},
    {"atom.shared.", "", Action::shares}, {"red.shared.", "", Action::shares},
    {"atom.", "", Action::stores},        {"red.", "", Action::stores},
    {"call", "", Action::calls},          {"mad.wide.", "", Action::computes},
    {"mul.wide.", "", Action::computes},  {"mov.", "64", Action::computes},
    {"cvta.", "64", Action::computes},    {"add.", "64", Action::computes},
    {"sub.", "64", Action::computes},     {"selp.", "64", Action::computes},
    {"min.", "64", Action::computes},     {"max.", "64", Action::computes},
    {"mad.lo.", "64", Action::computes},  {"mul.", "64", Action::computes},
    {"div.", "64", Action::computes},     {"rem.", "64", Action::computes},
    {"shl.", "64", Action::computes},     {"shr.", "64", Action::computes},
    {"and.", "64", Action::computes},     {"or.", "64", Action::computes},
    {"xor.", "64", Action::computes},     {"not.", "64", Action::computes},
    {"neg.", "64", Action::computes},     {"abs.", "64", Action::computes},
    {"bfe.", "64", Action::computes},     {"cvt.u32.u64", "", Action::halves},
    {"cvt.", "", Action::computes},       {"setp.", "", Action::asks},
    {"isspacep.", "", Action::asks},      {"prefetch", "", Action::asks},
});
Action actionOf(std::string_view operation) {
  for (const Rule& rule : rules)
    if (operation.starts_with(rule.begins) && operation.ends_with(rule.ends)) return rule.action;
  return Action::unknown;
}

struct Instruction {
  std::string_view operation;
  Action action;
  std::vector<std::size_t> results, operands;  ///< registers
  std::vector<std::size_t> address;            ///< those in brackets
  Origins constant = 0;                        ///< of what the result may be besides
};

/// A kernel's instructions, as far as pointers go.
class Body {
 public:
  Body(std::string_view kernel, std::string_view body) : prefix_(std::string(kernel) + "_param_") {
    for (std::size_t at = 0; (at = body.find_first_not_of(" \t\r\n")) != std::string_view::npos;) {
      body.remove_prefix(at);
      const std::string_view name = nameBeginningAt(body, 0);
      if (body.starts_with("//"))
        body = behind(body, body.find('\n'));
      else if (body.front() == '{' || body.front() == '}')
        body.remove_prefix(1);
      else if (body.front() == '.') {  // `.reg .b32 t;`, `.loc 1 2 3`
        const std::size_t end = body.find_first_of(";\n");
        if (body.starts_with(".reg")) declare(body.substr(0, end));
        body = behind(body, end);
      } else if (body.substr(name.size()).starts_with(":"))  // a label
        body.remove_prefix(name.size() + 1);
      else {
        read(body.substr(0, body.find(';')));
        body = behind(body, body.find(';'));
      }
    }
  }

  /// Which of these parameters only loads go through, and the recorder sees.
  Origins readOnly(Origins wanted) {
    findOrigins();
    Origins lost = 0, kept = 0, passed = 0;
    bool storesAnywhere = false;
    for (const Instruction& one : instructions_) {
      const Origins address = originsOf(one.address), operands = originsOf(one.operands);
      switch (one.action) {
        case Action::loads:
        case Action::asks:
        case Action::computes:
          break;
        case Action::stores:
          lost |= address | operands;
          storesAnywhere |= (address & anywhereElse) != 0;
          break;
        case Action::halves:
        case Action::keeps:
          kept |= operands;
          break;
        case Action::passes:
          passed |= operands;
          break;
        case Action::calls:
          if (!isRecorders(one.operation)) lost |= passed, storesAnywhere = true;
          passed = 0;
          break;
        case Action::shares:
        case Action::unknown:
          lost |= address | operands;
          break;
      }
    }
    if (storesAnywhere) lost |= kept;
    return wanted & ~lost;
  }

  /// Where the plain loads of one of these are, behind `ld.global`, in the text.
  std::vector<const char*> loadsOf(Origins readOnly) const {
    constexpr std::string_view plain = "ld.global.";
    std::vector<const char*> places;
    for (const Instruction& one : instructions_) {
      if (one.action != Action::loads || !one.operation.starts_with(plain)) continue;
      const Origins from = originsOf(one.address);
      std::string_view type = one.operation.substr(plain.size());
      if (type.starts_with("v2.") || type.starts_with("v4.")) type.remove_prefix(3);
      const bool isPlain = type.size() > 1 && type.size() < 4 && mentions("usbf", type.substr(0, 1)) &&
                           type.find_first_not_of("0123456789", 1) == std::string_view::npos;
      if (isPlain && from != 0 && (from & (from - 1)) == 0 && (from & readOnly) != 0)
        places.push_back(one.operation.data() + plain.size() - 1);
    }
    return places;
  }

 private:
  static std::string_view behind(std::string_view text, std::size_t end) {
    return end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  /// Registers of inline assembly, which have any name.
  void declare(std::string_view directive) {
    forEachWord(directive, [&](std::string_view, std::string_view word) {
      if (word.front() != '.' && word.front() != '%') numberOf(word);
    });
  }
  /// Of a call's text: the name in it is a function of the recorder's.
  static bool isRecorders(std::string_view call) {
    bool found = false;
    forEachWord(call, [&](std::string_view, std::string_view word) {
      found = found || !recorderFunction(word).empty();
    });
    return found;
  }

  void read(std::string_view text) {
    Instruction one;
    one.operation = operationOf(text);
    if (one.operation.empty()) return;
    one.action = actionOf(one.operation);
    const char* const operands = one.operation.data() + one.operation.size();
    if (one.action == Action::calls)
      one.operation = text;
    else
      readOperands(text.substr(static_cast<std::size_t>(operands - text.data())), one);
    instructions_.push_back(std::move(one));
  }
  void readOperands(std::string_view text, Instruction& one) {
    const bool hasResult = one.action == Action::computes || one.action == Action::halves ||
                           one.action == Action::loads || one.action == Action::unknown ||
                           one.operation.starts_with("atom.");
    bool inBrackets = false, first = true, isPacked = false;
    std::size_t braces = 0;
    for (std::size_t at = 0; at < text.size();) {
      const char c = text[at];
      if (c == '[') inBrackets = true;
      if (c == ']') inBrackets = false;
      if (c == '{') ++braces, isPacked |= !first;
      if (c == '}') --braces;
      if (c == ',' && braces == 0 && !inBrackets) first = false;
      const std::string_view name = isPartOfName(c) ? nameBeginningAt(text, at) : std::string_view{};
      if (name.empty()) {
        ++at;
        continue;
      }
      at += name.size();
      if (name.front() == '%' || registers_.count(name) != 0) {
        (inBrackets           ? one.address
         : first && hasResult ? one.results
                              : one.operands)
            .push_back(numberOf(name));
      } else if (inBrackets && name.starts_with(prefix_)) {
        one.constant |= parameter(name.substr(prefix_.size()));
      } else if (!inBrackets && (name.front() < '0' || name.front() > '9')) {
        one.constant |= anywhereElse;  // a variable's address
      }
    }
    if (one.action == Action::computes && one.results.size() > 1) one.action = Action::halves;
    if (one.action == Action::computes && isPacked) one.action = Action::unknown;  // perhaps of such halves
    const bool isWide = one.operation.ends_with("64") && !one.operation.ends_with("f64");
    const bool fromMemory = one.action == Action::loads || one.operation.starts_with("atom.");
    if (fromMemory && !isWide) one.constant = 0;  // a number that is a parameter
    if (isWide && one.constant == 0 && (one.action == Action::unknown || fromMemory))
      one.constant = anywhereElse;
  }
  static Origins parameter(std::string_view number) {
    unsigned value = mostParameters;
    std::from_chars(number.data(), number.data() + number.size(), value);
    return Origins{1} << std::min(value, mostParameters);
  }

  std::size_t numberOf(std::string_view reg) {
    return registers_.try_emplace(reg, registers_.size()).first->second;
  }
  Origins originsOf(const std::vector<std::size_t>& of) const {
    Origins all = 0;
    for (const std::size_t reg : of) all |= origins_[reg];
    return all;
  }
  void findOrigins() {
    origins_.assign(registers_.size(), 0);
    for (bool changes = true; changes;) {
      changes = false;
      for (const Instruction& one : instructions_) {
        Origins result = one.constant;
        if (one.action == Action::computes) result |= originsOf(one.operands);
        for (const std::size_t of : one.results) {
          changes |= (result & ~origins_[of]) != 0;
          origins_[of] |= result;
        }
      }
    }
  }

  const std::string prefix_;
  std::vector<Instruction> instructions_;
  std::unordered_map<std::string_view, std::size_t> registers_;
  std::vector<Origins> origins_;
};

Origins wantedIn(std::string_view body) {
  Origins wanted = 0;
  for (std::size_t at = 0; (at = body.find(readOnlyComment, at)) != std::string_view::npos;) {
    at += readOnlyComment.size();
    unsigned number = mostParameters;
    std::from_chars(body.data() + at, body.data() + body.size(), number);
    if (number < mostParameters) wanted |= Origins{1} << number;
  }
  return wanted;
}

}  // namespace

std::string withReadOnlyLoads(std::string_view ptx) {
  if (!mentions(ptx, readOnlyComment)) return std::string(ptx);
  return withBodies(ptx, kernelDirective, [](std::string_view declaration, std::string_view body) {
    std::string result;
    const Origins wanted = wantedIn(body);
    if (wanted == 0) return std::string(body);
    Body kernel(nameOfKernel(declaration), body);
    for (const char* place : kernel.loadsOf(kernel.readOnly(wanted))) {
      const auto behind = static_cast<std::size_t>(place - body.data());
      result.append(body.substr(0, behind)).append(".nc");
      body.remove_prefix(behind);
    }
    return result.append(body);
  });
}

}  // namespace cui::cli
