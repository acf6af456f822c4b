#include "hostlib/router.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace cui::hostlib {
Router::Router(RecordSink& sink, const UnitRegistry& units, std::function<std::uint64_t()> newLaunchId,
               std::uint64_t holdBytes, Selection selection, std::int64_t untilNs)
    : sink_(sink),
      units_(units),
      newLaunchId_(std::move(newLaunchId)),
      holdBytes_(holdBytes),
      selection_(std::move(selection)),
      untilNs_(untilNs) {}

void Router::attachRing(std::int32_t device) {
  devices_.try_emplace(device);
}

void Router::handle(const Event& event) {
  std::visit([this](const auto& e) { on(e); }, event);
}

// --- events that only pass through

void Router::on(const UnitEvent& e) {
  sink_.addUnit(*e.unit, e.siteBase);
}
void Router::on(const DeviceEvent& e) {
  CuiDevice device = e.device;
  device.name = e.name.c_str();
  device.backend = e.backend.c_str();
  device.driverVersion = e.driverVersion.c_str();
  device.runtimeVersion = e.runtimeVersion.c_str();
  sink_.addDevice(device);
}
void Router::on(const AllocationEvent& e) {
  CuiAllocation allocation = e.allocation;
  allocation.api = e.api.c_str();
  sink_.addAllocation(allocation);
  if (allocation.unit)
    unnamed_.erase(allocation.address);
  else
    unnamed_[allocation.address] = allocation.bytes;
}
void Router::on(const FreeEvent& e) {
  unnamed_.erase(e.address);
  sink_.addFree(e.address, e.api, e.timeNs);
}
/// The first name stays. A pool, of which the container has a part, is not the container's: what it holds
/// must be at the front, and most of it.
void Router::on(const HoldsEvent& e) {
  const auto next = unnamed_.upper_bound(e.address);
  if (next == unnamed_.begin()) return;
  const auto memory = std::prev(next);
  constexpr std::uint64_t alignment = 512;
  const auto [begin, bytes] = *memory;
  if (e.address - begin >= std::min(bytes, alignment)) return;
  if (e.bytes != 0 && bytes / 2 > e.bytes + alignment) return;
  unnamed_.erase(memory);
  sink_.nameAllocation(begin, *e.unit, e.callEntry);
}
void Router::on(const VariableEvent& e) {
  sink_.addVariable(*e.unit, e.variable, e.address, e.bytes, e.device);
}
void Router::on(const MemoryEvent& e) {
  CuiMemoryOperation operation = e.operation;
  operation.api = e.api.c_str();
  sink_.addMemoryOperation(operation);
}
void Router::on(const SynchronizationEvent& e) {
  CuiSynchronization synchronization = e.synchronization;
  synchronization.api = e.api.c_str();
  sink_.addSynchronization(synchronization);
}
void Router::on(const PhaseEvent& e) {
  sink_.beginPhase(e.id, e.parent, e.name, e.beginNs);
}
void Router::on(const PhaseEndEvent& e) {
  sink_.endPhase(e.id, e.endNs);
}
void Router::on(const StatEvent& e) {
  stat(e.name, e.severity, e.value, e.launchId, e.detail);
}

// --- devices

void Router::on(const GridBaseEvent& e) {
  // Again after a device reset: grid numbers start anew.
  if (const auto found = devices_.find(e.device); found != devices_.end()) {
    giveUp(e.device, found->second);
    releaseCounters(found->second);
    releaseRunCounters(found->second);
    releaseProfile(found->second, true);
    releaseTimes(found->second);
    devices_.erase(found);
  }
  devices_[e.device].matcher.setBase(e.nextGrid);
}

void Router::on(const DeviceTimerEvent& e) {
  devices_[e.device].times.setOffset(e.offsetNs);
}

void Router::on(const SettleEvent& e) {
  const auto found = devices_.find(e.device);
  if (found == devices_.end()) return;
  found->second.matcher.settle();
  adoptNodes(found->second);
  // What has not entered yet may be the one whose records have come.
  if (found->second.matcher.firstSilent() == 0) adoptLibraryKernels(found->second);
  releaseMatches(found->second);
  // With others beside, theirs would be cut in pieces.
  if (devices_.size() == 1) sink_.settleLaunches();
  releaseCounters(found->second);
  releaseProfile(found->second, false);
}

// --- records

void Router::on(const RecordsEvent& e) {
  route(e.device, e.slots.data(), e.slots.size());
}

void Router::on(const LaneLogsEvent& e) {
  Grids& grids = devices_[e.device];
  grids.logs.add(e.logs);
  if (!e.isLast) return;
  const std::uint64_t lost = grids.logs.take([&](const std::vector<Slot>& records) {
    route(&grids, records.data(), records.size());
    relieve(e.device, &grids);
  });
  if (lost != 0)
    stat("lane_log_entries_lost", "data_loss", static_cast<std::int64_t>(lost), 0,
         "of blocks of a sample, whose other lanes' entries have not arrived");
}

void Router::route(std::int32_t device, const Slot* slots, std::size_t count) {
  Grids* const grids = gridsOf(device);
  route(grids, slots, count);
  relieve(device, grids);
}

void Router::route(std::int32_t device, SlotBatch& batch) {
  Grids* const grids = gridsOf(device);
  for (const SlotBatch::Run& run : batch.runs()) {
    const Slot* const slots = batch.data() + run.begin;
    const std::size_t count = run.end - run.begin;
    const auto launch = run.areSingles ? launchOfSingles(grids, run.key) : std::nullopt;
    if (!launch)
      route(grids, slots, count);
    else if (undecided_.count(*launch) != 0)
      hold(*launch, slots, count);
    else if (leftOut_.count(*launch) != 0)
      continue;
    else if (count == batch.size())
      sink_.takeSingles(*launch, batch.memory(), count, run.minSite, run.maxSite);
    else
      sink_.addSingles(*launch, slots, count, run.minSite, run.maxSite);
  }
  relieve(device, grids);
}

Router::Grids* Router::gridsOf(std::int32_t device) {
  const auto found = devices_.find(device);
  return found == devices_.end() ? nullptr : &found->second;
}

void Router::route(Grids* grids, const Slot* slots, std::size_t count) {
  for (std::size_t begin = 0; begin < count;) {
    const std::uint32_t key = launchKeyOf(slots[begin]);
    std::size_t taken = routeSingles(grids, key, slots + begin, count - begin);
    if (taken == 0) taken = routeMixed(grids, key, slots + begin, count - begin);
    begin += taken;
  }
}

/// Hands on what is known by now, and keeps what is held within its bound.
void Router::relieve(std::int32_t device, Grids* grids) {
  if (grids == nullptr) return;
  releaseMatches(*grids);
  if (heldBytes_ > holdBytes_) guess(*grids);
  if (heldBytes_ > holdBytes_) giveUp(device, *grids);
}

/// Whose accesses can go to it without another look. Of the CPU backend (`grids` null) always one.
std::optional<std::uint64_t> Router::launchOfSingles(const Grids* grids, std::uint32_t key) const {
  if (grids == nullptr) return recentLaunch(key);
  if (grids->runs.isRepeated(key) || grids->held.count(key) != 0) return std::nullopt;
  return grids->matcher.find(key);
}

/// A stretch of accesses that need not be looked at one by one. Returns the slots taken; 0: it is none.
std::size_t Router::routeSingles(Grids* grids, std::uint32_t key, const Slot* slots, std::size_t count) {
  constexpr std::size_t worthwhile = 8;
  const Singles singles = leadingSingles(slots, count, key);
  if (singles.count < worthwhile) return 0;
  const auto launch = launchOfSingles(grids, key);
  if (!launch)
    routeGrid(*grids, key, slots, singles.count);
  else if (undecided_.count(*launch) != 0)
    hold(*launch, slots, singles.count);
  else if (leftOut_.count(*launch) == 0)
    sink_.addSingles(*launch, slots, singles.count, singles.minSite, singles.maxSite);
  return singles.count;
}

/// Records of one launch, up to a stretch that routeSingles() may take. Returns the slots taken.
std::size_t Router::routeMixed(Grids* grids, std::uint32_t key, const Slot* slots, std::size_t count) {
  constexpr std::size_t stretch = 64;
  std::size_t end = 0, stretchBegin = 0;
  for (; end < count && launchKeyOf(slots[end]) == key; end += slotsOf(slots[end])) {
    const bool single = format::isSingleAccess(flagsOf(slots[end]));
    if (grids != nullptr && !single && !isPlain(slots[end])) announce(*grids, key, slots[end]);
    if (!single)
      stretchBegin = 0;
    else if (stretchBegin == 0)
      stretchBegin = end;
    else if (end - stretchBegin == stretch) {
      end = stretchBegin;
      break;
    }
  }
  if (end > count) end = count;  // not a whole record: the writer refuses it
  if (grids != nullptr)
    routeGrid(*grids, key, slots, end);
  else
    write(recentLaunch(key), slots, end);
  return end;
}

/// What a record that is no plain access says of its grid.
void Router::announce(Grids& grids, std::uint32_t key, const Slot& record) {
  grids.runs.look(key, record);
  if (!isEntry(record)) return;
  if (grids.runs.isRepeated(key)) grids.matcher.repeats(key);
  const LaunchShape entry = {units_.kernelName(siteOf(record), kernelNumberOf(record)), blockOf(record),
                             activeMaskOf(record)};
  if (const std::uint32_t run = numberOf(record); run != 0 && grids.nodes.haveChanged())
    grids.runShapes[{key, run}] = entry;
  else if (const auto runs = grids.profileRuns.find(key); run == 0 && runs != grids.profileRuns.end())
    ++runs->second.begun;  // where runs are not counted by the device
  if (!grids.matcher.find(key)) grids.times.entered(key, kernelBeganOf(record));
  grids.matcher.entered(key, entry);
  releaseMatches(grids);
}

void Router::routeGrid(Grids& grids, std::uint32_t key, const Slot* slots, std::size_t count) {
  const auto launch = grids.matcher.find(key);
  if (launch && grids.held.find(key) == grids.held.end()) return writeGrid(grids, key, *launch, slots, count);
  std::vector<Slot>& held = grids.held[key];
  held.insert(held.end(), slots, slots + count);
  heldBytes_ += count * sizeof(Slot);
}

void Router::releaseMatches(Grids& grids) {
  for (const Match& match : grids.matcher.takeMatches()) {
    decide(match.launchId, match.kernel);
    beginNode(grids, match);
    writeTime(grids.times.matched(match.key, match.launchId));
    const auto held = grids.held.find(match.key);
    if (held == grids.held.end()) continue;
    writeGrid(grids, match.key, match.launchId, held->second.data(), held->second.size());
    heldBytes_ -= held->second.size() * sizeof(Slot);
    grids.held.erase(held);
  }
}

// --- the end

void Router::finish() {
  for (auto& [device, grids] : devices_) {
    giveUp(device, grids, true);
    releaseCounters(grids);
    releaseRunCounters(grids);
    if (!grids.counters.empty())
      stat("counters_without_launch", "info", static_cast<std::int64_t>(grids.counters.size()), 0,
           "device counts of grids that did not announce their kernel");
    grids.counters.clear();
    releaseProfile(grids, true);
    releaseTimes(grids);
  }
  while (!undecided_.empty()) decide(undecided_.begin()->first, "");
}

void Router::stat(const std::string& name, const std::string& severity, std::int64_t value,
                  std::uint64_t launchId, const std::string& detail) {
  sink_.addStat(name, severity, value, launchId, detail);
  if (severity != "info") losses_[name] += value;
}

}  // namespace cui::hostlib
