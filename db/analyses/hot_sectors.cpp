// hot_sectors: arrays of which one 32-byte sector takes a large part of all requests of a launch.
#include <map>

#include "db/analyses/access_analysis.h"
#include "db/analyses/access_lanes.h"
#include "db/analyses/live_objects.h"
#include "db/analyses/paged_cells.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/analyses/weights.h"
#include "db/store/metrics.h"

namespace cui::db {

namespace {

constexpr std::uint32_t leastRequests = 1024;
constexpr double leastShare = 0.1;

struct Sector {
  std::uint32_t requests = 0, writes = 0;
};

/// An object's busiest sector in one launch.
struct Busiest {
  Sector count;
  std::uint64_t sector = 0, all = 0;  ///< requests for sectors of the object
  std::int64_t launchId = 0;
  std::uint64_t ofLaunch = 0;                    ///< all requests there
  std::map<std::uint32_t, std::uint64_t> sites;  ///< how often each raised the count
};

class HotSectors : public AccessAnalysis {
 public:
  HotSectors(const TraceModel& model, const AnalysisOptions& options)
      : model_(model), live_(model), sectors_(options.memoryBytes / 2), ofObject_(model.allocations.size()) {}

  void beginLaunch(const Launch& launch) override {
    live_.advance(launch);
    requests_ = 0;
  }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    ++requests_;
    if (!countsSectors(access.space()) || access.space() == format::Space::local || record.bytes == 0) return;
    if (isDense(record)) {
      const Span span = spanOf(record);
      const std::uint64_t first = span.low / sectorBytes, last = (span.high - 1) / sectorBytes;
      if (live_.farFromAll(first * sectorBytes, (last + 1) * sectorBytes, 1)) return;
      const Object* const object = objectOf(first);
      if (object && (first == last || object->holds(last * sectorBytes)))
        return count(access, *object, first, last - first + 1);
    }
    const Object* known = nullptr;
    eachSector(record, [&](std::uint64_t sector) {
      if (!known || !known->holds(sector * sectorBytes)) known = objectOf(sector);
      if (known) count(access, *known, sector, 1);
    });
  }

  void endLaunch(const Launch& launch) override {
    for (auto& [object, busiest] : now_) {
      ofObject_[indexOf(*object)] = nullptr;
      busiest.launchId = launch.id;
      busiest.ofLaunch = requests_;
      Busiest& worst = worst_[object];
      if (busiest.count.requests > worst.count.requests) worst = std::move(busiest);
    }
    now_.clear();
    overflowed_ = overflowed_ || sectors_.full();
    sectors_.clear();
  }

  void finish(std::vector<Finding>& findings) override;

 private:
  /// An object need not begin or end with a sector: variables of the file scope do not.
  const Object* objectOf(std::uint64_t sector) const {
    const Object* const holder = live_.find(sector * sectorBytes);
    return holder ? holder : live_.find(sector * sectorBytes + sectorBytes - 1);
  }

  /// An access to sectors of one object, one behind the other.
  void count(const Access& access, const Object& object, std::uint64_t sector, std::uint64_t sectors) {
    Busiest*& known = ofObject_[indexOf(object)];
    if (!known) known = &now_[&object];
    const std::uint32_t writes = access.site.writes() ? 1 : 0;
    while (sectors != 0) {
      const std::span<Sector> cells = sectors_.makeRun(sector, sectors);
      if (cells.empty()) return;
      for (Sector& cell : cells) {
        ++cell.requests;
        cell.writes += writes;
        if (cell.requests <= known->count.requests) continue;
        known->count = cell;
        known->sector = sector + static_cast<std::uint64_t>(&cell - cells.data());
        ++known->sites[access.site.number];
      }
      known->all += cells.size();
      sector += cells.size();
      sectors -= cells.size();
    }
  }
  std::size_t indexOf(const Object& object) const {
    return static_cast<std::size_t>(&object - model_.allocations.data());
  }

  const TraceModel& model_;
  LiveObjects live_;
  PagedCells<Sector> sectors_;
  std::map<const Object*, Busiest> now_, worst_;
  std::vector<Busiest*> ofObject_;  ///< those of now_, by the object's place in the model
  std::uint64_t requests_ = 0;      ///< of this launch
  bool overflowed_ = false;
};

void HotSectors::finish(std::vector<Finding>& findings) {
  for (const auto& [object, busiest] : worst_) {
    const double share = static_cast<double>(busiest.count.requests) / static_cast<double>(busiest.all);
    if (busiest.count.requests < leastRequests || share < leastShare) continue;
    Finding finding;
    auto site = busiest.sites.begin();
    for (auto each = site; each != busiest.sites.end(); ++each)
      if (each->second > site->second) site = each;
    static_cast<Place&>(finding) = model_.sites[site->first];
    const bool written = busiest.count.writes * 2 >= busiest.count.requests;
    const double part = static_cast<double>(busiest.count.requests) / static_cast<double>(busiest.ofLaunch);
    finding.severity = written && part >= warningFrom ? Finding::Severity::warning : Finding::Severity::info;
    const std::uint64_t begin = std::max(busiest.sector * sectorBytes, object->address) - object->address;
    finding.verdict = formatted(
        "hot sector: the 32 bytes at offset %llu of %s take %u of %llu requests (%.0f %%) in launch %lld",
        static_cast<unsigned long long>(begin),
        object->name.empty() ? object->api.c_str() : object->name.c_str(), busiest.count.requests,
        static_cast<unsigned long long>(busiest.all), 100 * share, static_cast<long long>(busiest.launchId));
    finding.why =
        written
            ? "writes to one sector queue up in one slice of L2"
            : "each multiprocessor reads it through L1; the sector itself is fetched from one slice of L2";
    finding.suggestion =
        written ? "give each block, or each warp, a copy of its own and add the copies up at the end"
                : "a kernel argument or constant memory serves a value that all threads read";
    finding.numbers = {{"requests", busiest.count.requests},
                       {"writes", busiest.count.writes},
                       {"object_requests", static_cast<double>(busiest.all)},
                       {"offset", static_cast<double>(begin)},
                       {"launch_id", static_cast<double>(busiest.launchId)}};
    findings.push_back(std::move(finding));
  }
  stableSort(findings,
             [](const Finding& a, const Finding& b) { return a.numbers[0].second > b.numbers[0].second; });
  if (!overflowed_) return;
  Finding note;
  note.verdict =
      "looked for only until the memory for it was used up: later sectors of large launches are not counted";
  findings.push_back(std::move(note));
}

}  // namespace

std::unique_ptr<AccessAnalysis> makeHotSectors(const TraceReader&, const TraceModel& model,
                                               const AnalysisOptions& options, Error&) {
  return std::make_unique<HotSectors>(model, options);
}

}  // namespace cui::db
