#include "driver/compile_flags.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <system_error>
#include <utility>

namespace cui::driver {
namespace {

struct Spelling {
  std::string_view nvcc, clang;
};
/// Flags with an operand, which may be joined, follow `=` or be the next argument.
constexpr std::array<Spelling, 16> withOperand{{{"--include-path", "-I"},
                                                {"--define-macro", "-D"},
                                                {"--undefine-macro", "-U"},
                                                {"--system-include", "-isystem"},
                                                {"--pre-include", "-include"},
                                                {"-isystem", "-isystem"},
                                                {"-iquote", "-iquote"},
                                                {"-idirafter", "-idirafter"},
                                                {"-imacros", "-imacros"},
                                                {"-include", "-include"},
                                                {"-I", "-I"},
                                                {"-D", "-D"},
                                                {"-U", "-U"},
                                                {"--std", "-std"},
                                                {"-std", "-std"},
                                                {"-ffile-prefix-map", ""}}};
/// Flags we ignore whose operand is the next argument.
constexpr std::array<std::string_view, 13> ignoredOperand{
    "-o",       "-x",       "-MF",           "-MT",   "-MQ", "-Xcompiler", "-Xptxas",
    "-Xlinker", "-Xcudafe", "-maxrregcount", "-odir", "-t",  "--threads"};

/// Flags for which nvcc defines a macro.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> withMacro{
    {{"--extended-lambda", "__CUDACC_EXTENDED_LAMBDA__"},
     {"-extended-lambda", "__CUDACC_EXTENDED_LAMBDA__"},
     {"--expt-extended-lambda", "__CUDACC_EXTENDED_LAMBDA__"},
     {"-expt-extended-lambda", "__CUDACC_EXTENDED_LAMBDA__"},
     {"--device-debug", "__CUDACC_DEBUG__"},
     {"-G", "__CUDACC_DEBUG__"}}};

/// "sm_80" from `compute_80`, `sm_80,code=…`, `arch=compute_80,code=sm_80`; "" without one.
std::string architectureIn(std::string_view text) {
  for (const std::string_view prefix : {std::string_view("compute_"), std::string_view("sm_")}) {
    const auto at = text.find(prefix);
    if (at == std::string_view::npos) continue;
    std::size_t end = at + prefix.size();
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))) ++end;
    return "sm_" + std::string(text.substr(at + prefix.size(), end - at - prefix.size()));
  }
  return "";
}

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::vector<std::string> operandsOf(std::initializer_list<std::string_view> options,
                                    const std::vector<std::string>& flags) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 1 < flags.size(); ++i)
    if (std::find(options.begin(), options.end(), flags[i]) != options.end()) names.push_back(flags[++i]);
  return names;
}

}  // namespace

std::vector<std::string> CompileFlags::forced() const {
  return operandsOf({"-include"}, clang);
}
std::vector<std::string> CompileFlags::folders() const {
  return operandsOf({"-I"}, clang);
}
std::vector<std::string> CompileFlags::searchedFolders() const {
  return operandsOf({"-I", "-isystem", "-iquote", "-idirafter"}, clang);
}

CompileFlags readCompileFlags(const std::vector<std::string>& flags) {
  CompileFlags result;
  std::vector<std::string> named;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string_view flag = flags[i];
    const auto operand = [&](std::size_t length) -> std::string {
      if (flag.size() > length) return std::string(flag.substr(flag[length] == '=' ? length + 1 : length));
      return i + 1 < flags.size() ? flags[++i] : std::string();
    };
    if (flag == "-rdc=true" || flag == "--relocatable-device-code=true" || flag == "-dc" ||
        flag == "--device-c") {
      result.relocatable = true;
    } else if (flag == "-rdc" || flag == "--relocatable-device-code") {
      result.relocatable = operand(flag.size()) == "true";
    } else if (flag == "--expt-relaxed-constexpr" || flag == "-expt-relaxed-constexpr") {
      result.relaxedConstexpr = true;
    } else if (startsWith(flag, "-arch") || startsWith(flag, "--gpu-architecture") ||
               startsWith(flag, "-gencode") || startsWith(flag, "--generate-code")) {
      const auto equals = flag.find('=');
      const std::string value = operand(equals == std::string_view::npos ? flag.size() : equals);
      const std::string found = architectureIn(value);
      if (found.empty() && value != "default") continue;
      named.push_back(found);
    } else if (startsWith(flag, "-ccbin") || startsWith(flag, "--compiler-bindir")) {
      const auto equals = flag.find('=');
      result.hostIsClang =
          operand(equals == std::string_view::npos ? flag.size() : equals).find("clang") != std::string::npos;
    } else {
      for (const auto& [option, macro] : withMacro)
        if (flag == option) result.nvccMacros.emplace_back(macro);
      for (const auto& ignored : ignoredOperand)
        if (flag == ignored) ++i;
      for (const auto& [nvcc, clang] : withOperand) {
        if (!startsWith(flag, nvcc)) continue;
        const std::string value = operand(nvcc.size());
        if (clang == "-std") {
          result.clang.push_back("-std=" + value);
          result.hasStandard = true;
        } else if (!clang.empty()) {
          result.clang.emplace_back(clang);
          result.clang.push_back(value);
        }
        break;
      }
    }
  }
  if (!named.empty()) result.architecture = named.back();
  for (const std::string& other : named)
    if (other != result.architecture &&
        std::find(result.others.begin(), result.others.end(), other) == result.others.end())
      result.others.push_back(other);
  if (result.relocatable) result.nvccMacros.emplace_back("__CUDACC_RDC__");
  return result;
}

void leaveFolders(CompileFlags& flags, const std::vector<std::string>& searchedAnyway) {
  std::vector<std::string> kept;
  kept.reserve(flags.clang.size());
  for (std::size_t i = 0; i < flags.clang.size(); ++i) {
    const bool searches = flags.clang[i] == "-I" || flags.clang[i] == "-isystem";
    if (searches && i + 1 < flags.clang.size() &&
        std::any_of(searchedAnyway.begin(), searchedAnyway.end(), [&](const std::string& folder) {
          std::error_code notThere;
          return std::filesystem::equivalent(folder, flags.clang[i + 1], notThere);
        })) {
      ++i;
      continue;
    }
    kept.push_back(flags.clang[i]);
  }
  flags.clang = std::move(kept);
}

}  // namespace cui::driver
