// See assertion.h.
#include "cli/check/assertion.h"

#include <array>
#include <charconv>
#include <utility>

#include "cli/base/format_text.h"

namespace cui::cli {
namespace {

using Operator = Assertion::Operator;

constexpr CheckMetric metrics[] = {
#define CUI_CHECK_METRIC(name, sql) {#name, sql},
#include "cli/check/metrics.def"
#undef CUI_CHECK_METRIC
};

// Longer spellings first: "<=" begins with "<".
constexpr std::array<std::pair<std::string_view, Operator>, 6> operators = {{{"<=", Operator::lessOrEqual},
                                                                             {">=", Operator::greaterOrEqual},
                                                                             {"==", Operator::equal},
                                                                             {"!=", Operator::notEqual},
                                                                             {"<", Operator::less},
                                                                             {">", Operator::greater}}};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string parseOne(std::string_view text, Assertion& assertion) {
  const std::size_t at = text.find_first_of("<>=!");
  if (at == std::string_view::npos)
    return formatText("'{}' is no assertion; expected one like sectors_per_request <= 4", text);
  assertion.metric = trimmed(text.substr(0, at));
  if (!findSiteMetric(assertion.metric) && !isFindingCount(assertion.metric)) {
    std::string known;
    for (const CheckMetric& metric : metrics) known += formatText("{}, ", metric.name);
    return formatText("no metric '{}'; there are: {}findings, problems, warnings", assertion.metric, known);
  }
  std::string_view rest = text.substr(at), spelling;
  for (const auto& [name, comparison] : operators) {
    if (rest.substr(0, name.size()) != name) continue;
    spelling = name;
    assertion.comparison = comparison;
    break;
  }
  if (spelling.empty())
    return formatText("'{}': expected <, <=, ==, !=, >= or > after {}", text, assertion.metric);
  const std::string_view number = trimmed(rest.substr(spelling.size()));
  const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), assertion.limit);
  if (failure != std::errc() || end != number.data() + number.size())
    return formatText("'{}': '{}' is not a number", text, number);
  assertion.text = formatText("{} {} {}", assertion.metric, spelling, number);
  return {};
}

}  // namespace

std::span<const CheckMetric> siteMetrics() {
  return metrics;
}

const CheckMetric* findSiteMetric(std::string_view name) {
  for (const CheckMetric& metric : metrics)
    if (name == metric.name) return &metric;
  return nullptr;
}

bool isFindingCount(std::string_view name) {
  return name == "findings" || name == "problems" || name == "warnings";
}

bool Assertion::holds(double value) const {
  switch (comparison) {
    case Operator::less:
      return value < limit;
    case Operator::lessOrEqual:
      return value <= limit;
    case Operator::equal:
      return value == limit;
    case Operator::notEqual:
      return value != limit;
    case Operator::greaterOrEqual:
      return value >= limit;
    case Operator::greater:
      return value > limit;
  }
  return false;
}

std::string parseAssertions(std::string_view text, std::vector<Assertion>& assertions) {
  if (trimmed(text).empty()) return "nothing is asserted; expected something like sectors_per_request <= 4";
  for (;;) {
    const std::size_t comma = text.find(',');
    Assertion assertion;
    if (std::string problem = parseOne(trimmed(text.substr(0, comma)), assertion); !problem.empty())
      return problem;
    assertions.push_back(std::move(assertion));
    if (comma == std::string_view::npos) return {};
    text.remove_prefix(comma + 1);
  }
}

}  // namespace cui::cli
