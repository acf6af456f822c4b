// The C interface (host/abi.h): copies what it is given and hands it to the drain.
#include "cuinstrument/host/abi.h"

#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

#include "hostlib/kernel_name.h"
#include "hostlib/rescue.h"
#include "hostlib/session.h"

using cui::hostlib::Drain;
using cui::hostlib::Session;
namespace hostlib = cui::hostlib;

namespace {

Drain* recorder() {
  return Session::instance().drain();
}
std::string copy(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

thread_local int innerCalls = 0;
thread_local int launchesUnderWay = 0;

hostlib::LaunchEndEvent endOf(std::uint64_t id, std::int64_t hostEndNs, int error, const char* errorName) {
  return {id, hostEndNs, error, error == 0 ? std::string() : copy(errorName)};
}

/// Pushes what `make` returns of a new launch's number, which is returned: both are in the same order.
template <class Make>
std::uint64_t pushNumbered(const Make& make) {
  Session& session = Session::instance();
  Drain* const drain = session.drain();
  if (drain == nullptr) return session.nextLaunchId();
  std::uint64_t id = 0;
  drain->queue().pushOrdered([&]() -> hostlib::Event { return make(id = session.nextLaunchId()); });
  return id;
}

}  // namespace

/// Of the interface, which has no classes.
struct CuiRescue {
  hostlib::Rescue rescue;
};

extern "C" {

std::int64_t cuiNow(void) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::uint32_t cuiRegisterUnit(std::uint32_t abiVersion, const cui::format::UnitTable* unit) {
  return Session::instance().registerUnit(abiVersion, *unit);
}

void cuiHostSide(const cui::format::UnitTable* unit, std::uint32_t expected, std::uint32_t present) {
  Session::instance().checkHostSide(*unit, expected, present);
}

int cuiUnitModes(const cui::format::UnitTable* unit, std::uint32_t modes) {
  return Session::instance().checkModes(*unit, modes) ? 1 : 0;
}

int cuiRecording(void) {
  return Session::instance().recording() ? 1 : 0;
}

int cuiTakesPlainCode(const cui::format::UnitTable* unit) {
  return Session::instance().takesPlainCode(*unit) ? 1 : 0;
}

const CuiOptions* cuiOptions(void) {
  return &Session::instance().options();
}

std::uint64_t cuiLaunchBegin(const CuiLaunch* launch) {
  return pushNumbered([&](std::uint64_t id) { return hostlib::LaunchEvent{id, *launch}; });
}

std::uint64_t cuiLaunchMade(const CuiLaunch* launch, std::int64_t hostEndNs, int error,
                            const char* errorName) {
  return pushNumbered([&](std::uint64_t id) {
    return hostlib::LaunchMadeEvent{{id, *launch}, endOf(id, hostEndNs, error, errorName)};
  });
}

int cuiLaunchSelected(const cui::format::UnitTable* unit, std::uint32_t launchEntry, std::uint64_t launchId) {
  return Session::instance().launchSelected(unit, launchEntry, launchId) ? 1 : 0;
}

void cuiLaunchEnd(std::uint64_t launchId, std::int64_t hostEndNs, int error, const char* errorName) {
  if (Drain* const drain = recorder()) drain->push(endOf(launchId, hostEndNs, error, errorName));
}

void cuiLaunchTime(std::uint64_t launchId, std::int64_t beginNs, std::int64_t endNs) {
  if (Drain* const drain = recorder()) drain->push(hostlib::LaunchTimeEvent{launchId, beginNs, endNs});
}

void cuiGraphNode(const CuiGraphNode* node) {
  if (recorder() == nullptr) return;
  pushNumbered([&](std::uint64_t id) { return hostlib::GraphNodeEvent{id, *node}; });
}

const char* cuiKernelName(const char* symbol) {
  return hostlib::kernelName(symbol);
}

void cuiSetLaunchesUnderWay(int count) {
  launchesUnderWay = count;
}

int cuiLaunchesUnderWay(void) {
  return launchesUnderWay;
}

void cuiLibraryLaunch(const CuiLibraryLaunch* launch) {
  if (recorder() == nullptr) return;
  pushNumbered([&](std::uint64_t id) {
    return hostlib::LibraryLaunchEvent{id, *launch, copy(launch->kernel), copy(launch->errorName)};
  });
}

void cuiDeviceGridBase(std::int32_t device, std::uint64_t nextGridId) {
  if (Drain* const drain = recorder()) drain->push(hostlib::GridBaseEvent{device, nextGridId});
}
void cuiDeviceTimer(std::int32_t device, std::int64_t offsetNs) {
  if (Drain* const drain = recorder()) drain->push(hostlib::DeviceTimerEvent{device, offsetNs});
}

void cuiAllocated(const CuiAllocation* allocation) {
  if (Drain* const drain = recorder())
    drain->push(hostlib::AllocationEvent{*allocation, copy(allocation->api)});
}

void cuiFreed(std::uint64_t address, const char* api, std::int64_t timeNs) {
  if (Drain* const drain = recorder()) drain->push(hostlib::FreeEvent{address, copy(api), timeNs});
}

void cuiHolds(const cui::format::UnitTable* unit, std::uint32_t callEntry, std::uint64_t address,
              std::uint64_t bytes) {
  if (address == 0) return;
  if (Drain* const drain = recorder()) drain->push(hostlib::HoldsEvent{unit, callEntry, address, bytes});
}

void cuiBeginInnerCalls(void) {
  ++innerCalls;
}

void cuiEndInnerCalls(void) {
  --innerCalls;
}

int cuiInnerCall(void) {
  return innerCalls;
}

void cuiVariable(const cui::format::UnitTable* unit, std::uint32_t variableEntry, std::uint64_t address,
                 std::uint64_t bytes, std::int32_t device) {
  if (Drain* const drain = recorder())
    drain->push(hostlib::VariableEvent{unit, variableEntry, address, bytes, device});
}

void cuiMemoryOperation(const CuiMemoryOperation* operation) {
  if (Drain* const drain = recorder()) drain->push(hostlib::MemoryEvent{*operation, copy(operation->api)});
}

void cuiSynchronization(const CuiSynchronization* synchronization) {
  if (Drain* const drain = recorder())
    drain->push(hostlib::SynchronizationEvent{*synchronization, copy(synchronization->api)});
}

void cuiDevice(const CuiDevice* device) {
  if (Drain* const drain = recorder())
    drain->push(hostlib::DeviceEvent{*device, copy(device->name), copy(device->backend),
                                     copy(device->driverVersion), copy(device->runtimeVersion)});
}

void cuiSubmitGrids(std::int32_t device, const void* slots, std::size_t slotCount) {
  Drain* const drain = recorder();
  if (drain == nullptr || slotCount == 0) return;
  const auto* first = static_cast<const hostlib::Slot*>(slots);
  drain->push(hostlib::RecordsEvent{std::vector<hostlib::Slot>(first, first + slotCount), device});
}

void cuiSubmitLaneLogs(std::int32_t device, const void* logs, std::size_t slotCount, int last) {
  Drain* const drain = recorder();
  if (drain == nullptr) return;
  const auto* first = static_cast<const hostlib::Slot*>(logs);
  auto slots = std::make_shared<const std::vector<hostlib::Slot>>(first, first + slotCount);
  drain->push(hostlib::LaneLogsEvent{std::move(slots), device, last != 0});
}

void cuiSubmit(const void* slots, std::size_t slotCount) {
  cuiSubmitGrids(-1, slots, slotCount);
}

void cuiAttachRing(const CuiRing* ring) {
  if (Drain* const drain = recorder()) drain->attachRing(*ring);
}

std::uint64_t cuiDrainRing(const CuiRing* ring, std::uint64_t produced, std::int64_t timeoutNs, int last) {
  Drain* const drain = recorder();
  return drain == nullptr ? 0
                          : drain->drainRing(*ring, produced, std::chrono::nanoseconds(timeoutNs), last != 0);
}

void cuiAttachChunks(const CuiChunks* chunks) {
  if (Drain* const drain = recorder()) drain->attachChunks(*chunks);
}

void cuiTakeOpenChunks(std::int32_t device, std::uint64_t taken, int again) {
  if (Drain* const drain = recorder()) drain->push(hostlib::OpenChunksEvent{device, taken, again != 0});
}

int cuiDetachChunks(std::int32_t device) {
  Drain* const drain = Session::instance().anyDrain();
  return drain == nullptr || drain->detachChunks(device) ? 1 : 0;
}

void cuiCounters(std::int32_t device, const CuiCounter* counters, std::size_t count) {
  if (Drain* const drain = recorder())
    drain->push(hostlib::CountersEvent{device, std::vector<CuiCounter>(counters, counters + count)});
}

void cuiProfile(std::int32_t device, const CuiProfile* profiles, std::size_t count) {
  if (Drain* const drain = recorder())
    drain->push(hostlib::ProfileEvent{device, std::vector<CuiProfile>(profiles, profiles + count)});
}

CuiRescue* cuiRescueBegin(const void* uuid, const void* handles, std::uint32_t count) {
  hostlib::RescueBegin begin = {};
  if (count > CUI_MOST_EXPORTS) return nullptr;
  begin.count = count;
  std::memcpy(begin.uuid, uuid, sizeof begin.uuid);
  std::memcpy(begin.handles, handles, count * sizeof begin.handles[0]);
  auto made = std::make_unique<CuiRescue>();
  return made->rescue.begin(begin, {}) ? made.release() : nullptr;
}

int cuiRescueRead(CuiRescue* rescue, std::uint32_t which, std::uint64_t offset, void* to, std::size_t bytes) {
  return rescue->rescue.read(which, offset, to, bytes) ? 1 : 0;
}

void cuiRescueEnd(CuiRescue* rescue) {
  delete rescue;
}

void cuiStat(const char* name, const char* severity, std::int64_t value, std::uint64_t launchId,
             const char* detail) {
  if (Drain* const drain = recorder())
    drain->push(hostlib::StatEvent{copy(name), copy(severity), value, launchId, copy(detail)});
}

void cuiAtClose(void (*function)(void)) {
  Session::instance().atClose(function);
}

void cuiFlush(void) {
  if (Drain* const drain = recorder()) drain->flush();
}
}
