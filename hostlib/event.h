// What user threads hand to the drain thread. Everything is copied, except unit tables, which live as
// long as the process.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "cuinstrument/host/abi.h"
#include "hostlib/lane_logs.h"
#include "hostlib/slot.h"

namespace cui::hostlib {

struct UnitEvent {
  const format::UnitTable* unit;
  std::uint32_t siteBase;
};
struct DeviceEvent {
  CuiDevice device;  ///< strings: below
  std::string name, backend, driverVersion, runtimeVersion;
};
struct LaunchEvent {
  std::uint64_t launchId;
  CuiLaunch launch;
};
/// As of cuiGraphNode(). The id is of its first run, if there is one.
struct GraphNodeEvent {
  std::uint64_t launchId;
  CuiGraphNode node;
};
struct LaunchEndEvent {
  std::uint64_t launchId;
  std::int64_t hostEndNs;
  int error;
  std::string errorName;
};
/// As of cuiLaunchMade().
struct LaunchMadeEvent {
  LaunchEvent begun;
  LaunchEndEvent ended;
};
struct LaunchTimeEvent {
  std::uint64_t launchId;
  std::int64_t beginNs, endNs;  ///< beginNs may be CUI_BEGIN_IN_ENTRY
};
struct LibraryLaunchEvent {
  std::uint64_t launchId;
  CuiLibraryLaunch launch;  ///< strings: below
  std::string kernel, errorName;
};
struct GridBaseEvent {
  std::int32_t device;
  std::uint64_t nextGrid;
};
/// As of cuiDeviceTimer().
struct DeviceTimerEvent {
  std::int32_t device;
  std::int64_t offsetNs;
};
struct AllocationEvent {
  CuiAllocation allocation;
  std::string api;
};
struct FreeEvent {
  std::uint64_t address;
  std::string api;
  std::int64_t timeNs;
};
/// As of cuiHolds().
struct HoldsEvent {
  const format::UnitTable* unit;
  std::uint32_t callEntry;
  std::uint64_t address, bytes;
};
struct VariableEvent {
  const format::UnitTable* unit;
  std::uint32_t variable;
  std::uint64_t address, bytes;
  std::int32_t device;
};
struct MemoryEvent {
  CuiMemoryOperation operation;
  std::string api;
};
struct SynchronizationEvent {
  CuiSynchronization synchronization;
  std::string api;
};
/// A range that the program marks, or a moment.
struct PhaseEvent {
  std::uint64_t id, parent;  ///< parent 0: none
  std::int64_t beginNs;
  std::string name;
};
struct PhaseEndEvent {
  std::uint64_t id;
  std::int64_t endNs;
};
struct RecordsEvent {
  std::vector<Slot> slots;
  std::int32_t device = -1;  ///< whose grids the records name; -1: they name launches
};
struct LaneLogsEvent {  ///< lane_logs.h
  LaneLogs::Slots logs;
  std::int32_t device;
  bool isLast;  ///< all of these warps' are there
};
struct CountersEvent {
  std::int32_t device;
  std::vector<CuiCounter> counters;
};
struct ProfileEvent {
  std::int32_t device;
  std::vector<CuiProfile> profiles;
};
struct StatEvent {
  std::string name, severity;
  std::int64_t value;
  std::uint64_t launchId;
  std::string detail;
};
/// As of cuiTakeOpenChunks().
struct OpenChunksEvent {
  std::int32_t device;
  std::uint64_t taken;
  bool again;
};
struct DetachChunksEvent {
  std::int32_t device;
};
/// The device is idle and its ring has been read up to `produced`.
struct SettleEvent {
  std::int32_t device;
};

using Event =
    std::variant<UnitEvent, DeviceEvent, LaunchEvent, LaunchMadeEvent, GraphNodeEvent, LaunchEndEvent,
                 LaunchTimeEvent, LibraryLaunchEvent, GridBaseEvent, DeviceTimerEvent, AllocationEvent,
                 FreeEvent, HoldsEvent, VariableEvent, MemoryEvent, SynchronizationEvent, PhaseEvent,
                 PhaseEndEvent, RecordsEvent, LaneLogsEvent, CountersEvent, ProfileEvent, StatEvent,
                 OpenChunksEvent, DetachChunksEvent, SettleEvent>;

}  // namespace cui::hostlib
