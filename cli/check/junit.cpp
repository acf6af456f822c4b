// Results of checks as JUnit XML, which CI services show as tests.

#include <algorithm>

#include "cli/base/format_text.h"
#include "cli/base/markup.h"
#include "cli/check/check.h"

namespace cui::cli {
namespace {

/// XML 1.0 has no place for most control characters, not even escaped.
std::string escaped(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return escapedForMarkup(text);
}

}  // namespace

std::string checksAsJUnit(const std::vector<CheckResult>& results) {
  const auto failures =
      std::count_if(results.begin(), results.end(), [](const CheckResult& result) { return !result.passed; });
  std::string xml = formatText(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{0}\" failures=\"{1}\">\n"
      "  <testsuite name=\"cuinstrument\" tests=\"{0}\" failures=\"{1}\" errors=\"0\" skipped=\"0\">\n",
      results.size(), failures);
  for (const CheckResult& result : results) {
    const db::Place& place = result.place;
    std::string name = result.check->name;
    if (!result.assertion.empty() && name != result.assertion) name += ": " + result.assertion;
    if (place.line != 0) name += formatText(" [{}:{} {}]", place.file, place.line, place.expression);
    const std::string suite = place.function.empty() ? "trace" : place.function;
    xml += formatText("    <testcase classname=\"{}\" name=\"{}\"", escaped(suite), escaped(name));
    if (place.line != 0) xml += formatText(" file=\"{}\" line=\"{}\"", escaped(place.file), place.line);
    if (result.passed) {
      xml += "/>\n";
      continue;
    }
    xml += formatText(">\n      <failure type=\"{}\" message=\"{}\">{}:{}</failure>\n    </testcase>\n",
                      result.assertion.empty() ? "check" : escaped(result.assertion), escaped(result.message),
                      escaped(result.check->originFile), result.check->originLine);
  }
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace cui::cli
