// See compare.h.
#include "db/analyses/compare.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "db/analyses/stable_sort.h"
#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

struct ComparedLaunch {
  std::int64_t id = 0, gpuNs = 0;
  std::array<std::int64_t, 6> shape{};
};
using ByKernel = std::map<std::string, std::vector<ComparedLaunch>>;

struct Side {
  ByKernel kernels;
  std::map<std::int64_t, std::string> kernelOf;  ///< matched launches only
  std::map<std::int64_t, SiteDifference> sites;  ///< place, kind and `before`
  std::map<std::string, Traffic> traffic;        ///< by kernel
};

Error loadLaunches(const TraceReader& reader, ByKernel& kernels) {
  return reader.query(
      // The CPU backend's own time says nothing about the kernel.
      "SELECT kernel, launch_id, grid_x, grid_y, grid_z, block_x, block_y, block_z, CASE backend WHEN 'cuda' "
      "THEN ifnull(gpu_end_ns - gpu_begin_ns, 0) ELSE 0 END FROM launch LEFT JOIN device USING(device_id) "
      "WHERE error = 0 ORDER BY launch_id",
      [&](Row row) {
        ComparedLaunch launch;
        launch.id = asInteger(row[1]);
        for (std::size_t i = 0; i < 6; ++i) launch.shape[i] = asInteger(row[2 + i]);
        launch.gpuNs = asInteger(row[8]);
        kernels[asText(row[0])].push_back(launch);
        return true;
      });
}

Error loadSites(const TraceReader& reader, Side& side) {
  Error error = reader.query(
      "SELECT site_id, file, function, expression, base, line, column, kind FROM site WHERE status = "
      "'instrumented'",
      [&](Row row) {
        SiteDifference& site = side.sites[asInteger(row[0])];
        site.siteId = asInteger(row[0]);
        site.file = asText(row[1]);
        site.function = asText(row[2]);
        site.expression = asText(row[3]);
        site.base = asText(row[4]);
        site.line = static_cast<std::uint32_t>(asInteger(row[5]));
        site.column = static_cast<std::uint32_t>(asInteger(row[6]));
        site.kind = asText(row[7]);
        return true;
      });
  if (error) return error;
  return reader.query(
      "SELECT launch_id, site_id, requests, thread_accesses, bytes, sectors, ideal_sectors, wavefronts, "
      "ideal_wavefronts, bank_conflicts, sector_requests, wavefront_requests FROM site_metric",
      [&](Row row) {
        const auto kernel = side.kernelOf.find(asInteger(row[0]));
        if (kernel == side.kernelOf.end()) return true;
        const auto number = [&](std::size_t i) { return static_cast<std::uint64_t>(asInteger(row[i])); };
        const Traffic traffic = {number(2), number(3), number(4), number(5),  number(6),
                                 number(7), number(8), number(9), number(10), number(11)};
        side.sites[asInteger(row[1])].before += traffic;
        side.traffic[kernel->second] += traffic;
        return true;
      });
}

void matchLaunches(Side& before, Side& after, std::vector<KernelDifference>& kernels) {
  std::map<std::string, KernelDifference> all;
  for (const auto& [kernel, launches] : before.kernels) all[kernel].launchesBefore = launches.size();
  for (const auto& [kernel, launches] : after.kernels) all[kernel].launchesAfter = launches.size();
  for (auto& [kernel, difference] : all) {
    difference.kernel = kernel;
    difference.matched = std::min(difference.launchesBefore, difference.launchesAfter);
    for (std::size_t i = 0; i < difference.matched; ++i) {
      const ComparedLaunch& a = before.kernels[kernel][i];
      const ComparedLaunch& b = after.kernels[kernel][i];
      difference.reshaped += a.shape != b.shape;
      difference.gpuNsBefore += a.gpuNs;
      difference.gpuNsAfter += b.gpuNs;
      before.kernelOf[a.id] = kernel;
      after.kernelOf[b.id] = kernel;
    }
    kernels.push_back(difference);
  }
}

Change changeOf(const Traffic& before, const Traffic& after, double threshold) {
  const auto a = static_cast<double>(before.cost()), b = static_cast<double>(after.cost());
  return b > a * (1 + threshold) ? Change::worse : b < a * (1 - threshold) ? Change::better : Change::same;
}

/// A rewritten expression has a new id. Where nothing else can be meant, both are one site.
void joinRewritten(std::vector<SiteDifference>& sites) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> candidates;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    auto& [gone, fresh] = candidates[Key(sites[i].function, sites[i].base, sites[i].kind)];
    if (sites[i].change == Change::removed) gone.push_back(i);
    if (sites[i].change == Change::added) fresh.push_back(i);
  }
  std::vector<std::size_t> joined;
  for (const auto& [key, lists] : candidates) {
    if (lists.first.size() != 1 || lists.second.size() != 1) continue;
    SiteDifference& now = sites[lists.second[0]];
    const SiteDifference& then = sites[lists.first[0]];
    now.before = then.before;
    now.expressionBefore = then.expression;
    now.change = Change::same;
    joined.push_back(lists.first[0]);
  }
  std::sort(joined.rbegin(), joined.rend());
  for (const std::size_t index : joined) sites.erase(sites.begin() + static_cast<std::ptrdiff_t>(index));
}

std::vector<SiteDifference> joinSites(const Side& before, const Side& after, double threshold) {
  std::vector<SiteDifference> sites;
  for (const auto& [id, site] : after.sites) {
    SiteDifference difference = site;
    difference.after = site.before;
    difference.before = {};
    const auto old = before.sites.find(id);
    if (old != before.sites.end())
      difference.before = old->second.before;
    else
      difference.change = Change::added;
    sites.push_back(std::move(difference));
  }
  for (const auto& [id, site] : before.sites) {
    if (after.sites.count(id) != 0) continue;
    sites.push_back(site);
    sites.back().change = Change::removed;
  }
  joinRewritten(sites);
  // What ran in no matched launch of either trace is no difference.
  std::erase_if(sites, [](const SiteDifference& site) {
    return site.before.requests == 0 && site.after.requests == 0;
  });
  for (SiteDifference& site : sites)
    if (site.change == Change::same) site.change = changeOf(site.before, site.after, threshold);
  return sites;
}

template <class Difference>
void sortByGain(std::vector<Difference>& differences) {
  const auto key = [](const Difference& d) {
    const auto gained =
        static_cast<std::int64_t>(d.after.cost()) - static_cast<std::int64_t>(d.before.cost());
    return std::tuple(d.change != Change::worse, -std::max(gained, -gained));
  };
  stableSort(differences, [&](const Difference& a, const Difference& b) { return key(a) < key(b); });
}

}  // namespace

Traffic& Traffic::operator+=(const Traffic& other) {
  requests += other.requests;
  threadAccesses += other.threadAccesses;
  bytes += other.bytes;
  sectors += other.sectors;
  idealSectors += other.idealSectors;
  wavefronts += other.wavefronts;
  idealWavefronts += other.idealWavefronts;
  bankConflicts += other.bankConflicts;
  sectorRequests += other.sectorRequests;
  wavefrontRequests += other.wavefrontRequests;
  return *this;
}

const char* nameOf(Change change) {
  switch (change) {
    case Change::same:
      return "same";
    case Change::better:
      return "better";
    case Change::worse:
      return "worse";
    case Change::added:
      return "added";
    case Change::removed:
      return "removed";
  }
  return "";
}

bool Comparison::worse() const {
  const auto isWorse = [](const auto& difference) { return difference.change == Change::worse; };
  return std::any_of(sites.begin(), sites.end(), isWorse) ||
         std::any_of(kernels.begin(), kernels.end(), isWorse);
}

bool Comparison::nothingMet() const {
  std::uint64_t before = 0, after = 0, matched = 0;
  for (const KernelDifference& kernel : kernels) {
    before += kernel.launchesBefore;
    after += kernel.launchesAfter;
    matched += kernel.matched;
  }
  return before != 0 && after != 0 && matched == 0;
}

Error compareTraces(const TraceReader& before, const TraceReader& after, const CompareOptions& options,
                    Comparison& comparison) {
  comparison = {};
  Side sides[2];
  Error error = loadLaunches(before, sides[0].kernels);
  if (!error) error = loadLaunches(after, sides[1].kernels);
  if (error) return error;
  matchLaunches(sides[0], sides[1], comparison.kernels);
  error = loadSites(before, sides[0]);
  if (!error) error = loadSites(after, sides[1]);
  if (error) return error;
  comparison.sites = joinSites(sides[0], sides[1], options.threshold);
  for (KernelDifference& kernel : comparison.kernels) {
    kernel.before = sides[0].traffic[kernel.kernel];
    kernel.after = sides[1].traffic[kernel.kernel];
    kernel.change = kernel.launchesBefore == 0  ? Change::added
                    : kernel.launchesAfter == 0 ? Change::removed
                                                : changeOf(kernel.before, kernel.after, options.threshold);
  }
  sortByGain(comparison.sites);
  sortByGain(comparison.kernels);
  return {};
}

}  // namespace cui::db
