// One nvcc line with its CUDA sources rewritten first: nvcc_command.cpp, and nvcc_fallback.cpp for what
// follows when nvcc takes the sources but not their instrumented form.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/installation.h"
#include "cli/base/process.h"
#include "cli/compile/dependency_file.h"
#include "cli/compile/linking_toolchain.h"
#include "cli/compile/nvcc_line.h"
#include "cli/compile/rewrite.h"

namespace cui::cli {

/// The user's line plus what nvcc itself adds from NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS. Those stay in
/// the environment; we only need to know what they say.
class NvccJob {
 public:
  NvccJob(const std::vector<std::string>& compiler, const std::vector<std::string>& words,
          const RewriteFlags& flags);

  int run();

 private:
  bool has(std::initializer_list<NvccOption> options) const;
  std::optional<std::string> value(NvccOption option) const;
  bool onlyPrints() const;
  bool links() const;
  std::vector<std::string> rewriterFlags() const;
  std::vector<std::string> architecturesOf(const std::string& option) const;
  void rewriteInputs(const std::filesystem::path& directory);
  void rewriteInputs(const std::filesystem::path& directory, Includes includes);
  struct Started;
  void take(Started& started);
  // Headers that the line includes first: nvcc_includes.cpp.
  bool mayTakeIncludes() const;
  bool allTookIncludes() const;
  void mapDependencyFiles() const;
  DependencyRule dependencyRule() const;
  std::vector<std::string> libraries() const;
  // Whether the recorder is linked: nvcc_linking.cpp.
  void chooseRecorder();
  std::string whyNotLinked() const;
  std::string compiledInstead() const;
  bool isRelocatable() const;
  bool needsUnknownStack() const;
  long registersOfFunctions() const;
  bool anyDefines(const std::string& name) const;  ///< of what the rewriter says of a source
  std::vector<std::string> commandFor(std::vector<std::string> compiler,
                                      const std::vector<std::string>& words) const;
  int runPlain();
  ProcessResult compileRewritten(const std::filesystem::path& directory);
  std::optional<std::filesystem::path> nvccForSteps(const std::vector<std::string>& compiler) const;
  ProcessResult compileWords(std::vector<std::string> words);
  void accept(const ProcessResult& result) const;
  int runRewritten(const std::filesystem::path& directory);
  // What follows when nvcc does not take the instrumented form: nvcc_fallback.cpp.
  int fallBack(const ProcessResult& result, const std::filesystem::path& directory);
  bool retryWithout(std::vector<std::string> lines, const std::filesystem::path& directory);
  bool keepWhatWorks(const std::filesystem::path& directory);
  void warnOfLines() const;

  const std::vector<std::string>& compiler_;
  const std::vector<std::string>& words_;
  const RewriteFlags& flags_;
  NvccLine line_, prepended_, appended_;
  Installation installation_;
  std::optional<LinkingToolchain> linking_;          ///< where units are linked with the recorder
  std::string notLinked_;                            ///< why not, where that was asked for
  std::map<std::size_t, std::string> rewritten_;     ///< argument index -> file to compile instead
  std::vector<std::string> left_;                    ///< `file:line` in functions whose originals nvcc wants
  std::vector<std::string> leftLines_;               ///< where it may want no more than the line's
  std::string notes_;                                ///< of the rewriter, on files that it did rewrite
  std::map<std::string, std::string> notRewritten_;  ///< source -> why it is compiled as it is
  std::size_t tookIncludes_ = 0;                     ///< in how many sources what -include names is
  bool plainIsLast_ = false;                         ///< the outputs are those of the user's own line
};

/// The words of a line of the environment but -include and its value, as text that nvcc takes apart into
/// them; none if it would have to be quoted or is in option files.
std::optional<std::string> wordsWithoutIncludes(const NvccLine& line);

/// What a compiler printed, on our own streams.
void show(const ProcessResult& result);

}  // namespace cui::cli
