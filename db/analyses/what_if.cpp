// See what_if.h.
#include "db/analyses/what_if.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>

#include "db/analyses/access_scan.h"
#include "db/analyses/cache_simulation.h"
#include "db/analyses/live_objects.h"
#include "db/analyses/stable_sort.h"
#include "db/store/trace_reader.h"
#include "db/store/values.h"

namespace cui::db {

namespace {

/// For accesses that wait for their turn in each simulation.
constexpr std::uint64_t simulationBytes = std::uint64_t{256} << 20;

Traffic trafficOf(const AccessRecord& record, const AccessCost& cost, std::uint32_t requests) {
  const format::Space space = format::spaceOf(record.flags);
  const auto lanes = static_cast<std::uint64_t>(std::popcount(record.mask));
  Traffic traffic;
  traffic.requests = requests;
  traffic.threadAccesses = lanes;
  traffic.bytes = lanes * record.bytes;
  traffic.sectors = cost.sectors;
  traffic.idealSectors = cost.idealSectors;
  traffic.wavefronts = cost.wavefronts;
  traffic.idealWavefronts = cost.idealWavefronts;
  traffic.bankConflicts = cost.wavefronts - std::min(cost.wavefronts, cost.idealWavefronts);
  traffic.sectorRequests = countsSectors(space) ? requests : 0;
  traffic.wavefrontRequests = countsWavefronts(space) ? requests : 0;
  return traffic;
}

class Evaluation : public AccessVisitor {
 public:
  Evaluation(const TraceModel& model, const WhatIfOptions& options,
             const std::map<const Object*, ChangedObject>& changed)
      : objects_(model), changed_(changed), model_(model), cold_(options.coldL2) {
    if (!options.gpu) return;
    const auto simulate = [&](CacheTraffic WhatIfSite::* ofSite, CacheTraffic WhatIfKernel::* ofKernel) {
      return std::make_unique<CacheSimulation>(
          *options.gpu, simulationBytes,
          [this, ofSite, ofKernel](std::uint32_t siteNumber, const CacheTraffic& traffic) {
            sites[model_.sites[siteNumber].siteId].*ofSite += traffic;
            kernels[kernel_].*ofKernel += traffic;
          });
    };
    before_ = simulate(&WhatIfSite::cacheBefore, &WhatIfKernel::cacheBefore);
    if (!changed.empty()) after_ = simulate(&WhatIfSite::cacheAfter, &WhatIfKernel::cacheAfter);
  }

  void beginLaunch(const Launch& launch) override {
    objects_.beginLaunch(launch);
    if (!before_) return;
    const auto [number, isNew] = kernelNumbers_.try_emplace(launch.kernel, kernels.size());
    if (isNew) kernels.push_back({launch.kernel, 0, {}, {}});
    kernel_ = number->second;
    ++kernels[kernel_].launches;
    std::uint64_t shared = 0, sharedAfter = 0;
    const auto [first, last] = model_.sharedOf(launch.id);
    for (const Object* each = first; each != last; ++each) {
      const auto found = changed_.find(each);
      shared += each->bytes;
      sharedAfter += found == changed_.end() ? each->bytes : found->second.layout.bytesAfter(each->bytes);
    }
    before_->beginLaunch(launch, shared, cold_);
    if (after_) after_->beginLaunch(launch, sharedAfter, cold_);
  }
  void endLaunch(const Launch&) override {
    if (!before_) return;
    before_->endLaunch();
    if (after_) after_->endLaunch();
  }

  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    WhatIfSite& site = sites[access.site.siteId];
    if (site.siteId == 0) {
      static_cast<Place&>(site) = access.site;
      site.kind = nameOf(access.site.kind);
    }
    const Object* const object = objects_.find(record.address, access.space());
    const auto found = object ? changed_.find(object) : changed_.end();
    const Traffic traffic = trafficOf(record, measureRecord(record), 1);
    site.before += traffic;
    if (found == changed_.end()) {
      site.after += traffic;
    } else {
      site.changed = true;
      std::uint32_t requests = 1;
      const AccessCost cost = measureChanged(record, found->second.layout, object->address, object->bytes,
                                             found->second.newAddress, requests);
      site.after += trafficOf(record, cost, requests);
    }
    if (!before_ || !countsSectors(access.space())) return;
    before_->add(record, access.site.kind, access.site.number);
    if (after_) addChanged(access, object, found);
  }

  /// Without a change everything is after it what it was before.
  void finish() {
    if (after_) return;
    for (auto& [id, site] : sites) site.cacheAfter = site.cacheBefore;
    for (WhatIfKernel& kernel : kernels) kernel.cacheAfter = kernel.cacheBefore;
  }

  std::map<std::int64_t, WhatIfSite> sites;
  std::vector<WhatIfKernel> kernels;

 private:
  using Found = std::map<const Object*, ChangedObject>::const_iterator;

  void addChanged(const Access& access, const Object* object, Found found) {
    const AccessRecord& record = access.record;
    const Site& site = access.site;
    if (found == changed_.end()) return after_->add(record, site.kind, site.number);
    // Piece by piece, as measureChanged() does it, but a struct's pieces lane by lane.
    const AddressChange& layout = found->second.layout;
    AccessRecord piece = record;
    std::array<std::uint64_t, format::lanesPerWarp> lane{};
    for (std::uint32_t done = 0; done < record.bytes; done += piece.bytes) {
      piece.bytes = record.bytes - done;
      for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(rest));
        const std::uint64_t offset = record.lane[i] - object->address + done;
        const bool inside = offset < object->bytes;
        if (inside)
          piece.bytes = std::min(piece.bytes, static_cast<std::uint32_t>(layout.run(offset, piece.bytes)));
        lane[i] = inside ? found->second.newAddress + layout.map(offset) : record.lane[i] + done;
      }
      after_->add(piece, lane, site.kind, site.number);
    }
  }

  AccessedObjects objects_;
  const std::map<const Object*, ChangedObject>& changed_;
  const TraceModel& model_;
  const bool cold_;
  std::unique_ptr<CacheSimulation> before_, after_;   ///< null: not simulated
  std::map<std::string, std::size_t> kernelNumbers_;  ///< indices of `kernels`
  std::size_t kernel_ = 0;
};

}  // namespace

Error evaluateWhatIf(const TraceReader& reader, const WhatIfOptions& options, WhatIf& result) {
  result = {};
  if (!keepsAccesses(reader)) return {ErrorCode::sql, reader.path() + ": " + noAccesses};
  TraceModel model;
  if (Error error = TraceModel::load(reader, model)) return error;
  ScanOptions scan;
  scan.progress = options.progress;
  LayoutPlan plan;
  if (Error error = planLayout(reader, model, options.changes, scan, plan)) return error;
  result.objects = std::move(plan.objects);
  Evaluation evaluation(model, options, plan.changed);
  std::uint64_t scanned = 0;
  if (Error error = scanAccesses(reader, model, scan, {&evaluation}, scanned)) return error;
  evaluation.finish();
  result.kernels = std::move(evaluation.kernels);
  for (auto& [id, site] : evaluation.sites) {
    result.before += site.before;
    result.after += site.after;
    result.cacheBefore += site.cacheBefore;
    result.cacheAfter += site.cacheAfter;
    if (site.changed || options.gpu) result.sites.push_back(std::move(site));
  }
  stableSort(result.sites,
             [](const WhatIfSite& a, const WhatIfSite& b) { return a.before.cost() > b.before.cost(); });
  return {};
}

}  // namespace cui::db
