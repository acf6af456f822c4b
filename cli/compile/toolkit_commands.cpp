#include "cli/compile/toolkit_commands.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include "cli/base/errors.h"
#include "cli/base/files.h"
#include "cli/base/process.h"
#include "cli/base/temporary.h"
#include "cli/compile/linking_toolchain.h"
#include "cli/compile/ptx_text.h"
#include "cli/compile/register_limit.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

/// What of the line matters here.
struct PtxasLine {
  std::string input, output, gpu;
  bool relocatable = false;
  Words others;  ///< all but input and output
};

PtxasLine parse(const Words& words) {
  PtxasLine line;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto valueOf = [&](std::string_view option) -> const std::string* {
      return word == option && i + 1 < words.size() ? &words[i + 1] : nullptr;
    };
    if (const std::string* value = valueOf("-o")) {
      line.output = *value;
      ++i;
      continue;
    }
    if (const std::string* value = valueOf("-arch")) line.gpu = *value;
    if (word.compare(0, 6, "-arch=") == 0) line.gpu = word.substr(6);
    if (word == "-c" || word == "--compile-only") line.relocatable = true;
    if (fs::path(word).extension() == ".ptx" && word[0] != '-')
      line.input = word;
    else
      line.others.push_back(word);
  }
  return line;
}

/// A unit's code, linked with the recorder. What is relocatable stays so: the recorder's functions are weak,
/// so that of several units' copies one is left in the end.
class Linking {
 public:
  Linking(const PtxasLine& line, const LinkingToolchain& toolchain, const std::string& unit)
      : line_(line),
        toolchain_(toolchain),
        unit_(unit),
        recorder_{line.gpu, line.relocatable || !canSayWhatIsPreserved(unit)} {}

  int run() {
    if (const int failed = compile({})) return failed;
    ProcessResult linked = link();
    std::optional<long> fewest = fewestOfKernels(linked.error);
    if (fewest && *fewest >= RecorderCode::fewestRegisters) {
      if (const int failed = compileFor(*fewest)) return failed;
      linked = link();
      fewest = fewestOfKernels(linked.error);
    }
    if (line_.relocatable && !fewest) linked = link({"-r"});
    std::fputs(messages_.output.c_str(), stdout);
    std::fputs(withoutSpills(messages_.error).c_str(), stderr);
    std::fputs(linked.output.c_str(), stdout);
    std::fputs(linked.error.c_str(), stderr);
    // Then the stack is as large as the program asked for, to which the recorder's part is not added.
    const bool unknownStack = linked.error.find("Stack size for entry function") != std::string::npos;
    return unknownStack ? 1 : linked.exitCode;
  }

 private:
  int compile(const Words& limit) {
    replaceFile(text_, recorder_.byConvention ? unit_ : withPreservedRegisters(unit_));
    Words command = {toolchain_.ptxas().string()};
    if (!line_.relocatable) command.emplace_back("-c");
    append(command, line_.others);
    append(command, limit);
    append(command, {text_.string(), "-o", code_.string()});
    messages_ = runProcess(command, Capture::everything);
    if (messages_.succeeded()) return 0;
    std::fputs(messages_.output.c_str(), stdout);
    std::fputs(withoutSpills(messages_.error).c_str(), stderr);
    return messages_.exitCode;
  }

  /// For a kernel that may have only so many registers. Functions have as they like: the unit's own, and the
  /// recorder's, which need their usual ones for values of their own if they preserve none.
  int compileFor(long registers) {
    if (registers < recorder_.registers) {
      recorder_.registers = registers;
      recorder_.byConvention = true;
    }
    return compile(recordingFunctions(unit_).empty() ? Words{}
                                                     : Words{"-maxrregcount=" + std::to_string(registers)});
  }

  /// To a program's code. Of relocatable code that is only to hear of kernels with too few registers,
  /// whatever else there is to say: it may lack what is in other units.
  ProcessResult link(const Words& how = {}) const {
    Words command = {toolchain_.nvlink().string(), "-arch=" + line_.gpu, "-m64"};
    append(command, how);
    append(command, {code_.string(), toolchain_.recorderCode(recorder_).string(), "-o", line_.output});
    return runProcess(command, Capture::everything);
  }

  const SignalGuard guard_;  // so that the folder goes
  const PtxasLine& line_;
  const LinkingToolchain& toolchain_;
  const std::string& unit_;
  const TemporaryDirectory temporary_{line_.output};
  const fs::path text_ = temporary_.path() / "unit.ptx", code_ = temporary_.path() / "unit.cubin";
  RecorderCode recorder_;
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
  const PtxasLine line = parse(words);
  const std::string unit = line.input.empty() ? std::string() : readFile(line.input);
  if (line.output.empty() || line.gpu.empty() || !callsRecorder(unit)) runToolkits(toolchain.ptxas(), words);
  return Linking(line, toolchain, unit).run();
}

int runFatbinary(const Words& words) {
  const LinkingToolchain toolchain = ownToolchain();
  const std::string_view kind = "kind=ptx,", file = "file=";
  for (const std::string& word : words) {
    const std::size_t at = word.find(file);
    if (word.find(kind) == std::string::npos || at == std::string::npos) continue;
    const fs::path path = word.substr(at + file.size(), word.find(',', at) - at - file.size());
    const std::string unit = readFile(path);
    if (callsRecorder(unit))
      replaceFile(path, withModule(unit, readFile(toolchain.recorderText(targetOf(unit)))));
  }
  runToolkits(toolchain.fatbinary(), words);
}

}  // namespace cui::cli
