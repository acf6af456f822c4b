// From an nvcc or C++ compiler's flags to those Clang needs to parse the same text.
#pragma once

#include <string>
#include <vector>

namespace cui::driver {

struct CompileFlags {
  std::vector<std::string> clang;       ///< -I -D -U -isystem -iquote -idirafter -include -std
  std::vector<std::string> nvccMacros;  ///< what nvcc defines because of a flag
  std::string architecture = "sm_90";   ///< "": nvcc's own, of a line that names none (`-arch=default`)
  std::vector<std::string> others;      ///< that the line names in front of it, each once
  bool relocatable = false;             ///< -rdc=true or -dc
  bool relaxedConstexpr = false;        ///< constexpr functions are callable from device code
  bool hasStandard = false;
  bool hostIsClang = false;  ///< -ccbin names one

  std::vector<std::string> forced() const;           ///< what -include names
  std::vector<std::string> folders() const;          ///< what -I names
  std::vector<std::string> searchedFolders() const;  ///< what all options name that say where to look
};

/// Flags that do not change what the text means are left out.
CompileFlags readCompileFlags(const std::vector<std::string>& flags);

/// Without -I and -isystem of folders that are searched anyway, by whatever name they go: of a Makefile's
/// `-I` of the toolkit's folder all its headers would be the user's, and each have a name of the toolkit's.
void leaveFolders(CompileFlags& flags, const std::vector<std::string>& searchedAnyway);

}  // namespace cui::driver
