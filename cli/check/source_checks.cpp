// Checks from comments in the source: `x = in[i];  // cui: sectors_per_request <= 4`.

#include "cli/base/errors.h"
#include "cli/base/format_text.h"
#include "cli/check/check.h"
#include "cli/trace/source_text.h"

namespace cui::cli {
namespace {

constexpr std::string_view marker = "cui:";

/// Where a line comment starts that is no part of a literal; npos: nowhere.
std::size_t lineComment(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '/' && i + 1 < line.size() && line[i + 1] == '/') {
      return i;
    }
  }
  return std::string_view::npos;
}

bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

class SourceReader {
 public:
  /// `path`: as sites name the file.
  SourceReader(const std::string& path, std::vector<Check>& checks) : path_(path), checks_(checks) {}

  void read(std::string_view text) {
    std::uint32_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      line(text.substr(begin, end - begin), ++number);
      begin = end + 1;
    }
    if (!waiting_.empty())
      throw Error(ExitCode::usage,
                  formatText("{}:{}: no code follows this check", path_, waiting_.front().originLine));
  }

 private:
  void line(std::string_view text, std::uint32_t number) {
    const std::size_t comment = lineComment(text);
    const bool code = !isBlank(text.substr(0, comment));
    if (code) {  // what stood on lines of its own is about this one
      for (Check& check : waiting_) {
        check.sites.line = number;
        checks_.push_back(std::move(check));
      }
      waiting_.clear();
    }
    if (comment == std::string_view::npos) return;
    std::string_view words = text.substr(comment + 2);
    words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
    if (words.substr(0, marker.size()) != marker) return;
    Check check;
    check.originFile = path_;
    check.originLine = number;
    check.sites.file = path_;
    check.sites.line = number;
    if (const std::string problem = parseAssertions(words.substr(marker.size()), check.assertions);
        !problem.empty())
      throw Error(ExitCode::usage, formatText("{}:{}: {}", path_, number, problem));
    for (const Assertion& assertion : check.assertions) {
      if (isFindingCount(assertion.metric))
        throw Error(ExitCode::usage, formatText("{}:{}: {} can be asserted in a file of checks only", path_,
                                                number, assertion.metric));
      check.name += (check.name.empty() ? "" : ", ") + assertion.text;
    }
    (code ? checks_ : waiting_).push_back(std::move(check));
  }

  const std::string& path_;
  std::vector<Check>& checks_;
  std::vector<Check> waiting_;
};

}  // namespace

void readSourceChecks(const db::TraceReader& trace, std::vector<Check>& checks,
                      std::vector<std::string>& missing) {
  for (const SourceFile& source : sourceFiles(trace)) {
    std::string text;
    const SourceState state = readSource(source, text);
    if (state == SourceState::missing) {
      missing.push_back(source.absolutePath);
      continue;
    }
    if (state == SourceState::changed)
      throw Error(ExitCode::io,
                  source.absolutePath +
                      ": is not the file the program was built from; build and run it again, or use "
                      "--no-source");
    SourceReader(source.path, checks).read(text);
  }
}

}  // namespace cui::cli
