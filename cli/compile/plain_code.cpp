#include "cli/compile/plain_code.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include "cli/base/replaced_text.h"
#include "cli/base/text_hash.h"
#include "cli/compile/ptx_functions.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Takes what stands in front of `end` from the text, and `end` itself; all of it if there is none.
std::string_view take(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  return taken;
}

/// The unit's state, which devlib calls so (cuinstrument/backend/cuda/host_unit.h).
std::string_view stateOf(std::string_view ptx) {
  constexpr std::string_view begin = "\n.const ", end = "9unitStateE";
  for (std::size_t at = 0; (at = ptx.find(begin, at)) != std::string_view::npos; at += begin.size()) {
    std::string_view line = ptx.substr(at + begin.size());
    line = take(line, "[");
    const std::string_view name = line.substr(line.rfind(' ') + 1);
    if (name.find("3cui") != std::string_view::npos && endsWith(name, end)) return name;
  }
  return {};
}

/// Looks at a function's instructions, of which each is on a line of its own, as cicc writes them.
class Instructions {
 public:
  explicit Instructions(std::string_view state) : state_(state) {}

  /// The instruction without a question to the unit's state, which is all zeros.
  std::string answered(std::string_view line) {
    if (line == "}") zeros_.clear();  // registers are the function's own
    const std::size_t begin = line.find_first_not_of('\t');
    if (begin == std::string_view::npos) return std::string(line);
    std::string_view rest = line.substr(begin);
    const std::string_view operation = take(rest, " ");
    rest.remove_prefix(std::min(rest.find_first_not_of('\t'), rest.size()));
    if (operation == "ld.const.u32" || operation == "ld.const.u64") {
      const std::string target(take(rest, ", ["));
      if (rest.substr(0, state_.size()) != state_) return std::string(line);
      zeros_.insert(target);
      // Half a word can be loaded to a whole one.
      return (target.substr(0, 3) == "%rd" ? "\tmov.u64 \t" : "\tmov.u32 \t") + target + ", 0;";
    }
    if (operation.substr(0, 5) == "setp.") return compared(operation, rest).value_or(std::string(line));
    return std::string(line);
  }

 private:
  /// ptxas does not see that no number is below 0.
  std::optional<std::string> compared(std::string_view operation, std::string_view operands) const {
    const std::string_view target = take(operands, ", "), left = take(operands, ", "),
                           right = take(operands, ";");
    const std::size_t dot = operation.rfind('.');
    const std::string_view type = operation.substr(dot), order = operation.substr(0, dot);
    if (type != ".u32" && type != ".u64") return std::nullopt;
    const auto says = [&](std::string_view zero, std::string_view how) {
      return zeros_.count(std::string(zero)) == 0
                 ? std::nullopt
                 : std::optional("\tsetp." + std::string(how) + std::string(type) + " \t" +
                                 std::string(target) + ", " + std::string(zero) + ", 0;");
    };
    if (order == "setp.lt") return says(right, "ne");
    if (order == "setp.ge") return says(right, "eq");
    if (order == "setp.gt") return says(left, "ne");
    if (order == "setp.le") return says(left, "eq");
    return std::nullopt;
  }

  std::string_view state_;
  std::set<std::string> zeros_;  ///< registers that hold a word of it
};

std::string withoutQuestions(std::string_view ptx) {
  const std::string_view state = stateOf(ptx);
  if (state.empty()) return std::string(ptx);
  std::string result;
  result.reserve(ptx.size());
  Instructions instructions(state);
  while (!ptx.empty()) result.append(instructions.answered(take(ptx, "\n"))).append("\n");
  return result;
}

}  // namespace

fs::path plainCodeOf(const fs::path& cubin) {
  const char* const folder = std::getenv(plainCodeVariable);
  if (folder == nullptr || *folder == '\0' || cubin.empty()) return {};
  return fs::path(folder) / (textHash(fs::absolute(cubin).lexically_normal().string()) + ".cubin");
}

std::string withoutRecorder(std::string_view ptx) {
  std::string result;
  result.reserve(ptx.size() + 4096);
  bool defined = false;
  forEachFunction(ptx, [&](std::string_view between, std::string_view declaration) {
    if (defined) between.remove_prefix(1);  // its semicolon
    defined = isRecordersExtern(declaration);
    if (defined) declaration.remove_prefix(externDirective.size());
    result.append(between).append(declaration).append(defined ? "{ ret; }" : "");
  });
  return withoutQuestions(result);
}

std::string withPlainImages(std::string_view embedded, std::string_view plain) {
  // Of host_runtime.h, whose __cudaRegisterBinary() registers `&__fatDeviceText`, and of fatbinary.
  constexpr std::string_view wrapper = "__fatDeviceText", data = "fatbinData";
  for (const std::string_view text : {embedded, plain})
    for (const std::string_view name : {wrapper, data})
      if (text.find(name) == std::string_view::npos) return {};
  std::string second = replaced(replaced(plain, wrapper, "cuiPlainDeviceText"), data, "cuiPlainData");
  // GCC does not see that the assembly in between, with the images, leaves it in another section, and says
  // nothing of a section that it believes to be in: the wrapper would be code.
  second = replaced(replaced(second, "__CUDAFATBINSECTION", "CUI_PLAIN_SECTION"), ".nvFatBinSegment",
                    ".cuiPlainSegment");
  // Included at the end of the unit's host code, which has both names.
  return std::string(embedded) + second +
         "#define __fatDeviceText (*(cuiTakesPlainCode(&cui::unitTable()) ? &cuiPlainDeviceText : "
         "&__fatDeviceText))\n";
}

}  // namespace cui::cli
