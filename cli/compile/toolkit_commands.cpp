#include "cli/compile/toolkit_commands.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "cli/base/errors.h"
#include "cli/base/files.h"
#include "cli/base/process.h"
#include "cli/base/temporary.h"
#include "cli/compile/linking_toolchain.h"
#include "cli/compile/ptx_text.h"

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

/// ptxas says of calls that the function preserves less than the convention asks for: that is the purpose.
void showWithoutSpills(const std::string& messages) {
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);)
    if (line.find("Register spills may happen since callee") == std::string::npos)
      std::fprintf(stderr, "%s\n", line.c_str());
}

int linkWithRecorder(const PtxasLine& line, const LinkingToolchain& toolchain, const std::string& unit) {
  const SignalGuard guard;  // so that the folder goes
  const TemporaryDirectory temporary(line.output);
  const fs::path text = temporary.path() / "unit.ptx", code = temporary.path() / "unit.cubin";
  replaceFile(text, withPreservedRegisters(unit));
  Words compile = {toolchain.ptxas().string(), "-c"};
  append(compile, line.others);
  append(compile, {text.string(), "-o", code.string()});
  const ProcessResult compiled = runProcess(compile, Capture::everything);
  std::fputs(compiled.output.c_str(), stdout);
  showWithoutSpills(compiled.error);
  if (!compiled.succeeded()) return compiled.exitCode;
  const ProcessResult linked =
      runProcess({toolchain.nvlink().string(), "-arch=" + line.gpu, "-m64", code.string(),
                  toolchain.recorderCode(line.gpu).string(), "-o", line.output},
                 Capture::everything);
  std::fputs(linked.output.c_str(), stdout);
  std::fputs(linked.error.c_str(), stderr);
  // Then the stack is as large as the program asked for, to which the recorder's part is not added.
  const bool unknownStack = linked.error.find("Stack size for entry function") != std::string::npos;
  return unknownStack ? 1 : linked.exitCode;
}

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
  if (line.output.empty() || line.gpu.empty() || line.relocatable || !callsRecorder(unit))
    runToolkits(toolchain.ptxas(), words);
  if (hasFunctions(unit))
    throw Error(ExitCode::no,
                line.input + " has functions that are not inlined: its recorder must be compiled");
  return linkWithRecorder(line, toolchain, unit);
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
