// Checks from a TOML file.

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <array>
#include <fstream>

#include "cli/base/errors.h"
#include "cli/base/format_text.h"
#include "cli/check/check.h"

namespace cui::cli {
namespace {

[[noreturn]] void refuse(const std::string& path, const toml::source_region& where, const std::string& what) {
  throw Error(ExitCode::usage, formatText("{}:{}: {}", path, where.begin.line, what));
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  Check read(const toml::table& table) {
    Check check;
    check.originFile = path_;
    check.originLine = table.source().begin.line;
    for (const auto& [key, value] : table) member(check, key, value);
    if (check.assertions.empty()) refuse(path_, table.source(), "a check without assert = \"…\"");
    for (const Assertion& assertion : check.assertions)
      if (isFindingCount(assertion.metric) == check.analyses.empty())
        refuse(path_, table.source(),
               check.analyses.empty()
                   ? assertion.metric + " are counted of an analysis: add analysis = \"…\""
                   : "of an analysis, findings, problems and warnings are counted, not " + assertion.metric);
    if (check.name.empty()) check.name = check.assertions.front().text;
    return check;
  }

 private:
  std::string text(const toml::key& key, const toml::node& value) {
    if (!value.is_string()) refuse(path_, value.source(), formatText("{} must be a text", key.str()));
    return value.as_string()->get();
  }

  std::vector<std::string> texts(const toml::key& key, const toml::node& value) {
    if (!value.is_array()) return {text(key, value)};
    std::vector<std::string> list;
    for (const toml::node& each : *value.as_array()) list.push_back(text(key, each));
    return list;
  }

  bool flag(const toml::key& key, const toml::node& value) {
    if (!value.is_boolean()) refuse(path_, value.source(), formatText("{} must be true or false", key.str()));
    return value.as_boolean()->get();
  }

  void member(Check& check, const toml::key& key, const toml::node& value) {
    const std::pair<std::string_view, std::string*> selectors[] = {
        {"name", &check.name},         {"function", &check.sites.function},
        {"file", &check.sites.file},   {"expression", &check.sites.expression},
        {"array", &check.sites.array}, {"kind", &check.sites.kind},
        {"space", &check.sites.space}};
    for (const auto& [name, target] : selectors)
      if (key.str() == name) {
        *target = text(key, value);
        return;
      }
    if (key.str() == "line") {
      const auto line = value.value<std::int64_t>();
      if (!line || *line < 1) refuse(path_, value.source(), "line must be a line number");
      check.sites.line = static_cast<std::uint32_t>(*line);
    } else if (key.str() == "optional") {
      check.optional = flag(key, value);
    } else if (key.str() == "per") {
      const std::string per = text(key, value);
      if (per != "site" && per != "total") refuse(path_, value.source(), "per must be \"site\" or \"total\"");
      check.total = per == "total";
    } else if (key.str() == "analysis") {
      check.analyses = texts(key, value);
      for (const std::string& name : check.analyses)
        if (!db::findAnalysis(name)) refuse(path_, value.source(), formatText("no analysis '{}'", name));
    } else if (key.str() == "assert") {
      for (const std::string& assertion : texts(key, value))
        if (const std::string problem = parseAssertions(assertion, check.assertions); !problem.empty())
          refuse(path_, value.source(), problem);
    } else {
      refuse(path_, key.source(),
             formatText(
                 "unknown key '{}'; a check has name, function, file, line, expression, array, kind, space, "
                 "analysis, per, optional, assert",
                 key.str()));
    }
  }

  const std::string& path_;
};

}  // namespace

void readChecks(const std::string& path, std::vector<Check>& checks) {
  std::ifstream file(path);
  if (!file) throw Error(ExitCode::io, path + ": cannot be read");
  toml::table document;
  try {
    document = toml::parse(file, path);
  } catch (const toml::parse_error& error) {
    refuse(path, error.source(), std::string(error.description()));
  }
  for (const auto& [key, value] : document) {
    if (key.str() != "check" || !value.is_array_of_tables())
      refuse(path, key.source(), formatText("unknown '{}'; the file holds [[check]] tables", key.str()));
    for (const toml::node& each : *value.as_array()) checks.push_back(Reader(path).read(*each.as_table()));
  }
  if (checks.empty()) throw Error(ExitCode::usage, path + ": no [[check]] in it");
}

}  // namespace cui::cli
