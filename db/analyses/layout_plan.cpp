// See layout_plan.h.
#include "db/analyses/layout_plan.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "db/analyses/live_objects.h"

namespace cui::db {

namespace {

/// Changed allocations that grow get room of their own, so that the cache does not mix them with others.
constexpr std::uint64_t roomBegin = std::uint64_t{1} << 56, roomAlignment = 1 << 21;

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
  AccessedObjects objects_;
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
  Planner(const std::map<const LayoutChange*, Fields>& fields, LayoutPlan& plan)
      : fields_(fields), plan_(plan) {}

  Error add(const LayoutChange& change, const Object& object) {
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
    plan_.changed.emplace(&object, ChangedObject{std::move(*layout), address});
    return {};
  }

 private:
  void describe(const std::string& name, const std::string& description, std::uint64_t before,
                std::uint64_t after) {
    for (WhatIfObject& each : plan_.objects)
      if (each.name == name && each.description == description) {
        ++each.count;
        each.bytesBefore = std::max(each.bytesBefore, before);
        each.bytesAfter = std::max(each.bytesAfter, after);
        return;
      }
    plan_.objects.push_back({name, description, 1, before, after});
  }

  const std::map<const LayoutChange*, Fields>& fields_;
  LayoutPlan& plan_;
  std::uint64_t room_ = roomBegin;
};

Error planAll(const TraceModel& model, const std::vector<LayoutChange>& changes, Planner& planner) {
  for (const LayoutChange& change : changes) {
    bool found = false;
    for (const std::vector<Object>* objects : {&model.allocations, &model.sharedVariables})
      for (const Object& object : *objects) {
        if (!matches(object, change.name)) continue;
        found = true;
        if (Error error = planner.add(change, object)) return error;
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

Error planLayout(const TraceReader& reader, const TraceModel& model, const std::vector<LayoutChange>& changes,
                 const ScanOptions& scan, LayoutPlan& plan) {
  plan = {};
  FieldFinder finder(model, changes);
  const bool structs = std::any_of(changes.begin(), changes.end(), [](const LayoutChange& change) {
    return change.kind == LayoutChange::Kind::structOfArrays;
  });
  std::uint64_t scanned = 0;
  if (structs)
    if (Error error = scanAccesses(reader, model, scan, {&finder}, scanned)) return error;
  Planner planner(finder.fields, plan);
  return planAll(model, changes, planner);
}

}  // namespace cui::db
