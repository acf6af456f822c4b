#include "cli/compile/relocatable_code.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>

#include "cli/base/errors.h"
#include "cli/base/files.h"
#include "cli/base/process.h"
#include "cli/base/signals.h"
#include "cli/base/temporary.h"
#include "cli/compile/code_registers.h"
#include "cli/compile/joined_code.h"
#include "cli/compile/plain_code.h"
#include "cli/compile/ptx_text.h"
#include "cli/compile/register_limit.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

/// Functions keep to the calling convention: of one name the program's link takes any of several objects',
/// and callers that another object compiled must not expect less.
class Relocatable {
 public:
  Relocatable(const PtxasLine& line, const LinkingToolchain& toolchain, const std::string& unit)
      : line_(line), toolchain_(toolchain), unit_(unit) {}

  int run() {
    const bool limits = line_.maxRegisters.value_or(noRegisterLimit) > RecorderCode::usualRegisters;
    // What much text becomes mostly needs more than the usual limit. That is asked first: ptxas takes several
    // times as long over the text with the recorder's calls in it, and would do so twice.
    const bool largeFunctions = limits && functionsMayNeedMoreRegisters(unit_);
    std::optional<CodeRegisters> own;
    if (largeFunctions || (limits && mayNeedMoreRegisters(unit_))) own = plainRegisters();
    const std::string text = limits ? withRegisterLimits(unit_, own ? own->used : KernelRegisters{}) : unit_;
    ProcessResult result = compile(text, own && largeFunctions ? limitOfFunctions(*own) : Words{}, code_);
    if (result.succeeded() && limits && !(own && largeFunctions)) {
      const CodeRegisters recorded = registersOf(readFile(code_));
      const bool asks = mayNeedMore(recorded);
      if (asks && !own) own = plainRegisters();
      if (asks && own) {
        const std::string limited = withRegisterLimits(unit_, own->used);
        const bool many = mostOfFunctions(recorded) > mostOfFunctions(*own);
        if (limited != text || many)
          result = compile(limited, many ? limitOfFunctions(*own) : Words{}, code_);
      }
    }
    std::fputs(result.output.c_str(), stdout);
    std::fputs(result.error.c_str(), stderr);
    if (result.succeeded()) join();
    return result.exitCode;
  }

 private:
  ProcessResult compile(const std::string& text, const Words& more, const fs::path& code) const {
    const fs::path input = fs::path(code).replace_extension(".ptx");
    replaceFile(input, text);
    Words command = {toolchain_.ptxas().string()};
    append(command, line_.others);
    append(command, more);
    append(command, {input.string(), "-o", code.string()});
    return runProcess(command, Capture::everything);
  }

  /// Whether it may be due to our limit that a kernel has no more, or to recording that a function has so
  /// many, with which no kernel that calls it can be launched with 1,024 threads.
  bool mayNeedMore(const CodeRegisters& recorded) const {
    constexpr long almostAll = RecorderCode::usualRegisters - 8;
    return std::any_of(recorded.used.begin(), recorded.used.end(), [&](const auto& entry) {
      const auto& [name, registers] = entry;
      return recorded.limits.count(name) == 0 ? registers > RecorderCode::usualRegisters
                                              : kernels_.count(name) != 0 && registers > almostAll;
    });
  }

  /// The registers of the unit's functions, of which the usual number is nothing to ask about.
  static long mostOfFunctions(const CodeRegisters& code) {
    long registers = RecorderCode::usualRegisters;
    for (const auto& [name, used] : code.used)
      if (code.limits.count(name) == 0) registers = std::max(registers, used);
    return std::min(registers, noRegisterLimit);
  }

  /// None of the unit's functions is to have more than one of them needs by itself.
  Words limitOfFunctions(const CodeRegisters& own) const {
    if (line_.maxRegisters) return {};
    return {"-maxrregcount=" + std::to_string(mostOfFunctions(own))};
  }

  /// Those of the code without the recorder; nothing where that does not compile.
  std::optional<CodeRegisters> plainRegisters() const {
    const fs::path plain = temporary_.path() / "plain.cubin";
    if (!compile(withoutRecorder(unit_), {}, plain).succeeded()) return std::nullopt;
    return registersOf(readFile(plain));
  }

  void join() const {
    // Our limit is for the kernel itself. What it calls of other objects may have more, as without us.
    std::map<std::string, long, std::less<>> limits;
    for (const std::string& kernel : kernels_) limits[kernel] = line_.maxRegisters.value_or(noRegisterLimit);
    const std::string code = withLimits(readFile(code_), limits);
    RecorderCode recorder{modesOf(unit_), line_.gpu, true};
    for (const auto& [kernel, limit] : registersOf(code).limits)
      recorder.registers = std::min(recorder.registers, limit);
    if (recorder.registers < RecorderCode::fewestRegisters)
      throw Error(ExitCode::no, "a kernel has too few registers for the recorder");
    replaceFile(line_.output, joinedCode(code, readFile(toolchain_.recorderCode(recorder))));
  }

  const SignalGuard guard_;  // so that the folder goes
  const PtxasLine& line_;
  const LinkingToolchain& toolchain_;
  const std::string& unit_;
  const std::set<std::string, std::less<>> kernels_ = unlimitedKernels(unit_);
  const TemporaryDirectory temporary_{line_.output};
  const fs::path code_ = temporary_.path() / "unit.cubin";
};

}  // namespace

int compileRelocatable(const PtxasLine& line, const LinkingToolchain& toolchain, const std::string& unit) {
  return Relocatable(line, toolchain, unit).run();
}

}  // namespace cui::cli
