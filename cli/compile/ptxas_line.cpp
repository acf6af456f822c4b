#include "cli/compile/ptxas_line.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace cui::cli {

PtxasLine::PtxasLine(const Words& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    // `-arch sm_90` and `-arch=sm_90`.
    const auto valueOf = [&](std::string_view option) -> std::optional<std::string> {
      if (word == option && i + 1 < words.size()) return words[i + 1];
      if (word.compare(0, option.size(), option) == 0 && word.size() > option.size() &&
          word[option.size()] == '=')
        return word.substr(option.size() + 1);
      return std::nullopt;
    };
    if (word == "-o" && i + 1 < words.size()) {
      output = words[++i];
      continue;
    }
    if (const auto value = valueOf("-arch")) gpu = *value;
    for (const char* option : {"-maxrregcount", "--maxrregcount"})
      if (const auto value = valueOf(option)) maxRegisters = std::strtol(value->c_str(), nullptr, 10);
    if (word.find("-split-compile") <= 1) splits = true;
    if (word == "-c" || word == "--compile-only") relocatable = true;
    if (std::filesystem::path(word).extension() == ".ptx" && word[0] != '-')
      input = word;
    else
      others.push_back(word);
  }
}

}  // namespace cui::cli
