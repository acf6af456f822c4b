// access_patterns: which class of pattern each site's requests follow, from the lanes' addresses.
#include <array>
#include <cstdlib>
#include <map>

#include "db/analyses/access_analysis.h"
#include "db/analyses/access_lanes.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"

namespace cui::db {

namespace {

enum class Shape { single, broadcast, sequential, strided, blocked, gather, random };
constexpr std::array shapeNames = {"single",  "broadcast", "sequential", "strided",
                                   "blocked", "gather",    "random"};
constexpr std::array shapeMeanings = {"one lane is active",
                                      "all lanes access one address",
                                      "neighbouring lanes access neighbouring elements",
                                      "neighbouring lanes are a constant distance apart",
                                      "a few runs of lanes, each with a constant distance",
                                      "no distance, but lanes share sectors",
                                      "no distance, and most lanes have a sector of their own"};
constexpr std::size_t maxStrides = 64;

/// A run is lanes with a constant distance; it takes four of them on average to call a warp blocked.
constexpr unsigned leastRun = 4;

unsigned runsOf(const AccessRecord& record) {
  unsigned runs = 0, inRun = 0;
  std::uint64_t last = 0, step = 0;
  eachLane(record, [&](std::uint64_t address) {
    if (inRun >= 2 && address - last != step) inRun = 0;
    if (inRun == 0) ++runs;
    if (inRun == 1) step = address - last;
    ++inRun;
    last = address;
  });
  return runs;
}

Shape shapeOf(const AccessRecord& record) {
  const auto lanes = static_cast<unsigned>(std::popcount(record.mask));
  if (lanes == 1) return Shape::single;
  if (format::formOf(record.flags) == format::AddressForm::affine) {
    if (record.stride == 0) return Shape::broadcast;
    return static_cast<std::uint32_t>(std::abs(std::int64_t{record.stride})) == record.bytes
               ? Shape::sequential
               : Shape::strided;
  }
  if (runsOf(record) * leastRun <= lanes) return Shape::blocked;
  unsigned sectors = 0;
  eachSector(record, [&](std::uint64_t) { ++sectors; });
  return sectors * 4 < lanes * 3 ? Shape::gather : Shape::random;
}

struct PatternCounts {
  std::uint64_t requests = 0;
  std::array<std::uint64_t, shapeNames.size()> shapes{};
  std::map<std::int32_t, std::uint64_t> strides;
  std::uint32_t bytes = 0;
};

class AccessPatterns : public AccessAnalysis {
 public:
  explicit AccessPatterns(const TraceModel& model) : model_(model) {}

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    if (record.bytes == 0 || access.space() == format::Space::local) return;
    PatternCounts& counts = counts_[access.site.number];
    ++counts.requests;
    counts.bytes = record.bytes;
    const Shape shape = shapeOf(record);
    ++counts.shapes[static_cast<std::size_t>(shape)];
    if (shape != Shape::strided) return;
    if (counts.strides.size() < maxStrides || counts.strides.count(record.stride) != 0)
      ++counts.strides[record.stride];
  }

  void finish(std::vector<Finding>& findings) override {
    for (const auto& [number, counts] : counts_) findings.push_back(findingOf(model_.sites[number], counts));
    stableSort(findings,
               [](const Finding& a, const Finding& b) { return a.numbers[0].second > b.numbers[0].second; });
  }

 private:
  static Finding findingOf(const Site& site, const PatternCounts& counts);

  const TraceModel& model_;
  std::map<std::uint32_t, PatternCounts> counts_;
};

Finding AccessPatterns::findingOf(const Site& site, const PatternCounts& counts) {
  Finding finding;
  static_cast<Place&>(finding) = site;
  std::size_t most = 0;
  for (std::size_t i = 0; i < counts.shapes.size(); ++i)
    if (counts.shapes[i] > counts.shapes[most]) most = i;
  finding.verdict = shapeNames[most];
  if (static_cast<Shape>(most) == Shape::strided) {
    auto best = counts.strides.begin();
    for (auto each = best; each != counts.strides.end(); ++each)
      if (each->second > best->second) best = each;
    finding.verdict += formatted(" by %d bytes", best->first);
    if (best->first % static_cast<std::int64_t>(counts.bytes) == 0)
      finding.verdict += formatted(
          " (%lld elements)", static_cast<long long>(best->first / static_cast<std::int64_t>(counts.bytes)));
    finding.numbers = {{"stride", best->first}};
  }
  finding.verdict +=
      formatted(", %.0f %% of %llu requests",
                100.0 * static_cast<double>(counts.shapes[most]) / static_cast<double>(counts.requests),
                static_cast<unsigned long long>(counts.requests));
  finding.why = shapeMeanings[most];
  finding.numbers.insert(finding.numbers.begin(), {"requests", static_cast<double>(counts.requests)});
  for (std::size_t i = 0; i < counts.shapes.size(); ++i)
    if (counts.shapes[i] != 0)
      finding.numbers.emplace_back(shapeNames[i], static_cast<double>(counts.shapes[i]));
  return finding;
}

}  // namespace

std::unique_ptr<AccessAnalysis> makeAccessPatterns(const TraceReader&, const TraceModel& model,
                                                   const AnalysisOptions&, Error&) {
  return std::make_unique<AccessPatterns>(model);
}

}  // namespace cui::db
