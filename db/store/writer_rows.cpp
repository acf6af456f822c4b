// TraceWriter's rows: what each event becomes in the database. See trace_writer.h.
#include "db/store/writer_impl.h"

#include <algorithm>
#include <utility>

#include "db/store/values.h"

namespace cui::db {

namespace {

const char* directionName(int direction) {
  static constexpr const char* names[] = {"host_to_host", "host_to_device", "device_to_host",
                                          "device_to_device", "default"};
  if (direction < 0) return "set";
  return direction < 5 ? names[direction] : "default";
}

}  // namespace

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
    values.kernel = row.kernel.empty() ? std::string_view(info.kernel) : row.kernel;
    std::copy_n(row.grid, 3, values.grid);
    std::copy_n(row.block, 3, values.block);
    values.dynamicSharedBytes = row.dynamicSharedBytes;
    values.device = row.device;
    values.stream = row.stream;
    values.hostBeginNs = row.hostBeginNs;
    values.functionId = info.functionId;
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
  return impl_->guarded([&](Impl::Parts& parts) {
    const CallInfo& call = parts.units.call(row.unit, row.entry);
    parts.addAllocation.run(parts.database, row.api.empty() ? call.api : row.api, row.address, row.bytes,
                            call.variable, call.type, call.elementBytes, nameOf(row.space),
                            call.position.file, call.position.line, row.timeNs, row.pitch, row.device,
                            call.caller, call.position.column);
  });
}

Error TraceWriter::setFreed(std::uint64_t address, std::string_view api, std::int64_t timeNs) {
  if (address == 0) return {};  // freeing null is legal, and a common way to start the runtime
  return impl_->guarded([&](Impl::Parts& parts) {
    parts.setFreed.run(parts.database, timeNs, api, address);
    if (sqlite3_changes(parts.database.handle()) == 0)
      parts.stats.add("unknown_free", "info", 1, 0, "frees of memory whose allocation was not seen");
  });
}

Error TraceWriter::nameAllocation(std::uint64_t address, const format::UnitTable& unit, std::uint32_t entry) {
  return impl_->guarded([&](Impl::Parts& parts) {
    const CallInfo& call = parts.units.call(&unit, entry);
    parts.nameAllocation.run(parts.database, call.variable, call.type, call.elementBytes, call.position.file,
                             call.position.line, call.caller, call.position.column, address);
  });
}

Error TraceWriter::addVariable(const format::UnitTable& unit, std::uint32_t variable, std::uint64_t address,
                               std::uint64_t bytes, std::int32_t device) {
  return impl_->guarded([&](Impl::Parts& parts) {
    const UnitInfo* info = parts.units.find(&unit);
    if (!info || variable >= info->variables.size()) {
      parts.stats.add("unknown_variable", "error", 1, 0, "a variable that no unit registered");
      return;
    }
    const VariableInfo& v = info->variables[variable];
    parts.addAllocation.run(parts.database,
                            v.space == format::Space::constant ? "__constant__" : "__device__", address,
                            bytes, v.name, v.elementType, v.elementBytes, nameOf(v.space), v.position.file,
                            v.position.line, 0, 0, device, "", v.position.column);
  });
}

Error TraceWriter::addMemoryOperation(const MemoryOperationRow& row) {
  return impl_->guarded([&](Impl::Parts& parts) {
    const CallInfo& call = parts.units.call(row.unit, row.entry);
    parts.addMemoryOperation.run(parts.database, row.api.empty() ? call.api : row.api,
                                 directionName(row.direction), row.destination, row.source, row.bytes,
                                 row.device, row.stream, row.beginNs, row.endNs, row.error, call.caller,
                                 call.position.file, call.position.line, call.position.column);
  });
}

Error TraceWriter::addSynchronization(const SynchronizationRow& row) {
  return impl_->guarded([&](Impl::Parts& parts) {
    const CallInfo& call = parts.units.call(row.unit, row.entry);
    parts.addSynchronization.run(parts.database, row.api.empty() ? call.api : row.api, row.device, row.stream,
                                 row.beginNs, row.endNs, row.error, call.caller, call.position.file,
                                 call.position.line, call.position.column);
  });
}

Error TraceWriter::beginPhase(std::uint64_t id, std::uint64_t parent, std::string_view name,
                              std::int64_t beginNs) {
  return impl_->guarded(
      [&](Impl::Parts& parts) { parts.beginPhase.run(parts.database, id, parent, name, beginNs); });
}

Error TraceWriter::endPhase(std::uint64_t id, std::int64_t endNs) {
  return impl_->guarded([&](Impl::Parts& parts) { parts.endPhase.run(parts.database, endNs, id); });
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
