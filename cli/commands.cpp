// Which command a line is: a compiler line, taken as it is, or one of the others.
#include "cli/commands.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "cli/base/errors.h"
#include "cli/base/installation.h"
#include "cli/base/process.h"
#include "cli/base/words.h"
#include "cli/command_line.h"
#include "cli/compile/cpu_command.h"
#include "cli/compile/nvcc_command.h"
#include "cli/compile/rewrite.h"
#include "cli/compile/toolkit_commands.h"

namespace cui::cli {
namespace {

std::string baseName(const std::string& word) {
  return std::filesystem::path(word).filename();
}

bool isNvcc(const std::string& word) {
  return baseName(word).compare(0, 4, "nvcc") == 0;
}

bool isCompilerCache(const std::string& word) {
  constexpr std::array<std::string_view, 4> names = {"ccache", "sccache", "distcc", "icecc"};
  return std::find(names.begin(), names.end(), baseName(word)) != names.end();
}

/// Splits `ccache /usr/bin/nvcc -c a.cu` behind nvcc, or behind the first word if none is called so.
int runLauncher(const Words& words, const RewriteFlags& flags) {
  if (words.empty())
    throw Error(ExitCode::usage, "launcher needs a compiler command: cuinstrument launcher nvcc …");
  auto compiler = std::find_if(words.begin(), words.end(), isNvcc);
  if (compiler == words.end()) compiler = words.begin();
  return runNvcc(Words(words.begin(), compiler + 1), Words(compiler + 1, words.end()), flags);
}

int runNamedNvcc(const std::string& name, const Words& words, const RewriteFlags& flags) {
  auto [command, instrumented] = nvccCommand(name);
  if (!instrumented) return runNvcc(command, words, flags);
  append(command, words);
  replaceProcess(command);
}

int runRewriter(const Words& words) {
  Words command = {findInstallation().rewriter};
  append(command, headerCacheFlags());
  append(command, words);
  replaceProcess(command);
}

}  // namespace

int runCommandLine(const Words& words) {
  const std::size_t index = countRewriteFlags(words);  // the first word behind them
  const std::string command = index < words.size() ? words[index] : "";
  Words rest(words.begin() + static_cast<std::ptrdiff_t>(std::min(index + 1, words.size())), words.end());
  const bool raw = command == "cpu" || command == "launcher" || command == "rewrite" || isNvcc(command) ||
                   (isCompilerCache(command) && std::any_of(rest.begin(), rest.end(), isNvcc));
  const bool ownHelp = !isNvcc(command) && command != "rewrite" && rest == Words{"--help"};
  if (!raw || ownHelp) return CommandLine().run(words, index);

  Words leading(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(index));
  const RewriteFlags flags = takeRewriteFlags(leading);
  if (command == "rewrite") return runRewriter(rest);
  if (command == "cpu") return runCpu(rest, flags);
  if (command == "launcher") return runLauncher(rest, flags);
  if (isNvcc(command)) return runNamedNvcc(command, rest, flags);
  return runLauncher(Words(words.begin() + static_cast<std::ptrdiff_t>(index), words.end()), flags);
}

int runProgram(const std::string& name, const Words& words) {
  if (baseName(name) == "ptxas") return runPtxas(words);
  if (baseName(name) == "fatbinary") return runFatbinary(words);
  if (!isNvcc(name)) return runCommandLine(words);
  Words none;
  return runNamedNvcc(baseName(name), words, takeRewriteFlags(none));
}

}  // namespace cui::cli
