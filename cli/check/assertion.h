// `sectors_per_request <= 4`: what a check asserts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cui::cli {

struct Assertion {
  enum class Operator { less, lessOrEqual, equal, notEqual, greaterOrEqual, greater };
  std::string metric;
  Operator comparison = Operator::equal;
  double limit = 0;
  std::string text;  ///< as written, blanks normalised

  bool holds(double value) const;
};

/// A metric of sites (metrics.def), or a count of an analysis's findings.
struct CheckMetric {
  const char* name;
  const char* sql;
};
std::span<const CheckMetric> siteMetrics();
const CheckMetric* findSiteMetric(std::string_view name);
/// findings, problems, warnings
bool isFindingCount(std::string_view name);

/// One or more assertions, separated by commas. "" or what is wrong with them.
std::string parseAssertions(std::string_view text, std::vector<Assertion>& assertions);

}  // namespace cui::cli
