#include "cli/compile/toolkit_commands.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/base/beside.h"
#include "cli/base/errors.h"
#include "cli/base/files.h"
#include "cli/base/process.h"
#include "cli/base/signals.h"
#include "cli/base/temporary.h"
#include "cli/compile/fatbinary_line.h"
#include "cli/compile/launch_bounds.h"
#include "cli/compile/lean_kernels.h"
#include "cli/compile/linking_toolchain.h"
#include "cli/compile/plain_code.h"
#include "cli/compile/plain_kernels.h"
#include "cli/compile/ptx_text.h"
#include "cli/compile/ptxas_line.h"
#include "cli/compile/register_limit.h"
#include "cli/compile/relocatable_code.h"
#include "cli/compile/unit_texts.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

/// A unit's code without the recorder, compiled beside the other if that is wanted.
class PlainCompilation {
 public:
  PlainCompilation(const PtxasLine& line, const LinkingToolchain& toolchain, const std::string& plain,
                   const fs::path& text)
      : result_(plainCodeOf(line.output)) {
    if (result_.empty()) return;
    replaceFile(text, plain);
    mayNeedMore_ = cli::mayNeedMoreRegisters(plain);
    Words command = {toolchain.ptxas().string()};
    append(command, line.others);
    append(command, {"-v", text.string(), "-o", result_.string()});
    compilation_.emplace(std::move(command));
  }
  ~PlainCompilation() {
    if (kept_) return;
    compilation_.reset();  // ends it
    std::error_code ignored;
    fs::remove(result_, ignored);
  }
  PlainCompilation(const PlainCompilation&) = delete;
  PlainCompilation& operator=(const PlainCompilation&) = delete;

  /// Whether it is worth waiting for these.
  bool mayNeedMoreRegisters() const { return mayNeedMore_; }

  /// The kernels' registers, once they are known; none without such code. What else ptxas says has been said
  /// of the other code.
  KernelRegisters registers() {
    if (!compilation_) return {};
    const ProcessResult result = compilation_->wait();
    complete_ = result.succeeded();
    return registersOfKernels(result.error);
  }

  /// The code is for the program. One that is switched off is slower without it.
  void keep() { kept_ = complete_; }

 private:
  fs::path result_;  ///< empty: there is to be none
  std::optional<Beside> compilation_;
  bool complete_ = false, kept_ = false, mayNeedMore_ = false;
};

/// A unit's code, linked with the recorder.
class Linking {
 public:
  Linking(const PtxasLine& line, const LinkingToolchain& toolchain, UnitTexts texts)
      : line_(line),
        toolchain_(toolchain),
        plain_(std::move(texts.plain)),
        unit_(withLeanKernels(texts.recording)),
        recorder_{modesOf(unit_), line.gpu, !canSayWhatIsPreserved(unit_)} {
    // What nvlink would say, and ptxas seconds later.
    if (const std::optional<long> left = registersLeftByBounds(unit_)) limitTo(*left);
  }

  int run() {
    PlainCompilation plain(line_, toolchain_, plain_, temporary_.path() / "plain.ptx");
    int failed = compileBeside(plain);
    if (failed != 0 && keepToConvention()) failed = finish(runProcess(command(), Capture::everything));
    // Of functions that are in the unit ptxas says it itself, where they are called through pointers.
    if (const std::optional<long> fewest = fewestOf(messages_); failed != 0 && fewest)
      failed = compileFor(*fewest);
    if (failed != 0) return report(failed);
    ProcessResult linked = link();
    if (const std::optional<long> fewest = fewestOf(linked)) {
      failed = compileFor(*fewest);
      if (failed != 0) return report(failed);
      linked = link();
    }
    std::fputs(messages_.output.c_str(), stdout);
    std::fputs(withoutOtherKernels(withoutSpills(messages_.error)).c_str(), stderr);
    std::fputs(linked.output.c_str(), stdout);
    std::fputs(withoutOtherKernels(linked.error).c_str(), stderr);
    // Then the stack is as large as the program asked for, to which the recorder's part is not added.
    const bool unknownStack = linked.error.find("Stack size for entry function") != std::string::npos;
    if (unknownStack) return 1;
    if (linked.succeeded()) plain.keep();
    return linked.exitCode;
  }

 private:
  /// Kernels that have more registers by themselves than the usual limit are known when the code without the
  /// recorder is complete. That is seldom, and long before this code is; where it is not seldom, what is
  /// begun would be thrown away.
  int compileBeside(PlainCompilation& plain) {
    std::optional<Beside> compilation;
    if (!plain.mayNeedMoreRegisters()) compilation.emplace(command());
    const KernelRegisters registers = plain.registers();
    if (std::string limited = withRegisterLimits(unit_, registers); limited != limited_) {
      compilation.reset();  // ends it
      limited_ = std::move(limited);
    }
    if (!compilation) compilation.emplace(command());
    return finish(compilation->wait());
  }

  /// Writes the text, and says what compiles it.
  Words command() const {
    replaceFile(text_, recorder_.byConvention ? limited_ : withPreservedRegisters(limited_));
    Words command = {toolchain_.ptxas().string(), "-c"};
    append(command, line_.others);
    append(command, limit_);
    if (splits()) command.push_back("--split-compile=" + std::to_string(jobs()));
    append(command, {text_.string(), "-o", code_.string()});
    return command;
  }

  /// Kernels that the user has not written are compiled beside his, where that is worth it or more than the
  /// usual may run at once: some have other registers then. Not where he has said how that is done, nor by a
  /// ptxas that may not know the option; nor much at once, as it takes ptxas twice the memory: 100 MB for
  /// each of PTX.
  bool splits() const {
    constexpr std::size_t leastSplit = 262'144, mostSplit = 16'777'216;  // a second or two
    if (jobs() < 2 || line_.splits || unit_.size() > mostSplit) return false;
    return (jobs() > usualJobs || unit_.size() >= leastSplit) && canSplitCompilation(unit_) &&
           !otherKernelsIn(unit_).empty();
  }

  int finish(ProcessResult messages) {
    messages_ = std::move(messages);
    return messages_.succeeded() ? 0 : messages_.exitCode;
  }
  int report(int failed) const {
    std::fputs(messages_.output.c_str(), stdout);
    std::fputs(withoutOtherKernels(withoutSpills(messages_.error)).c_str(), stderr);
    return failed;
  }
  /// The limit of a kernel that calls a function of more registers.
  static std::optional<long> fewestOf(const ProcessResult& messages) {
    const std::optional<long> fewest = fewestOfKernels(messages.error);
    return fewest && *fewest >= RecorderCode::fewestRegisters ? fewest : std::nullopt;
  }
  /// A kernel that may have few registers cannot make calls that preserve as few as the recorder's, some of
  /// which have many parameters; by the convention it can.
  bool keepToConvention() {
    const bool tooFew = messages_.error.find("(C7019)") != std::string::npos;
    return tooFew && !std::exchange(recorder_.byConvention, true);
  }

  /// For a kernel that may have only so many registers. Functions have as they like: the unit's own, and the
  /// recorder's, which need their usual ones for values of their own if they preserve none.
  void limitTo(long registers) {
    if (registers < recorder_.registers) {
      recorder_.registers = registers;
      recorder_.byConvention = true;
    }
    if (!recordingFunctions(unit_).empty()) limit_ = {"-maxrregcount=" + std::to_string(registers)};
  }
  /// Mostly the unit's code is by the convention already, and only another recorder is linked to it.
  int compileFor(long registers) {
    const bool compiled = messages_.succeeded();
    const std::pair<bool, Words> before(recorder_.byConvention, limit_);
    limitTo(registers);
    if (compiled && before == std::pair<bool, Words>(recorder_.byConvention, limit_)) return 0;
    return finish(runProcess(command(), Capture::everything));
  }

  ProcessResult link() const {
    Words command = {toolchain_.nvlink().string(), "-arch=" + line_.gpu, "-m64", code_.string(),
                     toolchain_.recorderCode(recorder_).string()};
    if (unit_.find(leanSuffix) != std::string::npos) {
      const RecorderCode lean = {recorder_.modes, recorder_.gpu, true,
                                 std::min(leanRegisters, recorder_.registers), true};
      command.push_back(toolchain_.recorderCode(lean).string());
    }
    append(command, {"-o", line_.output});
    return runProcess(command, Capture::everything);
  }

  const SignalGuard guard_;  // so that the folder goes
  const PtxasLine& line_;
  const LinkingToolchain& toolchain_;
  const std::string plain_, unit_;  ///< without the recorder; with the kernels beside others, and lean ones
  std::string limited_ = withRegisterLimits(unit_, {});
  const TemporaryDirectory temporary_{line_.output};
  const fs::path text_ = temporary_.path() / "unit.ptx", code_ = temporary_.path() / "unit.cubin";
  RecorderCode recorder_;
  Words limit_;             ///< of the unit's own functions' registers, for ptxas
  ProcessResult messages_;  ///< of ptxas
};

/// Where this runs as one of the toolkit's programs.
LinkingToolchain ownToolchain() {
  const char* folder = std::getenv(toolchainVariable);
  if (!folder || !*folder)
    throw Error(ExitCode::usage, "this program is a part of `cuinstrument nvcc`; call the toolkit's own");
  return LinkingToolchain(folder);
}

[[noreturn]] void runToolkits(const fs::path& program, const Words& words) {
  Words command = {program.string()};
  append(command, words);
  replaceProcess(command);
}

}  // namespace

int runPtxas(const Words& words) {
  const LinkingToolchain toolchain = ownToolchain();
  const PtxasLine line(words);
  if (const fs::path plain = plainCodeOf(line.output); !plain.empty()) fs::remove(plain);  // of another line
  const std::string unit = line.input.empty() ? std::string() : readFile(line.input);
  if (line.output.empty() || line.gpu.empty() || !callsRecorder(unit)) runToolkits(toolchain.ptxas(), words);
  if (line.relocatable) return compileRelocatable(line, toolchain, knownAgain(unit));
  return Linking(line, toolchain, unitTexts(unit)).run();
}

int runFatbinary(const Words& words) {
  const LinkingToolchain toolchain = ownToolchain();
  const SignalGuard guard;
  const TemporaryDirectory temporary("plain images");
  FatbinaryLine line(words, temporary.path());
  line.completeText(toolchain);
  line.compress();
  std::optional<Beside> plain;
  if (line.hasPlainImages()) {
    Words command = {toolchain.fatbinary().string()};
    append(command, line.plainWords());
    plain.emplace(std::move(command));
  }
  Words command = {toolchain.fatbinary().string()};
  append(command, line.words());
  ProcessResult result = runProcess(command);
  if (result.succeeded() && plain) {
    result = plain->wait();
    std::fputs(result.output.c_str(), stdout);
    std::fputs(result.error.c_str(), stderr);
    if (result.succeeded()) line.join();
  }
  if (result.succeeded()) line.registerKernels(toolchain);
  return result.exitCode;
}

}  // namespace cui::cli
