// heat_map: where each array is accessed, in 64 parts of its extent, and by row and column where it has rows.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "db/analyses/access_analysis.h"
#include "db/analyses/access_lanes.h"
#include "db/analyses/array_shape.h"
#include "db/analyses/divider.h"
#include "db/analyses/heat_grid.h"
#include "db/analyses/live_objects.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/store/metrics.h"

namespace cui::db {

namespace {

constexpr std::uint64_t mostParts = 64;

struct Heat {
  const Object* object = nullptr;
  Divider part;  ///< its bytes
  std::array<std::uint64_t, mostParts> accesses{}, sectors{};
  std::uint64_t reads = 0, writes = 0;  ///< thread accesses
  std::optional<HeatGrid> grid;
};

/// So many that at most 64 parts cover the object, and neither an element nor, where it can be, a sector lies
/// in two.
std::uint64_t partBytesOf(const Object& object) {
  std::uint64_t unit = std::max(1u, object.elementBytes);
  if (!object.shared && sectorBytes % unit == 0) unit = sectorBytes;
  const std::uint64_t part = (object.bytes + mostParts - 1) / mostParts;
  return std::max<std::uint64_t>(1, (part + unit - 1) / unit) * unit;
}

class HeatMap : public AccessAnalysis {
 public:
  HeatMap(const TraceModel& model, ArrayShapes shapes)
      : model_(model), shapes_(std::move(shapes)), live_(model), bySite_(model.sites.size()) {}

  void beginLaunch(const Launch& launch) override {
    live_.advance(launch);
    shared_ = model_.sharedOf(launch.id);
    std::fill(bySite_.begin(), bySite_.end(), nullptr);
  }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    const format::Space space = access.space();
    if (record.bytes == 0 || space == format::Space::local) return;
    const bool shared = space == format::Space::shared;
    Heat*& known = bySite_[access.site.number];
    const auto lanes = static_cast<std::uint64_t>(std::popcount(record.mask));
    const Span span = spanOf(record);
    if (!known || known->object->shared != shared || !known->object->holds(span.low))
      known = heatOf(span.low, shared);
    if (!known || !known->object->holds(span.high - 1)) return scattered(access, span, shared);
    Heat& heat = *known;
    count(access, heat, lanes);
    const Object& object = *heat.object;
    const Span inside{span.low - object.address, span.high - object.address};
    const std::uint64_t first = heat.part(inside.low), last = heat.part(inside.high - record.bytes);
    if (first == last)
      heat.accesses[first] += lanes;
    else
      eachLane(record, [&](std::uint64_t address) { ++heat.accesses[heat.part(address - object.address)]; });
    if (heat.grid) heat.grid->count(record, object, inside, lanes);
    if (countsSectors(space)) countSectors(record, heat, span);
  }

  void finish(std::vector<Finding>& findings) override {
    for (const auto& [key, heat] : heats_) findings.push_back(findingOf(heat));
    stableSort(findings,
               [](const Finding& a, const Finding& b) { return a.numbers[0].second > b.numbers[0].second; });
  }

 private:
  /// An allocation, or a shared variable whatever the launch: whose, id, extent.
  using Key = std::tuple<bool, std::int64_t, std::uint64_t>;

  static void count(const Access& access, Heat& heat, std::uint64_t lanes) {
    if (!access.site.writes()) heat.reads += lanes;
    if (access.site.writes()) heat.writes += lanes;
  }

  /// The part that a sector begins in, or the object if that does not begin with a sector.
  static std::uint64_t partOf(const Heat& heat, std::uint64_t sector) {
    return heat.part(std::max(sector * sectorBytes, heat.object->address) - heat.object->address);
  }

  /// All of the access lies in the object.
  static void countSectors(const AccessRecord& record, Heat& heat, const Span& span) {
    const std::uint64_t first = span.low / sectorBytes, last = (span.high - 1) / sectorBytes;
    const std::uint64_t part = partOf(heat, first);
    if (isDense(record) && part == partOf(heat, last))
      heat.sectors[part] += last - first + 1;
    else
      eachSector(record, [&heat](std::uint64_t sector) { ++heat.sectors[partOf(heat, sector)]; });
  }

  /// An access to several objects, or to none that is known.
  void scattered(const Access& access, const Span& span, bool shared) {
    if (!shared && live_.farFromAll(span.low, span.high, 0)) return;
    eachLane(access.record, [&](std::uint64_t address) {
      Heat* const heat = heatOf(address, shared);
      if (!heat) return;
      const std::uint64_t offset = address - heat->object->address;
      count(access, *heat, 1);
      ++heat->accesses[heat->part(offset)];
      if (heat->grid) heat->grid->count(offset);
    });
    if (!countsSectors(access.space())) return;
    eachSector(access.record, [&](std::uint64_t sector) {
      Heat* heat = heatOf(sector * sectorBytes, false);
      if (!heat) heat = heatOf(sector * sectorBytes + sectorBytes - 1, false);  // it begins within the sector
      if (heat) ++heat->sectors[partOf(*heat, sector)];
    });
  }

  /// Null: no object is known to hold the address.
  Heat* heatOf(std::uint64_t address, bool shared) {
    const Object* object = nullptr;
    if (shared) {
      for (const Object* each = shared_.first; each != shared_.second && !object; ++each)
        if (each->holds(address)) object = each;
    } else {
      object = live_.find(address);
    }
    if (!object) return nullptr;
    Heat& heat = heats_[{object->shared, object->id, object->bytes}];
    if (!heat.object) {
      heat.part = Divider(partBytesOf(*object));
      if (const ArrayShape* const shape = shapes_.find(*object)) heat.grid.emplace(*object, *shape);
    }
    // A shared variable of another launch may lie elsewhere in the window.
    heat.object = object;
    return &heat;
  }

  static Finding findingOf(const Heat& heat);

  const TraceModel& model_;
  ArrayShapes shapes_;
  LiveObjects live_;
  std::pair<const Object*, const Object*> shared_;
  std::map<Key, Heat> heats_;
  std::vector<Heat*> bySite_;  ///< what each site accessed last in this launch
};

Finding HeatMap::findingOf(const Heat& heat) {
  const Object& object = *heat.object;
  const std::uint64_t parts = (object.bytes + heat.part.by() - 1) / heat.part.by();
  std::uint64_t touched = 0, most = 0, all = 0;
  Series accesses{"thread accesses by offset in bytes", {}}, sectors{"sectors by offset in bytes", {}};
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::string label = std::to_string(part * heat.part.by());
    accesses.bars.emplace_back(label, heat.accesses[part]);
    sectors.bars.emplace_back(label, heat.sectors[part]);
    touched += heat.accesses[part] != 0;
    all += heat.accesses[part];
    if (heat.accesses[part] > heat.accesses[most]) most = part;
  }
  const std::uint64_t offset = most * heat.part.by();
  Finding finding;
  finding.file = object.file;
  finding.line = object.line;
  finding.function = object.function;
  finding.expression = finding.base = object.name.empty() ? object.api : object.name;
  finding.verdict = formatted(
      "%llu thread accesses to %llu bytes, in %llu of %llu parts of %llu bytes; most in the part at offset "
      "%llu "
      "(%.0f %%)",
      static_cast<unsigned long long>(all), static_cast<unsigned long long>(object.bytes),
      static_cast<unsigned long long>(touched), static_cast<unsigned long long>(parts),
      static_cast<unsigned long long>(heat.part.by()), static_cast<unsigned long long>(offset),
      100.0 * static_cast<double>(heat.accesses[most]) /
          static_cast<double>(std::max<std::uint64_t>(1, all)));
  finding.numbers = {
      {"thread_accesses", static_cast<double>(all)},       {"reads", static_cast<double>(heat.reads)},
      {"writes", static_cast<double>(heat.writes)},        {"bytes", static_cast<double>(object.bytes)},
      {"part_bytes", static_cast<double>(heat.part.by())}, {"parts_touched", static_cast<double>(touched)}};
  finding.series.push_back(std::move(accesses));
  if (!object.shared) finding.series.push_back(std::move(sectors));
  if (heat.grid) finding.grids.push_back(heat.grid->picture());
  return finding;
}

}  // namespace

std::unique_ptr<AccessAnalysis> makeHeatMap(const TraceReader& reader, const TraceModel& model,
                                            const AnalysisOptions&, Error& error) {
  ArrayShapes shapes;
  error = ArrayShapes::load(reader, model, shapes);
  return std::make_unique<HeatMap>(model, std::move(shapes));
}

}  // namespace cui::db
