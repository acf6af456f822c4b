// nvcc with a ptxas and a fatbinary of ours. nvcc finds its parts by the nvcc.profile beside it: a folder
// with links to the toolkit's programs, a profile of ours, and this program in place of those two
// (toolkit_commands.h) is an nvcc that compiles as the user's does, but links each unit's device code with
// the recorder. The units then have declarations of the recorder only, which takes nvcc a fraction of the
// time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/base/installation.h"

namespace cui::cli {

/// Tells our programs where they run, in the environment.
constexpr const char* toolchainVariable = "CUINSTRUMENT_TOOLCHAIN";

/// The modes that units are compiled for (`--mode`), which their calls of the recorder have in their names:
/// CUI_COMPILED_MODES of cuinstrument/backend/cuda/modes.h.
enum class RecorderModes : unsigned char { trace = 1, profile = 2, both = 3 };

/// What has nvcc compile units, or the recorder, for one of them.
constexpr const char *traceOnly = "-DCUI_TRACE_ONLY", *profileOnly = "-DCUI_PROFILE_ONLY";

/// How the recorder's functions are compiled.
struct RecorderCode {
  /// Registers that they use at most: what kernels that call them have at least, so as few as do not make the
  /// functions save their own values; with 64 a kernel of 1,024 threads can be launched.
  static constexpr long usualRegisters = 64, fewestRegisters = 24;

  RecorderModes modes;
  std::string gpu;    ///< `sm_90`
  bool byConvention;  ///< what they preserve for their callers; else preserved_registers.def
  long registers = usualRegisters;
  bool lean = false;  ///< of lean_kernels.h
};

/// The toolkit's nvcc that runs for `compiler`, a program's name or path; the one behind it, if it is a
/// script that only runs one. Nothing where that cannot be known: it is no nvcc, but a script that adds
/// options, say. Throws Error.
std::optional<std::filesystem::path> nvccBehind(const std::string& compiler);

class LinkingToolchain {
 public:
  /// For the nvcc behind `compiler`, from the cache. Nothing where there is none, or no cache. Throws Error.
  static std::optional<LinkingToolchain> find(const std::string& compiler, const Installation& installation);
  /// The one in `folder`.
  explicit LinkingToolchain(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path nvcc() const { return folder_ / "nvcc"; }
  std::filesystem::path ptxas() const { return folder_ / "toolkit/ptxas"; }
  std::filesystem::path nvlink() const { return folder_ / "toolkit/nvlink"; }
  std::filesystem::path fatbinary() const { return folder_ / "toolkit/fatbinary"; }

  /// The recorder, as relocatable code and as PTX (`sm_90` of its `.target`); compiled when it is asked for
  /// the first time. Throws Error.
  std::filesystem::path recorderCode(const RecorderCode& code) const;
  std::filesystem::path recorderText(RecorderModes modes, const std::string& target) const;

  /// The header for units with kernels without the recorder.
  std::filesystem::path plainLaunch() const {
    return folder_ / "recorder/cuinstrument/backend/cuda/plain_launch.h";
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace cui::cli
