// What nvcc would run for a line, as it says itself (`--dryrun`), and which of these steps need another one's
// result. nvcc runs one after the other; steps_beside.h does not.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cui::cli {

/// What the host's compilation includes at its end, which the device's steps have a part in.
struct LateText {
  std::filesystem::path stubs, lateStubs;  ///< written by cicc; read in its stead
  std::vector<std::size_t> stubsAfter;     ///< what has to have succeeded before `stubs` is complete
  /// What the stubs include; written by the step `fatbinary` as `images`. Both empty where the assembler is
  /// not known to read it while the unit is compiled: then the stubs are after all in front.
  std::filesystem::path embedded, images;
  std::size_t fatbinary = 0;
  std::vector<std::filesystem::path> ptx;  ///< what the images are made of
  std::vector<std::size_t> ptxAfter;       ///< the steps that write it
};

/// One command, as nvcc hands it to `sh -c`. Its place in the plan is the order of what steps print.
struct NvccStep {
  std::string line;
  std::string program;             ///< its name, without a folder
  std::vector<std::size_t> after;  ///< places of what has to have succeeded first, all in front of this one
  std::optional<LateText> late;    ///< it may begin without
  /// What the step reads besides, which is made before it begins (makeModuleId()); npos: none.
  std::size_t module = std::string::npos;
  /// nvcc's own: it writes the dependency file `line`, of these files.
  std::vector<std::filesystem::path> preprocessed;
};

/// What both front ends of a unit call things that other units must not have. nvcc has the host's make it,
/// so the device's would have to wait for that one.
struct ModuleId {
  std::filesystem::path file, preprocessed;
  std::string source;  ///< the name, without a folder
};

struct NvccPlan {
  std::vector<std::pair<std::string, std::string>> environment;  ///< of all steps
  std::string messages;                                          ///< what nvcc itself says, on stderr
  std::vector<NvccStep> steps;
  std::vector<ModuleId> modules;
};

/// Whether a host compiler, as a line names it, opens each file once, when it gets there.
using ReadsInOrder = bool (*)(const std::string& program);

/// Of what `nvcc --dryrun` prints on stderr, whose temporary files are to be in `folder` (by TMPDIR). Nothing
/// where that is not as we know it.
std::optional<NvccPlan> planOf(std::string_view dryRun, const std::filesystem::path& folder,
                               ReadsInOrder readsInOrder);

/// Writes it, in nvcc's form: `_<hash>_<length>_<source>_<hash>`, of what the preprocessor has made of the
/// source, in which files' places are. Throws Error.
void makeModuleId(const ModuleId& module);

}  // namespace cui::cli
