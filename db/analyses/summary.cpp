// summary: what was traced, what was not, and what was lost.
#include "db/analyses/site_rows.h"
#include "db/store/skipped_sites.h"

namespace cui::db {

namespace {

Finding line(Finding::Severity severity, std::string verdict, std::string suggestion = "") {
  Finding finding;
  finding.severity = severity;
  finding.verdict = std::move(verdict);
  finding.suggestion = std::move(suggestion);
  return finding;
}

}  // namespace

Error summary(const TraceReader& reader, const AnalysisOptions&, std::vector<Finding>& findings) {
  using Severity = Finding::Severity;
  Error error;
  const auto number = [&](const char* name, const char* sql) {
    Error failure;
    const auto value = static_cast<double>(reader.integer(sql, failure));
    if (failure && !error) error = failure;
    return std::pair<std::string, double>(name, value);
  };
  Finding totals;
  totals.numbers = {number("launches", "SELECT count(*) FROM launch"),
                    number("kernels", "SELECT count(DISTINCT kernel) FROM launch"),
                    number("allocations", "SELECT count(*) FROM allocation"),
                    number("sites", "SELECT count(*) FROM site WHERE status = 'instrumented'"),
                    number("sites_run", "SELECT count(DISTINCT site_id) FROM site_metric"),
                    number("skipped_sites", "SELECT count(*) FROM site WHERE status = 'skipped'"),
                    number("requests", "SELECT total(requests) FROM site_metric"),
                    number("thread_accesses", "SELECT total(thread_accesses) FROM site_metric"),
                    number("bytes", "SELECT total(bytes) FROM site_metric")};
  const auto value = [&totals](std::size_t index) { return totals.numbers[index].second; };
  totals.verdict = formatted(
      "launches: %.0f (kernels: %.0f), allocations: %.0f; %.0f of %.0f instrumented sites ran; warp "
      "accesses: "
      "%.0f, thread accesses: %.0f, bytes: %.0f",
      value(0), value(1), value(2), value(4), value(3), value(6), value(7), value(8));
  findings.push_back(std::move(totals));

  const auto each = [&](const char* sql, const std::function<void(Row)>& action) {
    const Error failure = reader.query(sql, [&](Row row) {
      action(row);
      return true;
    });
    if (failure && !error) error = failure;
  };
  each("SELECT reason, count(*) FROM site WHERE status = 'skipped' GROUP BY reason ORDER BY 2 DESC, 1",
       [&](Row row) {
         findings.push_back(line(Severity::warning, formatted("%lld sites are not instrumented: %s",
                                                              static_cast<long long>(asInteger(row[1])),
                                                              asText(row[0]).c_str())));
       });
  for (const char* sentences : {launchesNotInstrumented, launchesWithSkippedSites})
    each(sentences, [&](Row row) { findings.push_back(line(Severity::warning, asText(row[0]))); });
  each("SELECT kernel, error_name, count(*) FROM launch WHERE error <> 0 GROUP BY 1, 2 ORDER BY 3 DESC",
       [&](Row row) {
         findings.push_back(
             line(Severity::problem,
                  formatted("%lld launches of %s were refused: %s", static_cast<long long>(asInteger(row[2])),
                            asText(row[0]).c_str(), asText(row[1]).c_str())));
       });
  each(
      "SELECT name, severity, sum(value), detail FROM trace_stat GROUP BY name, severity ORDER BY severity, "
      "name",
      [&](Row row) {
        const std::string severity = asText(row[1]);
        const std::string text = formatted("%s: %lld (%s)", asText(row[0]).c_str(),
                                           static_cast<long long>(asInteger(row[2])), asText(row[3]).c_str());
        findings.push_back(severity == "info" ? line(Severity::info, text)
                                              : line(Severity::problem, severity + ": " + text,
                                                     "the numbers below are incomplete"));
      });
  if (!reader.complete())
    findings.push_back(line(Severity::problem,
                            "the program did not close the trace (it is running or was killed)",
                            "what was recorded after the last flush is missing"));
  return error;
}

}  // namespace cui::db
