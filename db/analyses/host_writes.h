// What the host does to memory between launches: fresh allocations, copies and fills.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "db/analyses/trace_model.h"
#include "db/analyses/written_words.h"

namespace cui::db {

class HostWrites {
 public:
  static Error load(const TraceReader& reader, const TraceModel& model, HostWrites& writes);
  /// What happened until then, in time order: what is allocated is fresh, then the host fills it.
  void applyUntil(std::int64_t timeNs, WrittenWords& written);

 private:
  struct Write {
    std::int64_t timeNs = 0;
    std::uint64_t address = 0, bytes = 0;
    bool rows = false;  ///< 2D or 3D: the range is larger than the bytes
  };
  void apply(const Write& write, WrittenWords& written) const;

  std::vector<Write> writes_;
  std::vector<const Object*> births_;
  std::size_t nextBirth_ = 0, nextWrite_ = 0;
  std::map<std::uint64_t, const Object*> current_;  ///< the youngest allocation at an address
};

}  // namespace cui::db
