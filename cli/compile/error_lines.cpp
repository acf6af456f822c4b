// nvcc's front end says `a.cu(12): error: …`, followed for templates by `… at line 7 of b.h`; gcc says
// `a.cu:12:5: error: …` after `a.cu:12:5:   required from here`.
#include "cli/compile/error_lines.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace cui::cli {

std::vector<std::string> errorLines(std::string_view messages) {
  static const std::regex frontEnd(R"(^(.+)\((\d+)\): (?:catastrophic )?error\b.*)");
  static const std::regex instantiated(R"(.*\bat line (\d+)(?: of (.+))?$)");
  static const std::regex compiler(R"(^(.+?):(\d+):\d+:\s+(?:(?:fatal )?error: |required from ).*)");
  std::vector<std::string> lines;
  const auto add = [&](const std::string& file, const std::string& line) {
    std::string name = file + ":" + line;
    if (std::find(lines.begin(), lines.end(), name) == lines.end()) lines.push_back(std::move(name));
  };
  std::istringstream text{std::string(messages)};
  std::string file;  // that the last error was in; "at line 7" alone means this one
  for (std::string line; std::getline(text, line);) {
    std::smatch match;
    if (std::regex_match(line, match, frontEnd)) {
      file = match[1];
      add(file, match[2]);
    } else if (std::regex_match(line, match, compiler)) {
      file.clear();
      add(match[1], match[2]);
    } else if (line.empty()) {
      file.clear();  // what follows may belong to a warning
    } else if (!file.empty() && std::regex_match(line, match, instantiated)) {
      std::string of = match[2].matched ? match[2].str() : file;
      if (of.size() > 1 && of.front() == '"' && of.back() == '"') of = of.substr(1, of.size() - 2);
      add(of, match[1]);
    }
  }
  return lines;
}

}  // namespace cui::cli
