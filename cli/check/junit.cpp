// Results of checks as JUnit XML, which CI services show as tests. Valid against both published schemas,
// Ant's (JUnit.xsd, which wants a time everywhere, the host and three empty elements) and Jenkins'
// (junit-10.xsd, which has no place for a test's file and line: they are in its name).
#include <unistd.h>

#include <algorithm>
#include <ctime>

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

std::string hostName() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "localhost";
}

/// UTC; the schema allows no time zone.
std::string timeText(std::time_t time) {
  std::tm parts = {};
  gmtime_r(&time, &parts);
  return formatText("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                    parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string testCase(const CheckResult& result) {
  const db::Place& place = result.place;
  std::string name = result.check->name, where;
  if (!result.assertion.empty() && name != result.assertion) name += ": " + result.assertion;
  if (place.line != 0) where = formatText("{}:{} {}", place.file, place.line, place.expression);
  if (!where.empty()) name += " [" + where + "]";
  const std::string suite = place.function.empty() ? "trace" : place.function;
  std::string xml = formatText("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(suite),
                               escaped(name), result.seconds);
  if (result.passed) return xml + "/>\n";
  std::string detail = where;
  if (!result.check->originFile.empty()) {
    if (!detail.empty()) detail += ", ";
    detail += formatText("checked by {}:{}", result.check->originFile, result.check->originLine);
  }
  return xml + formatText(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                          result.assertion.empty() ? "check" : escaped(result.assertion),
                          escaped(result.message), escaped(detail));
}

}  // namespace

std::string checksAsJUnit(const std::vector<CheckResult>& results, std::time_t begin) {
  const auto failures =
      std::count_if(results.begin(), results.end(), [](const CheckResult& result) { return !result.passed; });
  double seconds = 0;
  for (const CheckResult& result : results) seconds += result.seconds;
  std::string xml = formatText(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"cuinstrument\" package=\"cuinstrument\" id=\"0\" tests=\"{}\" failures=\"{}\" "
      "errors=\"0\" "
      "skipped=\"0\" time=\"{:.3f}\" timestamp=\"{}\" hostname=\"{}\">\n    <properties/>\n",
      results.size(), failures, seconds, timeText(begin), escaped(hostName()));
  for (const CheckResult& result : results) xml += testCase(result);
  return xml + "    <system-out/>\n    <system-err/>\n  </testsuite>\n</testsuites>\n";
}

}  // namespace cui::cli
