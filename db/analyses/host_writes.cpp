// See host_writes.h.
#include "db/analyses/host_writes.h"

#include <iterator>

#include "db/analyses/stable_sort.h"
#include "db/store/trace_reader.h"

namespace cui::db {

Error HostWrites::load(const TraceReader& reader, const TraceModel& model, HostWrites& writes) {
  for (const Object& object : model.allocations) writes.births_.push_back(&object);
  stableSort(writes.births_,
             [](const Object* a, const Object* b) { return a->allocatedNs < b->allocatedNs; });
  return reader.query(
      "SELECT begin_ns, destination, bytes, api FROM memory_operation WHERE error = 0 ORDER BY begin_ns",
      [&](Row row) {
        const std::string api = asText(row[3]);
        writes.writes_.push_back(
            {asInteger(row[0]), asUnsigned(row[1]), asUnsigned(row[2]),
             api.find("2D") != std::string::npos || api.find("3D") != std::string::npos});
        return true;
      });
}

void HostWrites::applyUntil(std::int64_t timeNs, WrittenWords& written) {
  while (nextBirth_ < births_.size() || nextWrite_ < writes_.size()) {
    const bool birth =
        nextBirth_ < births_.size() &&
        (nextWrite_ == writes_.size() || births_[nextBirth_]->allocatedNs <= writes_[nextWrite_].timeNs);
    if ((birth ? births_[nextBirth_]->allocatedNs : writes_[nextWrite_].timeNs) > timeNs) return;
    if (birth) {
      const Object& object = *births_[nextBirth_++];
      if (object.deviceOnly) written.forget(object.address, object.bytes);
      current_[object.address] = &object;
    } else {
      apply(writes_[nextWrite_++], written);
    }
  }
}

void HostWrites::apply(const Write& write, WrittenWords& written) const {
  const auto next = current_.upper_bound(write.address);
  const Object* const object = next == current_.begin() ? nullptr : std::prev(next)->second;
  if (write.rows && object && object->holds(write.address))
    written.write(object->address, object->bytes);
  else
    written.write(write.address, write.bytes);
}

}  // namespace cui::db
