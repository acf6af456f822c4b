// Failed checks as SARIF.
#include "cli/base/sarif.h"

#include "cli/check/check.h"

namespace cui::cli {

std::string checksAsSarif(const std::vector<CheckResult>& results,
                          const std::map<std::string, std::string>& absolute, const std::string& root) {
  std::vector<SarifResult> failures;
  for (const CheckResult& result : results) {
    if (result.passed) continue;
    SarifResult failure{result.check->name, result.check->name, "error", result.message, {}, {}, ""};
    if (result.place.line != 0) {
      failure.place = {result.place.file, result.place.line, result.place.column, ""};
      if (result.place.siteId != 0)
        failure.fingerprint = std::to_string(result.place.siteId) + ":" + result.assertion;
    } else {
      failure.place = {result.check->originFile, result.check->originLine, 0, ""};
    }
    failures.push_back(std::move(failure));
  }
  return sarifLog(failures, absolute, root);
}

}  // namespace cui::cli
