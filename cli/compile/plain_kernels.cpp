#include "cli/compile/plain_kernels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <vector>

#include "cli/base/replaced_text.h"
#include "cli/compile/dead_blocks.h"
#include "cli/compile/in_place_kernels.h"
#include "cli/compile/mode_kernels.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/ptx_text.h"
#include "cli/compile/silent_calls.h"
#include "cli/compile/split_prologue.h"
#include "cli/compile/tallied_kernels.h"
#include "cli/compile/unit_state.h"
#include "cli/compile/waiting_code.h"

namespace cui::cli {
namespace {

constexpr std::string_view nothing = "cuiNothing$", plainFunction = "$cuiPlain";
/// Of all kernels that are beside others.
constexpr std::array suffixes = {wholeSuffix,   restSuffix,    profiledSuffix, tracedSuffix,
                                 talliedSuffix, inPlaceSuffix, loggedSuffix};

struct Definition {
  std::string_view declaration, body;  ///< from one brace to the other
};

/// A unit's kernels and functions, and which of them call which.
class Unit {
 public:
  explicit Unit(std::string_view ptx) : state(stateOf(ptx)) {
    collect(ptx, kernelDirective, nameOfKernel, kernels);
    collect(ptx, functionDirective, nameOfFunction, functions);
    forEachFunction(ptx, [this](std::string_view, std::string_view declaration) {
      if (!declaration.empty()) declarations.emplace(nameOfFunction(declaration), declaration);
    });
  }

  /// What a kernel calls of the unit's own functions, and what these call; false if that is not all that it
  /// may call.
  bool findCalled(std::string_view body, std::set<std::string_view>& called) const {
    if (body.find(".callprototype") != std::string_view::npos) return false;
    bool known = true;
    std::string_view before;
    std::vector<std::string_view> next;
    forEachWord(body, [&](std::string_view between, std::string_view word) {
      if (declarations.count(word) != 0) {
        // A call has the name by itself on its line; elsewhere it is an address.
        const bool isCall = between.find('\n') != std::string_view::npos &&
                            (before == ")" || before.substr(0, 4) == "call" || before.find("retval") == 0);
        known = known && isCall;
        if (functions.count(word) != 0 && called.insert(word).second) next.push_back(word);
      }
      before = word;
    });
    return known && std::all_of(next.begin(), next.end(), [&](std::string_view name) {
             return findCalled(functions.at(name).body, called);
           });
  }

  UnitState state;
  std::map<std::string_view, Definition> kernels, functions;  ///< that are defined here
  std::map<std::string_view, std::string_view> declarations;  ///< of functions

 private:
  template <class Name>
  static void collect(std::string_view ptx, std::string_view directive, const Name& nameOf,
                      std::map<std::string_view, Definition>& to) {
    forEachDefinition(ptx, directive, [&](std::string_view declaration, std::string_view body) {
      to.emplace(nameOf(declaration), Definition{declaration, body});
    });
  }
};

/// What a kernel may have, in bytes, with two words more.
constexpr unsigned long mostParameterBytes = 4096 - 16;
unsigned long parameterBytes(std::string_view declaration) {
  unsigned long bytes = 0;
  for (std::size_t at = 0; (at = declaration.find(".param", at)) != std::string_view::npos; ++at) {
    const std::string_view one = declaration.substr(at, declaration.find_first_of(",)", at) - at);
    const std::size_t array = one.find('[');
    bytes += array == std::string_view::npos
                 ? 8
                 : std::strtoul(std::string(one.substr(array + 1)).c_str(), nullptr, 10) + 8;
  }
  return bytes;
}

class PlainKernels {
 public:
  explicit PlainKernels(std::string_view ptx)
      : ptx_(ptx),
        unit_(ptx),
        recording_(recordingFunctions(ptx)),
        recorders_(recordersExterns(ptx)),
        target_(targetOf(ptx)) {}

  std::string text() {
    for (const auto& [name, kernel] : unit_.kernels) addKernel(name, kernel);
    if (added_.empty()) return std::string(ptx_);
    std::string result, forward, definitions;
    for (const std::string_view name : plain_) {
      forward += plainDeclaration(name) + ";\n";
      definitions += plainDeclaration(name) + changed(unit_.functions.at(name).body) + "\n";
    }
    for (const std::string_view name : empty_)
      forward += renamed(unit_.declarations.at(name), name, nothing, "") + "{ ret; }\n";
    withProgramsGrid(result);
    return result + forward + definitions + added_;
  }

 private:
  /// Launches that depend on each other, and shared memory's end, in PTX.
  bool canSplit() const { return std::strtol(target_.c_str() + target_.find('_') + 1, nullptr, 10) >= 90; }

  void addKernel(std::string_view name, const Definition& kernel) {
    std::set<std::string_view> called;
    if (unit_.state.bytes < 8 || !recorderFunction(name).empty() || !unit_.findCalled(kernel.body, called) ||
        !records(kernel.body, called) || parameterBytes(kernel.declaration) > mostParameterBytes)
      return;
    plain_.insert(called.begin(), called.end());
    const std::string body = changed(kernel.body);
    bool splits = kernel.declaration.find("cluster") == std::string_view::npos &&
                  canAskElsewhere(kernel.body) && !mayWaitForBlocks(body, false);
    for (const std::string_view function : called) {
      const std::string_view own = unit_.functions.at(function).body;
      splits = splits && canAskElsewhere(own) && !mayWaitForBlocks(own, true);
    }
    if (splits && canSplit()) {
      split_.insert(name);
      split_.insert(called.begin(), called.end());
    }
    const std::size_t begin = kernel.declaration.find(name), end = kernel.declaration.find(')', begin);
    std::string declaration(kernel.declaration.substr(0, begin));
    declaration.append(name).append(splits ? restSuffix : wholeSuffix);
    declaration += kernel.declaration.substr(begin + name.size(), end - begin - name.size());
    declaration += declaration.find(".param") == std::string::npos ? "" : ",";
    declaration.append("\n\t").append(restParameters).append("\n");
    declaration += kernel.declaration.substr(end);
    added_ += declaration + withoutSampledBlocks(body, canSplit()) + "\n";
  }

  bool records(std::string_view body, const std::set<std::string_view>& called) const {
    bool found = std::any_of(called.begin(), called.end(),
                             [this](std::string_view name) { return recording_.count(name) != 0; });
    forEachWord(body, [&found](std::string_view, std::string_view word) {
      found = found || !recorderFunction(word).empty();
    });
    return found;
  }

  /// Without questions to the unit's state, and with calls of what records nothing.
  std::string changed(std::string_view body) {
    const std::string live = withoutCalls(withoutDeadBlocks(withoutQuestions(body, unit_.state)), recorders_);
    std::string renamedCalls;
    renamedCalls.reserve(live.size());
    forEachWord(live, [&](std::string_view between, std::string_view word) {
      renamedCalls.append(between);
      if (unit_.functions.count(word) != 0) {
        renamedCalls.append(word).append(plainFunction);
      } else if (unit_.declarations.count(word) != 0 && !recorderFunction(word).empty()) {
        empty_.insert(unit_.declarations.find(word)->first);
        renamedCalls.append(nothing).append(word);
      } else {
        renamedCalls.append(word);
      }
    });
    return renamedCalls;
  }

  /// A declaration of a function, as the unit's own, with its name so extended.
  static std::string renamed(std::string_view declaration, std::string_view name, std::string_view before,
                             std::string_view behind) {
    std::string_view rest =
        declaration.substr(declaration.find(functionDirective) + functionDirective.size());
    const std::size_t results = rest.find(')'), at = rest.find(name, results < rest.find(name) ? results : 0);
    std::string result = ".func ";
    result.append(rest.substr(0, at)).append(before).append(name).append(behind);
    return result.append(rest.substr(at + name.size()));
  }
  std::string plainDeclaration(std::string_view name) const {
    return renamed(unit_.functions.at(name).declaration, name, "", plainFunction);
  }

  /// The unit's text, in which what a sample's launch may run asks for the program's grid.
  void withProgramsGrid(std::string& result) const {
    struct Body {
      std::string_view text;
      bool kernel;
    };
    std::map<const char*, Body> bodies;  // in their order
    for (const std::string_view name : split_) {
      const auto found = unit_.kernels.find(name);
      const bool kernel = found != unit_.kernels.end();
      const std::string_view text = kernel ? found->second.body : unit_.functions.at(name).body;
      if (kernel || asksForBlock(text)) bodies.emplace(text.data(), Body{text, kernel});
    }
    std::string_view rest = ptx_;
    for (const auto& [begin, body] : bodies) {
      const auto before = static_cast<std::size_t>(begin - rest.data());
      result.append(rest.substr(0, before)).append(inGridOfProgram(body.text, unit_.state, body.kernel));
      rest.remove_prefix(before + body.text.size());
    }
    result.append(rest);
  }

  std::string_view ptx_;
  Unit unit_;
  std::set<std::string_view> recording_, recorders_;  ///< functions of the unit's, and the recorder's
  std::string target_;
  std::set<std::string_view> plain_, empty_, split_;  ///< functions; those and kernels
  std::string added_;                                 ///< kernels
};

}  // namespace

std::string withOtherKernels(std::string_view ptx, std::size_t room) {
  // With all that a debugger asks for, functions' text is referred to from outside.
  if (ptx.find(".debug_info") != std::string_view::npos) return std::string(ptx);
  const std::string plain = PlainKernels(ptx).text();
  return withModeKernels(plain) + talliedKernels(ptx, room) + inPlaceKernels(plain, room);
}

std::set<std::string> otherKernelsIn(std::string_view image) {
  std::set<std::string> names;
  for (const std::string_view suffix : suffixes)
    for (std::size_t at = 0; (at = image.find(suffix, at)) != std::string_view::npos; at += suffix.size()) {
      // Of a section's name, or behind `.entry`.
      const std::size_t begin = image.find_last_of(std::string_view(" \0", 2), at) + 1;
      std::string_view name = image.substr(begin, at + suffix.size() - begin);
      constexpr std::string_view section = ".text.";
      if (name.substr(0, section.size()) == section)
        names.emplace(name.substr(section.size()));
      else if (image.substr(0, begin).substr(begin < 7 ? 0 : begin - 7) ==
               kernelDirective.data() + std::string(" "))
        names.emplace(name);
    }
  return names;
}

std::string withoutOtherKernels(const std::string& messages) {
  const auto isOurs = [](std::string_view line) {
    const auto names = [line](std::string_view part) { return line.find(part) != std::string_view::npos; };
    return std::any_of(suffixes.begin(), suffixes.end(), names) || names(plainFunction) || names(nothing);
  };
  std::string result;
  bool kernel = false, function = false;  // what is said now is of one of ours
  for (std::string_view rest = messages; !rest.empty();) {
    const std::string_view line = takeUpTo(rest, "\n");
    const bool begins = line.find("Compiling entry function") != std::string_view::npos;
    const bool describes = line.find("Function properties for") != std::string_view::npos;
    if (begins) kernel = isOurs(line);
    if (begins || describes) function = isOurs(line);
    const bool isDetail = begins || describes || line.substr(0, 4) == "    ";
    const bool isOfKernel =
        line.find(": Used ") != std::string_view::npos || line.find("Compile time") != std::string_view::npos;
    if ((isDetail && function) || (isOfKernel && kernel)) continue;
    result.append(line).append("\n");
  }
  for (const std::string_view suffix : suffixes) result = replaced(result, suffix, "");
  return result;
}

std::string withKernelsRegistered(std::string_view embedded, const std::set<std::string>& names,
                                  const std::string& header) {
  if (names.empty()) return std::string(embedded);
  std::string text(embedded);
  text += "static const char* const cuiOtherKernels[] = {";
  for (const std::string& name : names) text += "\"" + name + "\", ";
  return text + "0};\n#include \"" + header + "\"\n";
}

}  // namespace cui::cli
