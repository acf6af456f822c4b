// See what_if.h.
#include "db/analyses/what_if.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <optional>

#include "db/analyses/access_scan.h"
#include "db/analyses/address_change.h"
#include "db/analyses/live_objects.h"
#include "db/analyses/stable_sort.h"
#include "db/store/values.h"

namespace cui::db {

namespace {

/// Changed allocations that grow get room of their own, so that the cache does not mix them with others.
constexpr std::uint64_t roomBegin = std::uint64_t{1} << 56, roomAlignment = 1 << 21;

struct ChangedObject {
  const LayoutChange* change = nullptr;
  AddressChange layout;
  std::uint64_t newAddress = 0;
};

bool matches(const Object& object, const std::string& name) {
  return object.name == name || (object.shared && object.function + "::" + object.name == name);
}

/// Where the separately accessed parts of a struct lie: overlapping accesses are one field.
class Fields {
 public:
  void add(std::uint64_t begin, std::uint64_t end) {
    auto next = fields_.lower_bound(begin);
    if (next != fields_.begin() && std::prev(next)->second > begin) --next;
    while (next != fields_.end() && next->first < end) {
      begin = std::min(begin, next->first);
      end = std::max(end, next->second);
      next = fields_.erase(next);
    }
    fields_[begin] = end;
  }
  /// Where fields start; what is never accessed is a field too.
  std::vector<std::uint64_t> starts(std::uint64_t structBytes) const {
    std::vector<std::uint64_t> result = {0};
    const auto push = [&](std::uint64_t start) {
      if (start > result.back() && start < structBytes) result.push_back(start);
    };
    for (const auto& [begin, end] : fields_) {
      push(begin);
      push(end);
    }
    return result;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> fields_;
};

/// The objects of the access: its launch's shared variables, or the allocations that live.
class Objects {
 public:
  explicit Objects(const TraceModel& model) : model_(model), live_(model) {}
  void beginLaunch(const Launch& launch) {
    live_.advance(launch);
    shared_ = model_.sharedOf(launch.id);
  }
  const Object* find(std::uint64_t address, format::Space space) const {
    if (space != format::Space::shared) return live_.find(address);
    for (const Object* each = shared_.first; each != shared_.second; ++each)
      if (each->holds(address)) return each;
    return nullptr;
  }

 private:
  const TraceModel& model_;
  LiveObjects live_;
  std::pair<const Object*, const Object*> shared_;
};

/// First pass, for structs: which parts are accessed on their own.
class FieldFinder : public AccessVisitor {
 public:
  FieldFinder(const TraceModel& model, const std::vector<LayoutChange>& changes)
      : changes_(changes), objects_(model) {}
  void beginLaunch(const Launch& launch) override { objects_.beginLaunch(launch); }
  void access(const Access& access) override {
    const AccessRecord& record = access.record;
    const Object* const object = objects_.find(record.address, access.space());
    if (!object || object->elementBytes == 0 || record.bytes == 0 || record.bytes >= object->elementBytes)
      return;
    for (const LayoutChange& change : changes_) {
      if (change.kind != LayoutChange::Kind::structOfArrays || !matches(*object, change.name)) continue;
      for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
        const std::uint64_t offset =
            (record.lane[static_cast<std::size_t>(std::countr_zero(rest))] - object->address) %
            object->elementBytes;
        if (offset + record.bytes <= object->elementBytes) fields[&change].add(offset, offset + record.bytes);
      }
    }
  }
  std::map<const LayoutChange*, Fields> fields;

 private:
  const std::vector<LayoutChange>& changes_;
  Objects objects_;
};

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
      : objects_(model), changed_(changed), model_(model) {
    if (!options.gpu) return;
    before_ = std::make_unique<CacheModel>(*options.gpu);
    after_ = std::make_unique<CacheModel>(*options.gpu);
  }

  void beginLaunch(const Launch& launch) override {
    objects_.beginLaunch(launch);
    if (!before_) return;
    std::uint64_t shared = 0, sharedAfter = 0;
    const auto [first, last] = model_.sharedOf(launch.id);
    for (const Object* each = first; each != last; ++each) {
      const auto found = changed_.find(each);
      shared += each->bytes;
      sharedAfter += found == changed_.end() ? each->bytes : found->second.layout.bytesAfter(each->bytes);
    }
    before_->beginLaunch(shared);
    after_->beginLaunch(sharedAfter);
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
    if (before_ && countsSectors(access.space())) simulate(access, object, found, site);
  }

  std::map<std::int64_t, WhatIfSite> sites;

 private:
  using Found = std::map<const Object*, ChangedObject>::const_iterator;

  void simulate(const Access& access, const Object* object, Found found, WhatIfSite& site) {
    const AccessRecord& record = access.record;
    const bool load = access.site.kind == format::Kind::load;
    site.cacheBefore += before_->access(record, record.lane, load);
    if (found == changed_.end()) {
      site.cacheAfter += after_->access(record, record.lane, load);
      return;
    }
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
      site.cacheAfter += after_->access(piece, lane, load);
    }
  }

  Objects objects_;
  const std::map<const Object*, ChangedObject>& changed_;
  const TraceModel& model_;
  std::unique_ptr<CacheModel> before_, after_;  ///< null: nothing is simulated
};

/// How the object's rows lie; 0 where that is not known.
struct Rows {
  std::uint64_t rows = 0, columns = 0, elementBytes = 0;
};

Rows rowsOf(const Object& object, const LayoutChange& change) {
  Rows result;
  result.elementBytes = object.elementBytes;
  const std::vector<std::uint64_t> dimensions = dimensionsOf(object.type);
  if (change.rowElements != 0)
    result.columns = change.rowElements;
  else if (object.pitch != 0 && object.elementBytes != 0)
    result.columns = object.pitch / object.elementBytes;
  else if (dimensions.size() >= 2)
    result.columns = dimensions.back();
  if (result.columns != 0 && result.elementBytes != 0)
    result.rows = object.bytes / (result.columns * result.elementBytes);
  return result;
}

class Planner {
 public:
  Planner(const std::map<const LayoutChange*, Fields>& fields, WhatIf& result)
      : fields_(fields), result_(result) {}

  Error plan(const LayoutChange& change, const Object& object) {
    std::string description;
    const Rows rows = rowsOf(object, change);
    std::optional<AddressChange> layout;
    if (object.elementBytes == 0)
      return {ErrorCode::sql, "the element size of " + change.name + " is not in the trace"};
    if (change.kind == LayoutChange::Kind::structOfArrays) {
      const auto found = fields_.find(&change);
      const std::vector<std::uint64_t> starts =
          found == fields_.end() ? std::vector<std::uint64_t>{0} : found->second.starts(object.elementBytes);
      layout = AddressChange::structOfArrays(object.elementBytes, object.bytes / object.elementBytes, starts);
      description = "structs of " + std::to_string(object.elementBytes) + " bytes as " +
                    std::to_string(starts.size()) + " arrays";
    } else {
      if (rows.columns == 0)
        return {ErrorCode::sql,
                "how long is a row of " + change.name + "? Say --row " + change.name + "=ELEMENTS"};
      description = "rows of " + std::to_string(rows.columns) + " elements of " +
                    std::to_string(rows.elementBytes) + " bytes, ";
      if (change.kind == LayoutChange::Kind::pad) {
        layout =
            AddressChange::padRows(rows.columns * rows.elementBytes, change.padElements * rows.elementBytes);
        description += "padded by " + std::to_string(change.padElements);
      } else {
        layout = AddressChange::swapIndices(rows.rows, rows.columns, rows.elementBytes);
        description += "indices swapped";
      }
    }
    const std::uint64_t bytes = layout->bytesAfter(object.bytes);
    std::uint64_t address = object.address;
    if (!object.shared) {
      address = room_;
      room_ += (bytes + roomAlignment) / roomAlignment * roomAlignment;
    }
    describe(change.name, description, object.bytes, bytes);
    changed.emplace(&object, ChangedObject{&change, std::move(*layout), address});
    return {};
  }

  std::map<const Object*, ChangedObject> changed;

 private:
  void describe(const std::string& name, const std::string& description, std::uint64_t before,
                std::uint64_t after) {
    for (WhatIfObject& each : result_.objects)
      if (each.name == name && each.description == description) {
        ++each.count;
        each.bytesBefore = std::max(each.bytesBefore, before);
        each.bytesAfter = std::max(each.bytesAfter, after);
        return;
      }
    result_.objects.push_back({name, description, 1, before, after});
  }

  const std::map<const LayoutChange*, Fields>& fields_;
  WhatIf& result_;
  std::uint64_t room_ = roomBegin;
};

Error planAll(const TraceModel& model, const WhatIfOptions& options, Planner& planner) {
  for (const LayoutChange& change : options.changes) {
    bool found = false;
    for (const std::vector<Object>* objects : {&model.allocations, &model.sharedVariables})
      for (const Object& object : *objects) {
        if (!matches(object, change.name)) continue;
        found = true;
        if (Error error = planner.plan(change, object)) return error;
      }
    if (found) continue;
    std::string known;
    for (const std::vector<Object>* objects : {&model.sharedVariables, &model.allocations})
      for (const Object& object : *objects)
        if (!object.name.empty() &&
            (", " + known + ", ").find(", " + object.name + ", ") == std::string::npos)
          known += (known.empty() ? "" : ", ") + object.name;
    return {ErrorCode::sql,
            "no allocation or shared variable is called " + change.name + "; there are: " + known};
  }
  return {};
}

}  // namespace

Error evaluateWhatIf(const TraceReader& reader, const WhatIfOptions& options, WhatIf& result) {
  result = {};
  TraceModel model;
  if (Error error = TraceModel::load(reader, model)) return error;
  ScanOptions scan;
  scan.progress = options.progress;
  std::uint64_t scanned = 0;
  FieldFinder finder(model, options.changes);
  const bool structs = std::any_of(
      options.changes.begin(), options.changes.end(),
      [](const LayoutChange& change) { return change.kind == LayoutChange::Kind::structOfArrays; });
  Planner planner(finder.fields, result);
  if (structs)
    if (Error error = scanAccesses(reader, model, scan, {&finder}, scanned)) return error;
  if (Error error = planAll(model, options, planner)) return error;
  Evaluation evaluation(model, options, planner.changed);
  if (Error error = scanAccesses(reader, model, scan, {&evaluation}, scanned)) return error;
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
