// reuse: for each site, how much other memory was used between two uses of a sector. That much a cache must
// hold.
#include <array>
#include <bit>
#include <map>

#include "db/analyses/access_analysis.h"
#include "db/analyses/access_lanes.h"
#include "db/analyses/reuse_distance.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/store/metrics.h"

namespace cui::db {

namespace {

/// As many uses are followed exactly; of more, the uses of every 2nd, 4th, … sector, chosen by a hash.
constexpr std::uint64_t exactUses = std::uint64_t{1} << 25;
constexpr std::size_t mostBins = 48;

struct Histogram {
  std::uint64_t uses = 0, first = 0;
  std::array<std::uint64_t, mostBins>
      bins{};  ///< bin b: a cache of 2^b sectors holds it until then, 2^(b-1) does not

  /// The bytes of the smallest power of two that holds `share` of the uses that are not first ones.
  std::uint64_t bytesFor(double share) const {
    const double wanted = share * static_cast<double>(uses - first);
    std::uint64_t sum = 0;
    for (std::size_t bin = 0; bin < mostBins; ++bin) {
      sum += bins[bin];
      if (static_cast<double>(sum) >= wanted) return sectorBytes << bin;
    }
    return sectorBytes << (mostBins - 1);
  }
};

/// 512 B, 64 KiB, 2 MiB
std::string sizeName(std::uint64_t bytes) {
  static constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && bytes % 1024 == 0 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return std::to_string(bytes) + " " + units[unit];
}

class Reuse : public AccessAnalysis {
 public:
  Reuse(const TraceModel& model, const AnalysisOptions& options, std::uint64_t uses)
      : model_(model), distance_(options.memoryBytes / 2) {
    while (uses >> skipBits_ > exactUses) ++skipBits_;
  }

  void beginLaunch(const Launch&) override { distance_.clear(); }
  void endLaunch(const Launch&) override { overflowed_ = overflowed_ || distance_.full(); }

  void access(const Access& access) override {
    if (!countsSectors(access.space()) || access.space() == format::Space::local) return;
    Histogram& site = sites_[access.site.number];
    eachSector(access.record, [&](std::uint64_t sector) {
      if (skipBits_ != 0 && (sector * 0x9e3779b97f4a7c15u >> (64 - skipBits_)) != 0) return;
      const std::uint64_t distance = distance_.use(sector);
      ++site.uses;
      if (distance == ReuseDistance::never)
        ++site.first;
      else
        ++site.bins[std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(distance << skipBits_)),
                                          mostBins - 1)];
    });
  }

  void finish(std::vector<Finding>& findings) override {
    for (const auto& [number, site] : sites_)
      if (site.uses != 0) findings.push_back(findingOf(model_.sites[number], site));
    stableSort(findings,
               [](const Finding& a, const Finding& b) { return a.numbers[0].second > b.numbers[0].second; });
    Finding note;
    if (skipBits_ != 0) {
      note.verdict =
          formatted("sampled: the uses of one sector in %u, their distances scaled by that", 1u << skipBits_);
      findings.insert(findings.begin(), note);
    }
    if (overflowed_) {
      note.verdict = "the memory for it was used up: later sectors of large launches count as first uses";
      findings.insert(findings.begin(), std::move(note));
    }
  }

 private:
  Finding findingOf(const Site& site, const Histogram& histogram) const;

  const TraceModel& model_;
  ReuseDistance distance_;
  unsigned skipBits_ = 0;
  std::map<std::uint32_t, Histogram> sites_;
  bool overflowed_ = false;
};

Finding Reuse::findingOf(const Site& site, const Histogram& histogram) const {
  Finding finding;
  static_cast<Place&>(finding) = site;
  const std::uint64_t again = histogram.uses - histogram.first;
  const double scale = static_cast<double>(1u << skipBits_);
  finding.numbers = {{"sectors", static_cast<double>(histogram.uses) * scale},
                     {"first_uses", static_cast<double>(histogram.first) * scale}};
  finding.verdict =
      formatted("%.0f %% of the sectors are used for the first time in their launch",
                100.0 * static_cast<double>(histogram.first) / static_cast<double>(histogram.uses));
  if (again == 0) return finding;
  const std::uint64_t half = histogram.bytesFor(0.5), most = histogram.bytesFor(0.9);
  finding.verdict += "; of the others, " + sizeName(half) + " hold half, and " + sizeName(most) + " 90 %";
  finding.numbers.emplace_back("median_bytes", static_cast<double>(half));
  finding.numbers.emplace_back("p90_bytes", static_cast<double>(most));
  Series series{"sectors used again, by the bytes that hold them until then", {}};
  std::size_t first = 0, last = mostBins - 1;
  while (histogram.bins[first] == 0) ++first;
  while (histogram.bins[last] == 0) --last;
  for (std::size_t bin = first; bin <= last; ++bin)
    series.bars.emplace_back(sizeName(sectorBytes << bin), static_cast<double>(histogram.bins[bin]) * scale);
  finding.series.push_back(std::move(series));
  return finding;
}

}  // namespace

std::unique_ptr<AccessAnalysis> makeReuse(const TraceReader& reader, const TraceModel& model,
                                          const AnalysisOptions& options, Error& error) {
  const std::int64_t uses = reader.integer("SELECT CAST(total(sectors) AS INTEGER) FROM site_metric", error);
  return error ? nullptr : std::make_unique<Reuse>(model, options, static_cast<std::uint64_t>(uses));
}

}  // namespace cui::db
