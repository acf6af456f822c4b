// See whatif_command.h.
#include "cli/trace/whatif_command.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/base/errors.h"
#include "cli/base/format_text.h"
#include "cli/base/signals.h"
#include "cli/base/terminal.h"
#include "cli/trace/gpus.h"
#include "cli/trace/open.h"
#include "cli/trace/report.h"
#include "cli/trace/table.h"
#include "db/analyses/what_if.h"
#include "db/store/numbers.h"

namespace cui::cli {
namespace {

using Json = nlohmann::ordered_json;
using Kind = db::LayoutChange::Kind;

/// Splits `NAME=value`; the name may hold `::`.
std::pair<std::string, std::string> assignment(const std::string& option, const std::string& word) {
  const std::size_t sign = word.rfind('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == word.size())
    throw Error(ExitCode::usage, formatText("{} {}: expected NAME=VALUE", option, word));
  return {word.substr(0, sign), word.substr(sign + 1)};
}

std::uint64_t count(const std::string& option, const std::string& word, std::string_view digits) {
  constexpr std::uint64_t most = 1u << 30;
  const std::optional<std::uint64_t> number = db::parseNumber(digits);
  if (!number || *number == 0 || *number > most)
    throw Error(ExitCode::usage, formatText("{} {}: '{}' is not a number of elements", option, word, digits));
  return *number;
}

db::LayoutChange& changeOf(std::vector<db::LayoutChange>& changes, Kind kind, const std::string& name) {
  for (const db::LayoutChange& change : changes)
    if (change.name == name) throw Error(ExitCode::usage, "two changes of " + name + ": try one at a time");
  changes.emplace_back();
  changes.back().kind = kind;
  changes.back().name = name;
  return changes.back();
}

std::vector<db::LayoutChange> changesOf(const WhatIfRequest& request) {
  std::vector<db::LayoutChange> changes;
  for (const std::string& word : request.pad) {
    const auto [name, value] = assignment("--pad", word);
    const std::string_view digits = std::string_view(value).substr(value[0] == '+' ? 1 : 0);
    changeOf(changes, Kind::pad, name).padElements = count("--pad", word, digits);
  }
  for (const std::string& word : request.layout) {
    const auto [name, value] = assignment("--layout", word);
    if (value != "soa") throw Error(ExitCode::usage, formatText("--layout {}: there is only soa", word));
    changeOf(changes, Kind::structOfArrays, name);
  }
  for (const std::string& name : request.swap) changeOf(changes, Kind::swapIndices, name);
  for (const std::string& word : request.row) {
    const auto [name, value] = assignment("--row", word);
    bool used = false;
    for (db::LayoutChange& change : changes)
      if (change.name == name) {
        change.rowElements = count("--row", word, value);
        used = true;
      }
    if (!used) throw Error(ExitCode::usage, formatText("--row {}: nothing changes {}", word, name));
  }
  if (changes.empty() && request.cache.empty())
    throw Error(ExitCode::usage, "what if what? Give --pad, --layout, --swap-index or --cache");
  return changes;
}

std::string perRequest(const db::WhatIfSite& site) {
  if (site.before.wavefrontRequests != 0)
    return arrow(ratio(site.before.wavefronts, site.before.wavefrontRequests),
                 ratio(site.after.wavefronts, site.after.wavefrontRequests)) +
           " wavefronts";
  if (site.before.sectorRequests != 0)
    return arrow(ratio(site.before.sectors, site.before.sectorRequests),
                 ratio(site.after.sectors, site.after.sectorRequests)) +
           " sectors";
  return "";
}

std::string hitRates(const db::CacheTraffic& traffic) {
  return formatText("L1 {:.1f} %, L2 {:.1f} %", 100 * traffic.l1HitRate(), 100 * traffic.l2HitRate());
}

constexpr std::uint64_t sectorBytes = 32;

void printKernels(std::ostream& out, const db::WhatIf& result, const WhatIfRequest& request, bool changed) {
  Table table({{"kernel", Column::Align::left, Column::Fit::shrink},
               {"launches", Column::Align::right},
               {"hit rates"},
               {"DRAM sectors", Column::Align::right}});
  for (std::size_t i = 0; i < result.kernels.size() && i < request.limit; ++i) {
    const db::WhatIfKernel& kernel = result.kernels[i];
    const std::string before = hitRates(kernel.cacheBefore);
    table.add({{kernel.kernel, ""},
               {std::to_string(kernel.launches), ""},
               {changed ? before + " -> " + hitRates(kernel.cacheAfter) : before, ""},
               {arrow(kernel.cacheBefore.dram, kernel.cacheAfter.dram), ""}});
  }
  out << '\n';
  table.print(out, outputWidth(), 2, outputHasColor());
  out << '\n';
}

/// `gpu`: whose caches were simulated; null: none.
void printText(std::ostream& out, const db::WhatIf& result, const WhatIfRequest& request,
               const db::GpuPreset* gpu) {
  for (const db::WhatIfObject& object : result.objects)
    out << formatText("{}: {}; {} bytes{}\n", object.name, object.description,
                      arrow(object.bytesBefore, object.bytesAfter),
                      object.count > 1 ? formatText(" (the largest of {})", object.count) : "");
  out << '\n';
  std::vector<Column> columns = {{"where", Column::Align::left, Column::Fit::shrink},
                                 {"expression", Column::Align::left, Column::Fit::shrink},
                                 {"kind"},
                                 {"per request"},
                                 {"requests", Column::Align::right},
                                 {"cost", Column::Align::right}};
  if (gpu) columns.push_back({"DRAM sectors", Column::Align::right});
  Table table(columns);
  for (std::size_t i = 0; i < result.sites.size() && i < request.limit; ++i) {
    const db::WhatIfSite& site = result.sites[i];
    const bool worse = site.after.cost() > site.before.cost(),
               better = site.after.cost() < site.before.cost();
    std::vector<Cell> cells = {
        {formatText("{}:{}", site.file.substr(site.file.rfind('/') + 1), site.line), ""},
        {site.expression, ""},
        {site.kind, ""},
        {perRequest(site), worse    ? "31"
                           : better ? "32"
                                    : ""},
        {arrow(site.before.requests, site.after.requests), ""},
        {arrow(site.before.cost(), site.after.cost()), ""}};
    if (gpu) cells.push_back({arrow(site.cacheBefore.dram, site.cacheAfter.dram), ""});
    table.add(std::move(cells));
  }
  table.print(out, outputWidth(), 2, outputHasColor());
  out << formatText("\nAll sites: cost {}; sectors {}; wavefronts {}.\n",
                    arrow(result.before.cost(), result.after.cost()),
                    arrow(result.before.sectors, result.after.sectors),
                    arrow(result.before.wavefronts, result.after.wavefronts));
  if (!gpu) return;
  const bool changed = !result.objects.empty();
  printKernels(out, result, request, changed);
  out << formatText("Simulated caches of {}: hit rates {}{}; {} bytes from and to DRAM.\n", gpu->title,
                    hitRates(result.cacheBefore), changed ? " -> " + hitRates(result.cacheAfter) : "",
                    arrow(result.cacheBefore.dram * sectorBytes, result.cacheAfter.dram * sectorBytes));
}

Json toJson(const db::CacheTraffic& cache) {
  return {{"sectors", cache.sectors},
          {"l1_hit_sectors", cache.l1Hits},
          {"l1_store_hit_sectors", cache.l1StoreHits},
          {"l2_hit_sectors", cache.l2Hits},
          {"dram_sectors", cache.dram},
          {"dram_store_sectors", cache.dramStores},
          {"l1_hit_rate", cache.l1HitRate()},
          {"l2_hit_rate", cache.l2HitRate()}};
}

Json toJson(const db::Traffic& traffic, const db::CacheTraffic& cache, bool simulated) {
  Json json = {{"requests", traffic.requests},
               {"sectors", traffic.sectors},
               {"ideal_sectors", traffic.idealSectors},
               {"wavefronts", traffic.wavefronts},
               {"ideal_wavefronts", traffic.idealWavefronts},
               {"bank_conflicts", traffic.bankConflicts},
               {"sectors_per_request", ratio(traffic.sectors, traffic.sectorRequests)},
               {"wavefronts_per_request", ratio(traffic.wavefronts, traffic.wavefrontRequests)},
               {"cost", traffic.cost()}};
  if (simulated) json["cache"] = toJson(cache);
  return json;
}

void printJson(std::ostream& out, const db::WhatIf& result, const WhatIfRequest& request) {
  const bool simulated = !request.cache.empty();
  Json json = {{"trace", request.trace},
               {"cache", request.cache},
               {"objects", Json::array()},
               {"before", toJson(result.before, result.cacheBefore, simulated)},
               {"after", toJson(result.after, result.cacheAfter, simulated)},
               {"kernels", Json::array()},
               {"sites", Json::array()}};
  for (const db::WhatIfKernel& kernel : result.kernels)
    json["kernels"].push_back({{"kernel", kernel.kernel},
                               {"launches", kernel.launches},
                               {"before", toJson(kernel.cacheBefore)},
                               {"after", toJson(kernel.cacheAfter)}});
  for (const db::WhatIfObject& object : result.objects)
    json["objects"].push_back({{"name", object.name},
                               {"change", object.description},
                               {"count", object.count},
                               {"bytes_before", object.bytesBefore},
                               {"bytes_after", object.bytesAfter}});
  for (std::size_t i = 0; i < result.sites.size() && i < request.limit; ++i) {
    const db::WhatIfSite& site = result.sites[i];
    json["sites"].push_back({{"site_id", site.siteId},
                             {"file", site.file},
                             {"line", site.line},
                             {"function", site.function},
                             {"expression", site.expression},
                             {"kind", site.kind},
                             {"changed", site.changed},
                             {"before", toJson(site.before, site.cacheBefore, simulated)},
                             {"after", toJson(site.after, site.cacheAfter, simulated)}});
  }
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

int runWhatIf(const WhatIfRequest& request) {
  const SignalGuard guard;
  db::WhatIfOptions options;
  options.changes = changesOf(request);
  std::optional<ChosenGpu> gpu;
  if (!request.cache.empty())
    options.gpu = &gpu.emplace("--cache", request.cache).preset();
  else if (request.cold)
    throw Error(ExitCode::usage, "--cold says how the caches of --cache begin; give that, too");
  options.coldL2 = request.cold;
  const std::unique_ptr<db::TraceReader> trace = openTraceAsItIs(request.trace);
  db::WhatIf result;
  {
    Progress progress("recomputing");
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
      progress.show(done, total);
      return SignalGuard::pending() != 0;
    };
    throwIf(db::evaluateWhatIf(*trace, options, result));
  }
  StandardOutput output;
  if (request.format == "json")
    printJson(output.stream(), result, request);
  else
    printText(output.stream(), result, request, options.gpu);
  output.finish();
  return 0;
}

}  // namespace cui::cli
