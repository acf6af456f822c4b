// See diff_command.h.
#include "cli/trace/diff_command.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "cli/base/format_text.h"
#include "cli/base/signals.h"
#include "cli/base/terminal.h"
#include "cli/trace/open.h"
#include "cli/trace/report.h"
#include "cli/trace/table.h"
#include "db/analyses/compare.h"

namespace cui::cli {
namespace {

using db::Change;
using db::Traffic;
using Json = nlohmann::ordered_json;

std::string colorOf(Change change) {
  return change == Change::worse ? "31" : change == Change::better ? "32" : "";
}

/// "-87.5 %"
std::string percent(const Traffic& before, const Traffic& after) {
  if (before.cost() == after.cost()) return "";
  if (before.cost() == 0) return "new";
  const double change = 100 * (static_cast<double>(after.cost()) / static_cast<double>(before.cost()) - 1);
  return formatText("{:+.1f} %", change);
}

std::string costs(const Traffic& before, const Traffic& after) {
  const auto text = [](std::uint64_t cost) { return grouped(static_cast<std::int64_t>(cost)); };
  if (before.cost() == after.cost()) return "cost " + text(after.cost());
  return formatText("cost {} -> {}", text(before.cost()), text(after.cost()));
}

std::string describe(const db::SiteDifference& site) {
  std::string text;
  const bool both = site.change != Change::added && site.change != Change::removed;
  const Traffic& before = site.change == Change::added ? site.after : site.before;
  const Traffic& after = site.change == Change::removed ? site.before : site.after;
  if (before.sectorRequests + after.sectorRequests != 0)
    text += "sectors/request " +
            arrow(ratio(before.sectors, before.sectorRequests), ratio(after.sectors, after.sectorRequests)) +
            ", ";
  if (before.wavefrontRequests + after.wavefrontRequests != 0)
    text += "wavefronts/request " +
            arrow(ratio(before.wavefronts, before.wavefrontRequests),
                  ratio(after.wavefronts, after.wavefrontRequests)) +
            ", ";
  if (both && before.requests != after.requests)
    text += formatText("requests {} -> {}, ", grouped(static_cast<std::int64_t>(before.requests)),
                       grouped(static_cast<std::int64_t>(after.requests)));
  text += costs(site.before, site.after);
  if (!site.expressionBefore.empty()) text += ", was " + site.expressionBefore;
  return text;
}

std::string describe(const db::KernelDifference& kernel) {
  if (kernel.matched == 0)  // nothing of it is in the sums
    return counted(static_cast<std::int64_t>(kernel.launchesBefore + kernel.launchesAfter), "launch",
                   "launches");
  std::string text =
      formatText("{} matched", counted(static_cast<std::int64_t>(kernel.matched), "launch", "launches"));
  if (kernel.launchesBefore != kernel.launchesAfter)
    text += formatText(" ({} -> {})", kernel.launchesBefore, kernel.launchesAfter);
  if (kernel.reshaped != 0) text += formatText(", {} with another grid or block", kernel.reshaped);
  text += ", " + costs(kernel.before, kernel.after);
  if (kernel.gpuNsBefore > 0 && kernel.gpuNsAfter > 0)
    text += formatText(", {:.1f} -> {:.1f} us on the device", static_cast<double>(kernel.gpuNsBefore) / 1e3,
                       static_cast<double>(kernel.gpuNsAfter) / 1e3);
  return text;
}

template <class Difference>
std::vector<const Difference*> listed(const std::vector<Difference>& differences,
                                      const DiffRequest& request) {
  std::vector<const Difference*> list;
  for (const Difference& difference : differences)
    if ((request.all || difference.change != Change::same) && list.size() < request.limit)
      list.push_back(&difference);
  return list;
}

void printText(std::ostream& out, const db::Comparison& comparison, const DiffRequest& request) {
  const bool markdown = request.format == "markdown", color = !markdown && outputHasColor();
  const auto print = [&](const char* title, const Table& table) {
    out << (markdown ? "\n## " : "\n") << title << (markdown ? "\n\n" : "\n");
    if (table.empty()) out << (markdown ? "" : "  ") << "no difference\n";
    if (!table.empty() && markdown) table.printMarkdown(out);
    if (!table.empty() && !markdown) table.print(out, outputWidth(), 2, color);
  };
  using Fit = Column::Fit;
  using Align = Column::Align;
  out << (markdown ? "# " : "") << request.before << " -> " << request.after << '\n';
  Table kernels({{"verdict"},
                 {"change", Align::right},
                 {"kernel", Align::left, Fit::shrink},
                 {"what", Align::left, Fit::wrap}});
  for (const db::KernelDifference* kernel : listed(comparison.kernels, request))
    kernels.add({{nameOf(kernel->change), colorOf(kernel->change)},
                 {percent(kernel->before, kernel->after), ""},
                 {kernel->kernel, ""},
                 {describe(*kernel), ""}});
  print("Kernels", kernels);
  Table sites({{"verdict"},
               {"change", Align::right},
               {"where", Align::left, Fit::shrink},
               {"expression", Align::left, Fit::shrink},
               {"kind"},
               {"what", Align::left, Fit::wrap}});
  for (const db::SiteDifference* site : listed(comparison.sites, request))
    sites.add({{nameOf(site->change), colorOf(site->change)},
               {percent(site->before, site->after), ""},
               {formatText("{}:{}", site->file.substr(site->file.rfind('/') + 1), site->line), ""},
               {site->expression, ""},
               {site->kind, ""},
               {describe(*site), ""}});
  print("Sites", sites);
  out << '\n'
      << (comparison.worse()        ? "Worse: see above.\n"
          : comparison.nothingMet() ? "Nothing was compared: the traces have no kernel in common.\n"
                                    : "Nothing got worse.\n");
}

Json toJson(const Traffic& traffic) {
  return {{"requests", traffic.requests},
          {"thread_accesses", traffic.threadAccesses},
          {"bytes", traffic.bytes},
          {"sectors", traffic.sectors},
          {"ideal_sectors", traffic.idealSectors},
          {"wavefronts", traffic.wavefronts},
          {"ideal_wavefronts", traffic.idealWavefronts},
          {"bank_conflicts", traffic.bankConflicts},
          {"sectors_per_request", ratio(traffic.sectors, traffic.sectorRequests)},
          {"wavefronts_per_request", ratio(traffic.wavefronts, traffic.wavefrontRequests)},
          {"cost", traffic.cost()}};
}

void printJson(std::ostream& out, const db::Comparison& comparison, const DiffRequest& request) {
  Json json = {{"before", request.before},
               {"after", request.after},
               {"threshold_percent", request.thresholdPercent},
               {"worse", comparison.worse()},
               {"compared", !comparison.nothingMet()},
               {"kernels", Json::array()},
               {"sites", Json::array()}};
  for (const db::KernelDifference* kernel : listed(comparison.kernels, request))
    json["kernels"].push_back({{"kernel", kernel->kernel},
                               {"change", nameOf(kernel->change)},
                               {"launches_before", kernel->launchesBefore},
                               {"launches_after", kernel->launchesAfter},
                               {"launches_matched", kernel->matched},
                               {"launches_reshaped", kernel->reshaped},
                               {"gpu_ns_before", kernel->gpuNsBefore},
                               {"gpu_ns_after", kernel->gpuNsAfter},
                               {"before", toJson(kernel->before)},
                               {"after", toJson(kernel->after)}});
  for (const db::SiteDifference* site : listed(comparison.sites, request))
    json["sites"].push_back({{"site_id", site->siteId},
                             {"site_id_text", std::to_string(site->siteId)},
                             {"change", nameOf(site->change)},
                             {"file", site->file},
                             {"line", site->line},
                             {"column", site->column},
                             {"function", site->function},
                             {"expression", site->expression},
                             {"expression_before", site->expressionBefore},
                             {"base", site->base},
                             {"kind", site->kind},
                             {"before", toJson(site->before)},
                             {"after", toJson(site->after)}});
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

int runDiff(const DiffRequest& request) {
  const SignalGuard guard;
  const std::unique_ptr<db::TraceReader> before = openTraceAsItIs(request.before),
                                         after = openTraceAsItIs(request.after);
  db::Comparison comparison;
  {
    Progress progress("comparing");
    for (db::TraceReader* trace : {before.get(), after.get()})
      trace->setProgress([&progress] {
        progress.show(0, 0);
        return SignalGuard::pending() != 0;
      });
    throwIf(db::compareTraces(*before, *after, {request.thresholdPercent / 100}, comparison));
  }
  StandardOutput output;
  if (request.format == "json")
    printJson(output.stream(), comparison, request);
  else
    printText(output.stream(), comparison, request);
  output.finish();
  return comparison.worse() || comparison.nothingMet() ? 1 : 0;
}

}  // namespace cui::cli
