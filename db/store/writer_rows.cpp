// TraceWriter's rows: what each event becomes in the database. See trace_writer.h.
#include "db/store/writer_impl.h"

#include <algorithm>
#include <utility>

#include "db/store/values.h"

namespace cui::db {

Error TraceWriter::addUnit(const format::UnitTable& unit, std::uint32_t siteBase) {
  return impl_->guarded([&](Impl::Parts& parts) { parts.units.add(unit, siteBase); });
}

Error TraceWriter::addDevice(const DeviceRow& row) {
  return impl_->guarded([&](Impl::Parts& parts) {
    Statement(parts.database,
              "REPLACE INTO device VALUES(?,?,?,?,?,?,?,?,?,?,?,(SELECT process_id FROM process))")
        .run(row.device, row.name, row.backend, row.driverVersion, row.runtimeVersion, row.computeMajor,
             row.computeMinor, row.multiprocessors, row.memoryBytes, row.l2Bytes, row.sharedBytesPerBlock);
    // The recorder learns its backend with its first device.
    Statement(parts.database, "UPDATE process SET backend = ? WHERE backend = ''").run(row.backend);
    if (row.backend == "cuda") parts.sink.takeAnyWarpOrder();
  });
}

Error TraceWriter::setMeta(std::string_view key, std::string_view value) {
  return impl_->guarded([&](Impl::Parts& parts) { parts.setMeta.run(parts.database, key, value); });
}

Error TraceWriter::addLaunch(const LaunchRow& row) {
  return impl_->gathered([&](Impl::Parts& parts) {
    const LaunchInfo& info = parts.units.launch(row.unit, row.entry);
    LaunchValues values;
    values.launchId = row.launchId;
    values.kernel = row.kernel.empty() ? info.kernel : parts.units.kept(row.kernel);
    std::copy_n(row.grid, 3, values.grid);
    std::copy_n(row.block, 3, values.block);
    values.dynamicSharedBytes = row.dynamicSharedBytes;
    values.device = row.device;
    values.stream = row.stream;
    values.hostBeginNs = row.hostBeginNs;
    values.functionId = info.functionId;
    values.byVariable = row.kernel.empty() && info.byVariable;
    values.place = &info;
    values.instrumented = row.instrumented;
    parts.launches.add(std::move(values));
  });
}

Error TraceWriter::updateLaunch(std::uint64_t launchId, std::int64_t hostEndNs, int error,
                                std::string_view errorName) {
  return impl_->gathered(
      [&](Impl::Parts& parts) { parts.launches.end(launchId, hostEndNs, error, errorName); });
}

Error TraceWriter::setLaunchTime(std::uint64_t launchId, std::int64_t beginNs, std::int64_t endNs) {
  return impl_->gathered([&](Impl::Parts& parts) { parts.launches.time(launchId, beginNs, endNs); });
}

Error TraceWriter::addAllocation(const AllocationRow& row) {
  return impl_->gathered([&](Impl::Parts& parts) {
    const CallInfo& call = parts.units.call(row.unit, row.entry);
    AllocationValues values;
    values.api = row.api.empty() ? std::string_view(call.api) : row.api;
    values.name = call.variable;
    values.type = call.type;
    values.caller = call.caller;
    values.position = &call.position;
    values.elementBytes = call.elementBytes;
    values.address = row.address;
    values.bytes = row.bytes;
    values.pitch = row.pitch;
    values.device = row.device;
    values.space = row.space;
    values.timeNs = row.timeNs;
    parts.addEvent(std::move(values));
  });
}

Error TraceWriter::setFreed(std::uint64_t address, std::string_view api, std::int64_t timeNs) {
  if (address == 0) return {};  // freeing null is legal, and a common way to start the runtime
  return impl_->gathered(
      [&](Impl::Parts& parts) { parts.addEvent(FreedValues{address, std::string(api), timeNs}); });
}

Error TraceWriter::nameAllocation(std::uint64_t address, const format::UnitTable& unit, std::uint32_t entry) {
  return impl_->gathered(
      [&](Impl::Parts& parts) { parts.addEvent(NamedValues{address, &parts.units.call(&unit, entry)}); });
}

Error TraceWriter::addVariable(const format::UnitTable& unit, std::uint32_t variable, std::uint64_t address,
                               std::uint64_t bytes, std::int32_t device) {
  return impl_->gathered([&](Impl::Parts& parts) {
    const UnitInfo* info = parts.units.find(&unit);
    if (!info || variable >= info->variables.size()) {
      parts.stats.add("unknown_variable", "error", 1, 0, "a variable that no unit registered");
      return;
    }
    const VariableInfo& v = info->variables[variable];
    AllocationValues values;
    values.api = v.space == format::Space::constant ? "__constant__" : "__device__";
    values.name = v.name;
    values.type = v.elementType;
    values.position = &v.position;
    values.elementBytes = v.elementBytes;
    values.address = address;
    values.bytes = bytes;
    values.device = device;
    values.space = v.space;
    parts.addEvent(std::move(values));
  });
}

Error TraceWriter::addMemoryOperation(const MemoryOperationRow& row) {
  return impl_->gathered([&](Impl::Parts& parts) {
    const CallInfo& call = parts.units.call(row.unit, row.entry);
    parts.addEvent(MemoryOperationValues{row, std::string(row.api.empty() ? call.api : row.api), &call});
  });
}

Error TraceWriter::addSynchronization(const SynchronizationRow& row) {
  return impl_->gathered([&](Impl::Parts& parts) {
    const CallInfo& call = parts.units.call(row.unit, row.entry);
    parts.addEvent(SynchronizationValues{row, std::string(row.api.empty() ? call.api : row.api), &call});
  });
}

Error TraceWriter::beginPhase(std::uint64_t id, std::uint64_t parent, std::string_view name,
                              std::int64_t beginNs) {
  return impl_->gathered(
      [&](Impl::Parts& parts) { parts.addEvent(PhaseValues{id, parent, std::string(name), beginNs}); });
}

Error TraceWriter::endPhase(std::uint64_t id, std::int64_t endNs) {
  return impl_->gathered([&](Impl::Parts& parts) { parts.addEvent(PhaseEndValues{id, endNs}); });
}

Error TraceWriter::addRecords(std::uint64_t launchId, const void* slots, std::size_t slotCount) {
  return impl_->gathered([&](Impl::Parts& parts) {
    parts.sink.add(launchId, static_cast<const std::uint8_t*>(slots), slotCount);
  });
}

Error TraceWriter::addSingles(std::uint64_t launchId, const void* slots, std::size_t slotCount,
                              std::uint32_t minSite, std::uint32_t maxSite) {
  return impl_->gathered([&](Impl::Parts& parts) {
    parts.sink.addSingles(launchId, static_cast<const std::uint8_t*>(slots), slotCount, minSite, maxSite);
  });
}

Error TraceWriter::takeSingles(std::uint64_t launchId, SlotMemory& memory, std::size_t slotCount,
                               std::uint32_t minSite, std::uint32_t maxSite) {
  return impl_->gathered(
      [&](Impl::Parts& parts) { parts.sink.takeSingles(launchId, memory, slotCount, minSite, maxSite); });
}

Error TraceWriter::settleLaunches() {
  return impl_->gathered([](Impl::Parts& parts) { parts.sink.settleLaunches(); });
}

Error TraceWriter::addCounters(std::uint64_t launchId, std::uint32_t site, std::uint64_t requests,
                               std::uint64_t threadAccesses) {
  return impl_->gathered([&](Impl::Parts& parts) {
    const std::uint32_t number = parts.units.siteNumber(site);
    if (number == Units::unknownSite)
      parts.stats.add("unknown_site", "data_loss", static_cast<std::int64_t>(requests), launchId,
                      "records of a site that no unit registered");
    else
      parts.counters.add(launchId, parts.units.sites()[number].id, requests, threadAccesses);
  });
}

Error TraceWriter::addTotals(std::uint64_t launchId, const AccessTotals& totals) {
  return impl_->gathered([&](Impl::Parts& parts) { parts.sink.addTotals(launchId, totals); });
}

Error TraceWriter::addStat(std::string_view name, std::string_view severity, std::int64_t value,
                           std::uint64_t launchId, std::string_view detail) {
  return impl_->gathered(
      [&](Impl::Parts& parts) { parts.stats.add(name, severity, value, launchId, detail); });
}

}  // namespace cui::db
