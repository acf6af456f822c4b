#include "cli/compile/toolkit_commands.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>

#include "cli/base/beside.h"
#include "cli/base/errors.h"
#include "cli/base/files.h"
#include "cli/base/process.h"
#include "cli/base/signals.h"
#include "cli/base/temporary.h"
#include "cli/base/text_hash.h"
#include "cli/compile/known_spaces.h"
#include "cli/compile/lean_kernels.h"
#include "cli/compile/linking_toolchain.h"
#include "cli/compile/plain_code.h"
#include "cli/compile/plain_kernels.h"
#include "cli/compile/ptx_text.h"
#include "cli/compile/ptxas_line.h"
#include "cli/compile/read_only_loads.h"
#include "cli/compile/register_limit.h"
#include "cli/compile/relocatable_code.h"
#include "cli/compile/wide_products.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

/// A unit's code without the recorder, compiled beside the other if that is wanted.
class PlainCompilation {
 public:
  PlainCompilation(const PtxasLine& line, const LinkingToolchain& toolchain, const std::string& unit,
                   const fs::path& text)
      : result_(plainCodeOf(line.output)) {
    if (result_.empty()) return;
    const std::string plain = withoutRecorder(unit);
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
  Linking(const PtxasLine& line, const LinkingToolchain& toolchain, const std::string& unit)
      : line_(line),
        toolchain_(toolchain),
        original_(unit),
        unit_(withLeanKernels(plainCodeOf(line.output).empty() ? unit : withOtherKernels(unit))),
        recorder_{modesOf(unit), line.gpu, !canSayWhatIsPreserved(unit)} {}

  int run() {
    PlainCompilation plain(line_, toolchain_, original_, temporary_.path() / "plain.ptx");
    if (int failed = compileBeside(plain)) {
      if (!keepToConvention()) return report(failed);
      failed = finish(runProcess(command({}), Capture::everything));
      if (failed != 0) return report(failed);
    }
    ProcessResult linked = link();
    const std::optional<long> fewest = fewestOfKernels(linked.error);
    if (fewest && *fewest >= RecorderCode::fewestRegisters) {
      if (const int failed = compileFor(*fewest)) return report(failed);
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
    if (!plain.mayNeedMoreRegisters()) compilation.emplace(command({}));
    const KernelRegisters registers = plain.registers();
    if (std::string limited = withRegisterLimits(unit_, registers); limited != limited_) {
      compilation.reset();  // ends it
      limited_ = std::move(limited);
    }
    if (!compilation) compilation.emplace(command({}));
    return finish(compilation->wait());
  }

  /// Writes the text, and says what compiles it.
  Words command(const Words& limit) const {
    replaceFile(text_, recorder_.byConvention ? limited_ : withPreservedRegisters(limited_));
    Words command = {toolchain_.ptxas().string(), "-c"};
    append(command, line_.others);
    append(command, limit);
    append(command, {text_.string(), "-o", code_.string()});
    return command;
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
  /// A kernel that may have few registers cannot make calls that preserve as few as the recorder's, some of
  /// which have many parameters; by the convention it can.
  bool keepToConvention() {
    const bool tooFew = messages_.error.find("(C7019)") != std::string::npos;
    return tooFew && !std::exchange(recorder_.byConvention, true);
  }

  /// For a kernel that may have only so many registers. Functions have as they like: the unit's own, and the
  /// recorder's, which need their usual ones for values of their own if they preserve none.
  int compileFor(long registers) {
    if (registers < recorder_.registers) {
      recorder_.registers = registers;
      recorder_.byConvention = true;
    }
    const Words limit =
        recordingFunctions(unit_).empty() ? Words{} : Words{"-maxrregcount=" + std::to_string(registers)};
    return finish(runProcess(command(limit), Capture::everything));
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
  const std::string& original_;
  const std::string unit_;  ///< with kernels without the recorder, and lean ones
  std::string limited_ = withRegisterLimits(unit_, {});
  const TemporaryDirectory temporary_{line_.output};
  const fs::path text_ = temporary_.path() / "unit.ptx", code_ = temporary_.path() / "unit.cubin";
  RecorderCode recorder_;
  ProcessResult messages_;  ///< of ptxas
};

/// The file's PTX with what nvcc would have known of pointers that the recorder gets, too.
std::string unitIn(const fs::path& file) {
  return withWideProducts(withKnownSpaces(withReadOnlyLoads(readFile(file))));
}

/// What of fatbinary's line names files.
class FatbinaryLine {
 public:
  /// `folder`: where files can be that live as long.
  FatbinaryLine(const Words& words, const fs::path& folder)
      : words_(words), plainWords_(words), folder_(folder) {
    relocatable_ = std::find(words.begin(), words.end(), "--device-c") != words.end();
    saysCompression_ = std::any_of(words.begin(), words.end(),
                                   [](const std::string& word) { return word.find("-compress") <= 1; });
    for (std::string& word : plainWords_) {
      if (const auto file = valueOf(word, "--embedded-fatbin=")) {
        embedded_ = *file;
        word = "--embedded-fatbin=" + plainEmbedded().string();
      } else if (valueOf(word, "--create=")) {
        word = "--create=" + (folder_ / "plain.fatbin").string();
      }
    }
  }

  /// Completes PTX with the recorder: a driver compiles it for other GPUs.
  void completeText(const LinkingToolchain& toolchain) {
    for (std::string& word : plainWords_) {
      const auto file = valueOf(word, "file=");
      if (!file) continue;
      if (const auto kind = valueOf(word, "kind="); kind && *kind != "elf" && *kind != "ptx")
        throw Error(ExitCode::no, "code that is compiled at link time cannot be linked with the recorder");
      const fs::path path = *file;
      fs::path plain = plainCodeOf(path);
      if (word.find("kind=ptx,") != std::string::npos) {
        const std::string unit = unitIn(path);
        if (!callsRecorder(unit)) continue;
        const bool limits = !relocatable_ || limitFunctions();
        const std::string both = plain.empty() ? unit : withOtherKernels(unit);
        replaceFile(path, withModule(limits ? withRegisterLimits(both, {}) : both,
                                     readFile(toolchain.recorderText(modesOf(unit), targetOf(unit)))));
        if (!plain.empty()) {
          plain = folder_ / (textHash(path.string()) + ".ptx");
          replaceFile(plain, withoutRecorder(unit));
        }
      }
      if (plain.empty() || !fs::exists(plain)) continue;
      word.replace(word.find("file=") + 5, file->size(), plain.string());
      hasPlain_ = true;
    }
  }

  /// Machine code as well as PTX, unless the program says otherwise: the recorder's is larger than most
  /// programs', and the host compiler reads it as text, which takes it longer than compression.
  void compress() {
    if (saysCompression_ || !hasRecorder()) return;
    for (Words* const words : {&words_, &plainWords_}) words->insert(words->begin(), "--compress-all");
  }

  /// Whether what is embedded is to have code without the recorder beside it.
  bool hasPlainImages() const { return hasPlain_ && !embedded_.empty(); }

  /// Has the unit register the kernels without the recorder that are in all images.
  void registerKernels(const LinkingToolchain& toolchain) const {
    if (embedded_.empty() || relocatable_) return;
    std::optional<std::set<std::string>> common;
    for (const std::string& word : words_) {
      const auto file = valueOf(word, "file=");
      if (!file) continue;
      std::set<std::string> names = otherKernelsIn(readFile(*file)), both;
      for (const std::string& name : names)
        if (!common || common->count(name) != 0) both.insert(name);
      common = std::move(both);
    }
    if (!common || common->empty()) return;
    replaceFile(embedded_,
                withKernelsRegistered(readFile(embedded_), *common, toolchain.plainLaunch().string()));
  }
  const Words& words() const { return words_; }
  const Words& plainWords() const { return plainWords_; }
  void join() const {
    const std::string joined = withPlainImages(readFile(embedded_), readFile(plainEmbedded()));
    if (!joined.empty()) replaceFile(embedded_, joined);
  }

 private:
  /// What stands behind `name`, up to a comma.
  static std::optional<std::string> valueOf(const std::string& word, std::string_view name) {
    const std::size_t at = word.find(name);
    if (at == std::string::npos) return std::nullopt;
    const std::size_t begin = at + name.size();
    return word.substr(begin, word.find(',', begin) - begin);
  }
  /// In relocatable code the recorder's functions have registers as they like, and kernels that may have
  /// fewer cannot call them. What compiles the PTX goes by the options that lie beside it. False if they have
  /// a limit already.
  bool limitFunctions() {
    constexpr std::string_view options = "--cmdline=", limit = "maxrregcount";
    for (std::string& word : words_) {
      if (word.compare(0, options.size(), options) != 0) continue;
      if (word.find(limit) == std::string::npos)
        word += " -maxrregcount=" + std::to_string(RecorderCode::usualRegisters) + " ";
      return word.find("-maxrregcount=" + std::to_string(RecorderCode::usualRegisters)) != std::string::npos;
    }
    return false;
  }
  /// Each instrumented unit has functions of that namespace.
  bool hasRecorder() const {
    return std::any_of(words_.begin(), words_.end(), [](const std::string& word) {
      const auto file = valueOf(word, "file=");
      return file && fs::exists(*file) && readFile(*file).find("_ZN3cui7backend") != std::string::npos;
    });
  }
  fs::path plainEmbedded() const { return folder_ / "plain.fatbin.c"; }

  Words words_, plainWords_;  ///< and those for the images without the recorder
  fs::path folder_;
  std::string embedded_;  ///< the C file, if there is one
  bool relocatable_ = false, hasPlain_ = false, saysCompression_ = false;
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
  const std::string unit = line.input.empty() ? std::string() : unitIn(line.input);
  if (line.output.empty() || line.gpu.empty() || !callsRecorder(unit)) runToolkits(toolchain.ptxas(), words);
  if (line.relocatable) return compileRelocatable(line, toolchain, unit);
  return Linking(line, toolchain, unit).run();
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
