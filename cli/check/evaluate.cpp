// Evaluating checks: one SQL question for each, or the findings of analyses.
#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "cli/base/errors.h"
#include "cli/base/format_text.h"
#include "cli/check/check.h"
#include "cli/trace/open.h"

namespace cui::cli {
namespace {

bool fits(const std::string& pattern, const std::string& text) {
  return pattern.empty() || pattern == text || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/// A file fits by its whole path or by its end: `kernels/scale.cu`.
bool fitsFile(const std::string& pattern, const std::string& path) {
  return fits(pattern, path) || fits("*/" + pattern, path);
}

struct KnownSite : db::Place {
  std::string kind, space;
  std::uint32_t endLine = 0;
};

bool fits(const SiteSelector& selector, const KnownSite& site) {
  return fits(selector.function, site.function) && fitsFile(selector.file, site.file) &&
         (selector.line == 0 || (selector.line >= site.line && selector.line <= site.endLine)) &&
         fits(selector.expression, site.expression) && fits(selector.array, site.base) &&
         fits(selector.kind, site.kind) && fits(selector.space, site.space);
}

/// 4, 31.5, 0.333333
std::string number(double value) {
  return formatText("{:g}", value);
}

class Evaluator {
 public:
  Evaluator(const db::TraceReader& trace, const db::AnalysisOptions& options)
      : trace_(trace), options_(options) {
    throwIf(trace.query(
        "SELECT site_id, function, file, line, end_line, column, expression, base, kind, space FROM site "
        "WHERE status = 'instrumented' ORDER BY file, line, column, site_id",
        [&](db::Row row) {
          KnownSite site;
          site.siteId = db::asInteger(row[0]);
          site.function = db::asText(row[1]);
          site.file = db::asText(row[2]);
          site.line = static_cast<std::uint32_t>(db::asInteger(row[3]));
          site.endLine = static_cast<std::uint32_t>(db::asInteger(row[4]));
          site.column = static_cast<std::uint32_t>(db::asInteger(row[5]));
          site.expression = db::asText(row[6]);
          site.base = db::asText(row[7]);
          site.kind = db::asText(row[8]);
          site.space = db::asText(row[9]);
          sites_.push_back(std::move(site));
          return true;
        }));
  }

  void run(const Check& check, std::vector<CheckResult>& results) {
    if (!check.analyses.empty()) return countFindings(check, results);
    std::vector<const KnownSite*> chosen;
    for (const KnownSite& site : sites_)
      if (fits(check.sites, site)) chosen.push_back(&site);
    if (chosen.empty() && !check.optional)
      results.push_back({&check, "", false, "no instrumented access fits this check", {}});
    if (chosen.empty()) return;
    for (const Assertion& assertion : check.assertions) assertOf(check, assertion, chosen, results);
  }

 private:
  void assertOf(const Check& check, const Assertion& assertion, const std::vector<const KnownSite*>& chosen,
                std::vector<CheckResult>& results) {
    bool applied = false;
    const auto one = [&](const std::vector<const KnownSite*>& sites) {
      double value = 0;
      if (!measure(assertion, sites, value)) return;
      applied = true;
      CheckResult result{&check, assertion.text, assertion.holds(value), "", {}};
      result.message = formatText("{} is {}, expected {}", assertion.metric, number(value),
                                  assertion.text.substr(assertion.metric.size() + 1));
      if (sites.size() == 1) {
        result.place = *sites[0];
        result.message = formatText("{}: {}", sites[0]->expression, result.message);
      }
      results.push_back(std::move(result));
    };
    if (check.total)
      one(chosen);
    else
      for (const KnownSite* site : chosen) one({site});
    if (!applied && !check.optional)
      results.push_back(
          {&check, assertion.text, false,
           formatText("{} has no value: none of the {} accesses that fit ran, or it does not apply to "
                      "their memory space",
                      assertion.metric, chosen.size()),
           *chosen[0]});
  }

  /// False: the metric does not apply to these sites, or they did not run.
  bool measure(const Assertion& assertion, const std::vector<const KnownSite*>& sites, double& value) {
    std::string ids;
    for (const KnownSite* site : sites) ids += (ids.empty() ? "" : ",") + std::to_string(site->siteId);
    bool known = false;
    throwIf(
        trace_.query(formatText("SELECT {} FROM site_metric WHERE site_id IN ({}) HAVING sum(requests) > 0",
                                findSiteMetric(assertion.metric)->sql, ids),
                     [&](db::Row row) {
                       known = !db::isNull(row[0]);
                       value = db::asReal(row[0]);
                       return false;
                     }));
    return known;
  }

  const db::AnalysisResult& resultOf(const std::string& analysis) {
    const auto known = results_.find(analysis);
    if (known != results_.end()) return known->second;
    const db::Analysis* const one[] = {db::findAnalysis(analysis)};
    std::vector<db::AnalysisResult> found;
    throwIf(db::runAnalyses(one, trace_, options_, found));
    return results_[analysis] = std::move(found[0]);
  }

  KnownSite knownSite(const db::Place& place) const {
    const auto site = std::find_if(sites_.begin(), sites_.end(),
                                   [&](const KnownSite& each) { return each.siteId == place.siteId; });
    KnownSite known;  // of a finding that is about no site
    if (site != sites_.end())
      known = *site;
    else
      static_cast<db::Place&>(known) = place;
    if (known.endLine == 0) known.endLine = known.line;
    return known;
  }

  void countFindings(const Check& check, std::vector<CheckResult>& results) {
    std::vector<const db::Finding*> chosen;
    for (const std::string& analysis : check.analyses) {
      const db::AnalysisResult& result = resultOf(analysis);
      if (!result.looked) {  // that there are no findings says nothing
        for (const Assertion& assertion : check.assertions)
          results.push_back(
              {&check, assertion.text, false, analysis + " " + result.findings.at(0).verdict, {}});
        return;
      }
      for (const db::Finding& finding : result.findings) {
        // A race has two sides, and the fields of a structure are one finding.
        const auto meant = [&](const db::Place& place) { return fits(check.sites, knownSite(place)); };
        if (meant(finding) || std::any_of(finding.related.begin(), finding.related.end(), meant))
          chosen.push_back(&finding);
      }
    }
    for (const Assertion& assertion : check.assertions) {
      using Severity = db::Finding::Severity;
      const auto counts = [&](const db::Finding* finding) {
        return assertion.metric == "findings"   ? finding->severity != Severity::info
               : assertion.metric == "problems" ? finding->severity == Severity::problem
                                                : finding->severity == Severity::warning;
      };
      const auto count = std::count_if(chosen.begin(), chosen.end(), counts);
      const bool holds = assertion.holds(static_cast<double>(count));
      const std::string message = formatText("{} is {}, expected {}", assertion.metric, count,
                                             assertion.text.substr(assertion.metric.size() + 1));
      if (holds || count == 0) {
        results.push_back({&check, assertion.text, holds, message, {}});
        continue;
      }
      for (const db::Finding* finding : chosen)
        if (counts(finding)) results.push_back({&check, assertion.text, false, finding->verdict, *finding});
    }
  }

  const db::TraceReader& trace_;
  const db::AnalysisOptions& options_;
  std::vector<KnownSite> sites_;
  std::map<std::string, db::AnalysisResult> results_;  ///< of analyses, by name
};

}  // namespace

std::vector<CheckResult> evaluateChecks(const db::TraceReader& trace, const std::vector<Check>& checks,
                                        const db::AnalysisOptions& options) {
  std::vector<CheckResult> results;
  Evaluator evaluator(trace, options);
  for (const Check& check : checks) {
    const std::size_t first = results.size();
    const auto begin = std::chrono::steady_clock::now();
    evaluator.run(check, results);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    for (std::size_t i = first; i < results.size(); ++i)
      results[i].seconds = taken.count() / static_cast<double>(results.size() - first);
  }
  return results;
}

}  // namespace cui::cli
