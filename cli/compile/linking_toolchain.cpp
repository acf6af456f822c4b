#include "cli/compile/linking_toolchain.h"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include "cli/base/cache.h"
#include "cli/base/errors.h"
#include "cli/base/files.h"
#include "cli/base/process.h"
#include "cli/base/replaced_text.h"
#include "cli/base/text_hash.h"
#include "cli/base/words.h"
#include "cli/compile/lean_kernels.h"
#include "cli/compile/ptx_text.h"
#include "cli/compile/register_limit.h"
#include "cli/compile/yields.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

/// Size and time of last change: of what is too large to read each time.
std::string fileState(const fs::path& path) {
  struct stat state{};
  if (::stat(path.c_str(), &state) != 0) return "none";
  return path.string() + ' ' + std::to_string(state.st_size) + ' ' + std::to_string(state.st_mtim.tv_sec) +
         '.' + std::to_string(state.st_mtim.tv_nsec);
}

bool isProgram(const fs::path& path) {
  return beginsWith(path, "\177ELF");
}

/// What nvcc would do, without doing it. Temporary files have names that do not change (--keep).
ProcessResult plannedSteps(const fs::path& nvcc) {
  return runProcess({nvcc.string(), "--dryrun", "--keep", "-c", "-x", "cu", "/dev/null"},
                    Capture::everything);
}

/// The nvcc that a script runs; nothing if it runs none, or adds something of its own to what nvcc does,
/// which would be lost without it.
fs::path programBehind(const fs::path& script) {
  const std::string steps = plannedSteps(script).error, folder = "#$ _HERE_=";
  const std::size_t begin = steps.find(folder);
  if (begin == std::string::npos) return {};
  const std::size_t from = begin + folder.size();
  const fs::path nvcc = fs::path(steps.substr(from, steps.find('\n', from) - from)) / "nvcc";
  return isProgram(nvcc) && plannedSteps(nvcc).error == steps ? nvcc : fs::path();
}

/// `#define CUDA_VERSION 13000` of the toolkit's cuda.h; 0 if there is none.
int versionOf(const fs::path& toolkit) {
  std::ifstream file(toolkit / "include/cuda.h");
  const std::string define = "#define CUDA_VERSION ";
  for (std::string line; std::getline(file, line);)
    if (line.compare(0, define.size(), define) == 0)
      return static_cast<int>(std::strtol(line.c_str() + define.size(), nullptr, 10));
  return 0;
}

/// What the recorder is made of, as a name: another when any of its headers changes.
std::string recorderState(const fs::path& include) {
  std::string all;
  for (const char* folder : {"backend/cuda", "device", "format", "host"})
    for (const auto& entry : fs::directory_iterator(include / "cuinstrument" / folder))
      all += fileState(entry.path());
  return all;
}

void makeFolder(const fs::path& made, const fs::path& folder, const fs::path& bin, const fs::path& include) {
  fs::create_directories(made);
  const fs::path self = fs::read_symlink("/proc/self/exe");
  for (const auto& entry : fs::directory_iterator(bin))
    if (const fs::path name = entry.path().filename(); name != "nvcc.profile")
      fs::create_symlink(name == "ptxas" || name == "fatbinary" ? self : entry.path(), made / name);
  fs::create_symlink(bin, made / "toolkit");
  fs::create_symlink(include, made / "recorder");
  // `+=` puts in front: ours is found before the toolkit's.
  replaceFile(made / "nvcc.profile", replaced(readFile(bin / "nvcc.profile"), "$(_HERE_)", bin.string()) +
                                         "\nPATH += " + folder.string() + ":\n");
}

/// In the names of the cache's files.
const char* nameOf(RecorderModes modes) {
  switch (modes) {
    case RecorderModes::trace:
      return ".trace";
    case RecorderModes::profile:
      return ".profile";
    case RecorderModes::both:
      break;
  }
  return "";
}

/// Compiles the recorder with the toolkit's own nvcc, whatever flags the environment has for the user's
/// files.
void compileRecorder(const LinkingToolchain& toolchain, const Words& words) {
  Words command = {"env",
                   "-u",
                   "NVCC_PREPEND_FLAGS",
                   "-u",
                   "NVCC_APPEND_FLAGS",
                   (toolchain.folder() / "toolkit/nvcc").string(),
                   "-std=c++17",
                   "-O3",
                   "-rdc=true"};
  append(command, {"-isystem", (toolchain.folder() / "recorder").string(),
                   (toolchain.folder() / "recorder/cuinstrument/backend/cuda/recorder_module.cu").string()});
  append(command, words);
  const ProcessResult result = runProcess(command, Capture::everything);
  if (!result.succeeded()) throw Error(ExitCode::io, "nvcc cannot compile the recorder: " + result.error);
}

}  // namespace

std::optional<fs::path> nvccBehind(const std::string& compiler) {
  std::error_code error;
  fs::path nvcc = fs::absolute(programOf(compiler), error);
  // As it was named, if its parts are there: what it prints names their folder.
  if (!error && !fs::exists(nvcc.parent_path() / "nvcc.profile")) nvcc = fs::canonical(nvcc, error);
  if (!error && nvcc.filename() == "nvcc" && isScript(nvcc)) nvcc = programBehind(nvcc);
  if (error || nvcc.filename() != "nvcc" || !isProgram(nvcc)) return std::nullopt;
  return nvcc;
}

std::optional<LinkingToolchain> LinkingToolchain::find(const std::string& compiler,
                                                       const Installation& installation) {
  constexpr int firstVersion = 12000;
  const std::optional<fs::path> nvcc = nvccBehind(compiler);
  if (!nvcc) return std::nullopt;
  const fs::path bin = nvcc->parent_path();
  for (const char* part : {"nvcc.profile", "ptxas", "nvlink", "fatbinary"})
    if (!fs::exists(bin / part)) return std::nullopt;
  if (versionOf(bin.parent_path()) < firstVersion) return std::nullopt;
  const fs::path cache = cacheFolder();
  // A profile cannot name a folder with a blank.
  if (cache.empty() || cache.string().find(' ') != std::string::npos) return std::nullopt;
  const std::string state = fileState(*nvcc) + fileState(bin / "ptxas") + fileState("/proc/self/exe") +
                            installation.include.string() + recorderState(installation.include);
  const fs::path folder = cache / ("nvcc-" + textHash(state));
  makeOnce(folder, [&](const fs::path& made) { makeFolder(made, folder, bin, installation.include); });
  return LinkingToolchain(folder);
}

std::filesystem::path LinkingToolchain::recorderText(RecorderModes modes, const std::string& target) const {
  const fs::path path = folder_ / ("recorder." + target + nameOf(modes) + ".ptx");
  makeOnce(path, [&](const fs::path& made) {
    Words words = {"-ptx", "-arch=" + replaced(target, "sm_", "compute_"), "-o", made.string()};
    if (modes != RecorderModes::both)
      words.emplace_back(modes == RecorderModes::trace ? traceOnly : profileOnly);
    compileRecorder(*this, words);
  });
  return path;
}

std::filesystem::path LinkingToolchain::recorderCode(const RecorderCode& code) const {
  const std::string registers = std::to_string(code.registers);
  const fs::path path = folder_ / ("recorder." + code.gpu + nameOf(code.modes) +
                                   (code.lean           ? ".lean."
                                    : code.byConvention ? ".convention."
                                                        : ".few.") +
                                   registers + ".cubin");
  makeOnce(path, [&](const fs::path& made) {
    const fs::path text = made.string() + ".ptx";
    const std::string recorder = readFile(recorderText(code.modes, code.gpu));
    replaceFile(text, code.lean           ? leanModule(recorder)
                      : code.byConvention ? recorder
                                          : withPreservedRegisters(recorder));
    const ProcessResult result =
        runProcess({ptxas().string(), "-c", "-arch=" + code.gpu, "-m64", "-maxrregcount=" + registers,
                    text.string(), "-o", made.string()},
                   Capture::everything);
    fs::remove(text);
    if (!result.succeeded())
      throw Error(ExitCode::io, "ptxas cannot compile the recorder: " + withoutSpills(result.error));
    replaceFile(made, withoutYields(readFile(made)));
  });
  return path;
}

}  // namespace cui::cli
