#include "driver/clang_line.h"

#include <clang/Basic/Cuda.h>

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <cstdlib>
#include <utility>

#include "driver/library_files.h"

namespace cui::driver {
namespace {

void add(CommandWords& line, const CommandWords& more) {
  line.insert(line.end(), more.begin(), more.end());
}

/// That nvcc compiles for, whose text between `#if __CUDA_ARCH__ …` is read.
std::string architectureOf(const CompileFlags& flags, const Toolchain& toolchain) {
  if (!flags.architecture.empty()) return flags.architecture;
  return std::atoi(toolchain.cudaVersionMajor.c_str()) < 13 ? "sm_52" : "sm_75";
}

/// With nvcc's macros for what `sm_100a` and `sm_100f` say more than `sm_100`, which Clang has in part. An
/// architecture that this Clang does not know yet is read as the newest that every Clang knows, with its own
/// number.
CommandWords architectureWords(const std::string& architecture, const Toolchain& toolchain) {
  const llvm::StringRef name = llvm::StringRef(architecture).substr(3);
  const std::string number = name.take_while([](char c) { return llvm::isDigit(c); }).str();
  const bool known = clang::StringToOffloadArch(architecture) != clang::OffloadArch::UNKNOWN;
  const bool own = name.ends_with("a"), family = own || name.ends_with("f");
  const auto version = [](const std::string& part) { return std::atoi(part.c_str()); };
  const bool told =
      std::pair(version(toolchain.cudaVersionMajor), version(toolchain.cudaVersionMinor)) >= std::pair(12, 9);
  CommandWords words{"--cuda-gpu-arch=" + (known ? architecture : "sm_90")};
  if (!known) add(words, {"-U__CUDA_ARCH__", "-D__CUDA_ARCH__=" + number + '0'});
  if (!known && own) words.push_back("-D__CUDA_ARCH_FEAT_SM" + number + "_ALL=1");
  if (own && told) words.push_back("-D__CUDA_ARCH_SPECIFIC__=" + number + '0');
  if (family && told) words.push_back("-D__CUDA_ARCH_FAMILY_SPECIFIC__=" + number + '0');
  return words;
}

}  // namespace

CommandWords macrosOfNvcc(Backend backend, const CompileFlags& flags) {
  CommandWords result;
  if (flags.relaxedConstexpr) result.insert(result.end(), {"-D", "__CUDACC_RELAXED_CONSTEXPR__=1"});
  if (backend == Backend::cuda)
    for (const std::string& macro : flags.nvccMacros) result.insert(result.end(), {"-D", macro});
  return result;
}

CommandWords macrosOf(Backend backend, const CompileFlags& flags) {
  CommandWords result = macrosOfNvcc(backend, flags);
  for (std::size_t i = 0; i + 1 < flags.clang.size(); ++i)
    if (flags.clang[i] == "-D" || flags.clang[i] == "-U") {
      result.insert(result.end(), {flags.clang[i], flags.clang[i + 1]});
      ++i;
    }
  return result;
}

ClangLine::ClangLine(Backend backend, const Toolchain& toolchain, const CompileFlags& flags, bool otherWords,
                     bool autoParameters)
    : front_{"clang++", "-fsyntax-only", "-x", "cuda", "--cuda-device-only", "-resource-dir",
             toolchain.resourceDir, "-nocudalib",
             // Warnings are for the compiler that builds the result. What nvcc accepts
             // with a warning must not be an error here, and "-w" leaves those that are errors unless told
             // otherwise.
             "-w", "-Wno-everything",
             // nvcc knows `typeof`, whatever the standard.
             "-fgnu-keywords",
             // Left out by the driver with -nocudalib; decides how launches are configured. A version that
             // every Clang knows, because to one that is older than the toolkit a launch would be an error.
             "-Xclang", "-target-sdk-version=12.0", "-ferror-limit=0", "-I", toolchain.devlib} {
  add(front_, architectureWords(architectureOf(flags, toolchain), toolchain));
  if (!flags.hasStandard) front_.emplace_back("-std=c++17");
  if (backend == Backend::cuda) {
    front_.push_back("--cuda-path=" + toolchain.cudaPath);
    add(front_, {"-isystem", toolkitFolder});
    // Where nvcc also looks: libcu++, Thrust and CUB since CUDA 13.
    add(front_, {"-isystem", toolchain.cudaPath + "/include/cccl"});
    front_.push_back("-DCUI_COMPATIBILITY_MAJOR=" + toolchain.cudaVersionMajor);
    front_.push_back("-DCUI_COMPATIBILITY_MINOR=" + toolchain.cudaVersionMinor);
    add(front_, {"-include", compatibilityHeader});
  } else {
    add(front_, {"-nocudainc", "-isystem", toolchain.devlib + "/cuinstrument/backend/cpu/toolkit", "-isystem",
                 toolkitFolder, "-include", "cuda_runtime.h"});
  }
  add(front_, {"-include", listHeader});
  if (otherWords) add(front_, {"-include", wordHeader});
  for (const std::string& flag : flags.clang)
    if (llvm::StringRef(flag).starts_with("-std=")) front_.push_back(flag);
  if (autoParameters) back_.emplace_back("-std=c++20");
  // For omp.h.
  if (!toolchain.gccHeaders.empty()) add(back_, {"-idirafter", toolchain.gccHeaders});
}

CommandWords ClangLine::with(const CommandWords& flags, const std::string& input) const {
  CommandWords line = front_;
  add(line, flags);
  add(line, back_);
  line.push_back(input);
  return line;
}

}  // namespace cui::driver
