// A report's problems and warnings as SARIF. What is measured only (severity info) annotates nothing.
#include "cli/base/sarif.h"
#include "cli/trace/report.h"

namespace cui::cli {

std::string reportAsSarif(const Report& report, const std::map<std::string, std::string>& absolute,
                          const std::string& root) {
  std::vector<SarifResult> results;
  for (const ReportSection& section : report.sections)
    for (const ReportedFinding& finding : section.findings) {
      if (finding.severity == db::Finding::Severity::info) continue;
      SarifResult result{section.name, section.title, "warning", finding.verdict, {}, {}, ""};
      if (finding.severity == db::Finding::Severity::problem) result.level = "error";
      if (!finding.expression.empty()) result.message = finding.expression + ": " + result.message;
      for (const std::string* more : {&finding.why, &finding.suggestion})
        if (!more->empty()) result.message += ". " + *more;
      result.place = {finding.file, finding.line, finding.column, ""};
      for (const db::Place& place : finding.related)
        result.related.push_back({place.file, place.line, place.column, place.expression});
      if (finding.siteId != 0) result.fingerprint = std::to_string(finding.siteId) + ":" + section.name;
      results.push_back(std::move(result));
    }
  return sarifLog(results, absolute, root);
}

}  // namespace cui::cli
