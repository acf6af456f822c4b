// What a program does beside launches, on its way to the database: rows of `allocation`, `memory_operation`,
// `synchronization` and `phase`, and what becomes of them later. Pointers and views are of what Units keeps.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "cuinstrument/format/unit.h"
#include "db/store/trace_writer.h"
#include "db/store/units.h"

namespace cui::db {

struct AllocationValues {
  std::string api;
  std::string_view name, type, caller;
  const Position* position = nullptr;
  std::uint32_t elementBytes = 0;
  std::uint64_t address = 0, bytes = 0, pitch = 0;
  std::int32_t device = 0;
  format::Space space = format::Space::global;
  std::int64_t timeNs = 0;
};
/// The last allocation at the address that has not been freed.
struct FreedValues {
  std::uint64_t address = 0;
  std::string api;
  std::int64_t timeNs = 0;
};
/// Of the same: what holds its address.
struct NamedValues {
  std::uint64_t address = 0;
  const CallInfo* call = nullptr;
};
struct MemoryOperationValues {
  MemoryOperationRow row;  ///< but for its name
  std::string api;
  const CallInfo* call = nullptr;
};
struct SynchronizationValues {
  SynchronizationRow row;  ///< but for its name
  std::string api;
  const CallInfo* call = nullptr;
};
struct PhaseValues {
  std::uint64_t id = 0, parent = 0;  ///< parent 0: none
  std::string name;
  std::int64_t beginNs = 0;
};
struct PhaseEndValues {
  std::uint64_t id = 0;
  std::int64_t endNs = 0;
};

using EventValues = std::variant<AllocationValues, FreedValues, NamedValues, MemoryOperationValues,
                                 SynchronizationValues, PhaseValues, PhaseEndValues>;

}  // namespace cui::db
