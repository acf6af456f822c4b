// heat_map: where each array is accessed, in 64 parts of its extent.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "db/analyses/access_analysis.h"
#include "db/analyses/access_lanes.h"
#include "db/analyses/live_objects.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/store/metrics.h"

namespace cui::db {

namespace {

constexpr std::uint64_t mostParts = 64;

struct Heat {
  const Object* object = nullptr;
  std::uint64_t partBytes = 0;
  std::array<std::uint64_t, mostParts> accesses{}, sectors{};
  std::uint64_t reads = 0, writes = 0;  ///< thread accesses
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
  explicit HeatMap(const TraceModel& model) : model_(model), live_(model) {}

  void beginLaunch(const Launch& launch) override {
    live_.advance(launch);
    shared_ = model_.sharedOf(launch.id);
    last_ = nullptr;
  }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    const format::Space space = access.space();
    if (record.bytes == 0 || space == format::Space::local) return;
    const bool shared = space == format::Space::shared;
    if (shared != lastShared_) last_ = nullptr;
    lastShared_ = shared;
    const Span span = spanOf(record);
    const auto lanes = static_cast<std::uint64_t>(std::popcount(record.mask));
    Heat* heat = heatOf(span.low, shared);
    if (heat && heat->object->holds(span.high - 1)) {  // as nearly always
      count(access, *heat, lanes);
      const std::uint64_t first = (span.low - heat->object->address) / heat->partBytes,
                          last = (span.high - record.bytes - heat->object->address) / heat->partBytes;
      if (first == last)
        heat->accesses[first] += lanes;
      else
        eachLane(record, [&](std::uint64_t address) {
          ++heat->accesses[(address - heat->object->address) / heat->partBytes];
        });
    } else {
      eachLane(record, [&](std::uint64_t address) {
        if (Heat* const each = heatOf(address, shared)) {
          count(access, *each, 1);
          ++each->accesses[(address - each->object->address) / each->partBytes];
        }
      });
    }
    if (!countsSectors(space)) return;
    eachSector(record, [&](std::uint64_t sector) {
      // The sector's first byte may lie in front of an object that does not begin with a sector.
      const std::uint64_t begin = sector * sectorBytes,
                          address = std::max(begin, heat ? heat->object->address : begin);
      if (Heat* const each = heatOf(address, false))
        ++each->sectors[(address - each->object->address) / each->partBytes];
    });
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

  /// Null: no object is known to hold the address.
  Heat* heatOf(std::uint64_t address, bool shared) {
    if (last_ && lastObject_->holds(address)) return last_;
    const Object* object = nullptr;
    if (shared) {
      for (const Object* each = shared_.first; each != shared_.second && !object; ++each)
        if (each->holds(address)) object = each;
    } else {
      object = live_.find(address);
    }
    if (!object) return nullptr;
    Heat& heat = heats_[{object->shared, object->id, object->bytes}];
    // A shared variable of another launch may lie elsewhere in the window.
    heat.object = object;
    if (heat.partBytes == 0) heat.partBytes = partBytesOf(*object);
    lastObject_ = object;
    return last_ = &heat;
  }

  static Finding findingOf(const Heat& heat);

  const TraceModel& model_;
  LiveObjects live_;
  std::pair<const Object*, const Object*> shared_;
  std::map<Key, Heat> heats_;
  Heat* last_ = nullptr;
  const Object* lastObject_ = nullptr;
  bool lastShared_ = false;
};

Finding HeatMap::findingOf(const Heat& heat) {
  const Object& object = *heat.object;
  const std::uint64_t parts = (object.bytes + heat.partBytes - 1) / heat.partBytes;
  std::uint64_t touched = 0, most = 0, all = 0;
  Series accesses{"thread accesses by offset in bytes", {}}, sectors{"sectors by offset in bytes", {}};
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::string label = std::to_string(part * heat.partBytes);
    accesses.bars.emplace_back(label, heat.accesses[part]);
    sectors.bars.emplace_back(label, heat.sectors[part]);
    touched += heat.accesses[part] != 0;
    all += heat.accesses[part];
    if (heat.accesses[part] > heat.accesses[most]) most = part;
  }
  const std::uint64_t offset = most * heat.partBytes;
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
      static_cast<unsigned long long>(heat.partBytes), static_cast<unsigned long long>(offset),
      100.0 * static_cast<double>(heat.accesses[most]) /
          static_cast<double>(std::max<std::uint64_t>(1, all)));
  finding.numbers = {
      {"thread_accesses", static_cast<double>(all)},       {"reads", static_cast<double>(heat.reads)},
      {"writes", static_cast<double>(heat.writes)},        {"bytes", static_cast<double>(object.bytes)},
      {"part_bytes", static_cast<double>(heat.partBytes)}, {"parts_touched", static_cast<double>(touched)}};
  finding.series.push_back(std::move(accesses));
  if (!object.shared) finding.series.push_back(std::move(sectors));
  return finding;
}

}  // namespace

std::unique_ptr<AccessAnalysis> makeHeatMap(const TraceReader&, const TraceModel& model,
                                            const AnalysisOptions&, Error&) {
  return std::make_unique<HeatMap>(model);
}

}  // namespace cui::db
