#include "hostlib/trace_sink.h"

#include <utility>

namespace cui::hostlib {
namespace {

/// The writer keeps its first failure and is inert from then on, so results of single calls are not needed.
void kept(const db::Error&) {}

/// What announced launches and a library's have in common.
template <class Launch>
db::LaunchRow rowOf(std::uint64_t launchId, const Launch& launch) {
  db::LaunchRow row;
  row.launchId = launchId;
  for (int i = 0; i < 3; ++i) {
    row.grid[i] = launch.grid[i];
    row.block[i] = launch.block[i];
  }
  row.dynamicSharedBytes = launch.dynamicSharedBytes;
  row.device = launch.device;
  row.stream = launch.stream;
  row.hostBeginNs = launch.hostBeginNs;
  return row;
}

class TraceSink final : public RecordSink {
 public:
  TraceSink(std::unique_ptr<db::TraceWriter> writer, bool barriers)
      : writer_(std::move(writer)), barriers_(barriers) {}

  void addUnit(const format::UnitTable& unit, std::uint32_t siteBase) override {
    kept(writer_->addUnit(unit, siteBase));
  }
  void addDevice(const CuiDevice& device) override {
    db::DeviceRow row;
    row.device = device.device;
    row.name = device.name;
    row.backend = device.backend;
    row.driverVersion = device.driverVersion;
    row.runtimeVersion = device.runtimeVersion;
    row.computeMajor = device.computeMajor;
    row.computeMinor = device.computeMinor;
    row.multiprocessors = device.multiprocessors;
    row.memoryBytes = device.memoryBytes;
    row.l2Bytes = device.l2Bytes;
    row.sharedBytesPerBlock = device.sharedBytesPerBlock;
    kept(writer_->addDevice(row));
    kept(writer_->setMeta("backend", device.backend));
    // From a GPU: where a launch has no row in warp_barrier, no warp passed a barrier.
    if (row.backend == "cuda" && barriers_) kept(writer_->setMeta("warp_barriers", "1"));
  }
  void addLaunch(std::uint64_t launchId, const CuiLaunch& launch, bool instrumented) override {
    db::LaunchRow row = rowOf(launchId, launch);
    row.unit = launch.unit;
    row.entry = launch.launchEntry;
    if (launch.kernel != nullptr) row.kernel = launch.kernel;
    row.instrumented = instrumented;
    kept(writer_->addLaunch(row));
  }
  void addLibraryLaunch(std::uint64_t launchId, const CuiLibraryLaunch& launch) override {
    db::LaunchRow row = rowOf(launchId, launch);
    row.kernel = launch.kernel;
    row.instrumented = false;
    kept(writer_->addLaunch(row));
    endLaunch(launchId, launch.hostEndNs, launch.error, launch.errorName);
  }
  void addUnannouncedLaunch(std::uint64_t launchId, std::string_view kernel, std::uint32_t blocks,
                            std::uint32_t threads, std::int32_t device) override {
    db::LaunchRow row;
    row.launchId = launchId;
    row.grid[0] = blocks;
    row.block[0] = threads;
    row.device = device;
    row.kernel = kernel;
    kept(writer_->addLaunch(row));
  }
  void endLaunch(std::uint64_t launchId, std::int64_t hostEndNs, int error,
                 std::string_view errorName) override {
    kept(writer_->updateLaunch(launchId, hostEndNs, error, errorName));
  }
  void timeLaunch(std::uint64_t launchId, std::int64_t beginNs, std::int64_t endNs) override {
    kept(writer_->setLaunchTime(launchId, beginNs, endNs));
  }
  void addAllocation(const CuiAllocation& allocation) override {
    db::AllocationRow row;
    row.unit = allocation.unit;
    row.entry = allocation.callEntry;
    row.api = allocation.api;
    row.address = allocation.address;
    row.bytes = allocation.bytes;
    row.pitch = allocation.pitch;
    row.device = allocation.device;
    row.space = allocation.space;
    row.timeNs = allocation.timeNs;
    kept(writer_->addAllocation(row));
  }
  void addFree(std::uint64_t address, std::string_view api, std::int64_t timeNs) override {
    kept(writer_->setFreed(address, api, timeNs));
  }
  void nameAllocation(std::uint64_t address, const format::UnitTable& unit,
                      std::uint32_t callEntry) override {
    kept(writer_->nameAllocation(address, unit, callEntry));
  }
  void addVariable(const format::UnitTable& unit, std::uint32_t variable, std::uint64_t address,
                   std::uint64_t bytes, std::int32_t device) override {
    kept(writer_->addVariable(unit, variable, address, bytes, device));
  }
  void addMemoryOperation(const CuiMemoryOperation& operation) override {
    db::MemoryOperationRow row;
    row.unit = operation.unit;
    row.entry = operation.callEntry;
    row.api = operation.api;
    row.direction = operation.direction;
    row.destination = operation.destination;
    row.source = operation.source;
    row.bytes = operation.bytes;
    row.device = operation.device;
    row.stream = operation.stream;
    row.beginNs = operation.beginNs;
    row.endNs = operation.endNs;
    row.error = operation.error;
    kept(writer_->addMemoryOperation(row));
  }
  void addSynchronization(const CuiSynchronization& synchronization) override {
    db::SynchronizationRow row;
    row.unit = synchronization.unit;
    row.entry = synchronization.callEntry;
    row.api = synchronization.api;
    row.device = synchronization.device;
    row.stream = synchronization.stream;
    row.beginNs = synchronization.beginNs;
    row.endNs = synchronization.endNs;
    row.error = synchronization.error;
    kept(writer_->addSynchronization(row));
  }
  void beginPhase(std::uint64_t id, std::uint64_t parent, std::string_view name,
                  std::int64_t beginNs) override {
    kept(writer_->beginPhase(id, parent, name, beginNs));
  }
  void endPhase(std::uint64_t id, std::int64_t endNs) override { kept(writer_->endPhase(id, endNs)); }
  void addRecords(std::uint64_t launchId, const Slot* slots, std::size_t count) override {
    kept(writer_->addRecords(launchId, slots, count));
  }
  void addSingles(std::uint64_t launchId, const Slot* slots, std::size_t count, std::uint32_t minSite,
                  std::uint32_t maxSite) override {
    kept(writer_->addSingles(launchId, slots, count, minSite, maxSite));
  }
  void takeSingles(std::uint64_t launchId, db::SlotMemory& memory, std::size_t count, std::uint32_t minSite,
                   std::uint32_t maxSite) override {
    kept(writer_->takeSingles(launchId, memory, count, minSite, maxSite));
  }
  void addCounter(std::uint64_t launchId, const CuiCounter& counter) override {
    kept(writer_->addCounters(launchId, counter.site, counter.requests, counter.threadAccesses));
  }
  void addTotals(std::uint64_t launchId, const db::AccessTotals& totals) override {
    kept(writer_->addTotals(launchId, totals));
  }
  void addStat(std::string_view name, std::string_view severity, std::int64_t value, std::uint64_t launchId,
               std::string_view detail) override {
    kept(writer_->addStat(name, severity, value, launchId, detail));
  }
  void settleLaunches() override { kept(writer_->settleLaunches()); }
  void commit() override { kept(writer_->commit()); }
  void flush() override { kept(writer_->flush()); }
  void close() override { kept(writer_->close()); }
  std::uint64_t workDone() const override { return writer_->workDone(); }
  std::map<std::string, std::int64_t> losses() const override { return writer_->losses(); }
  std::optional<std::string> failure() const override {
    const db::Error& error = writer_->error();
    if (!error) return std::nullopt;
    return error.message;
  }

 private:
  std::unique_ptr<db::TraceWriter> writer_;
  bool barriers_;
};

}  // namespace

std::unique_ptr<RecordSink> openTraceSink(const std::string& path, const db::WriterOptions& options,
                                          bool barriers, std::string& error) {
  db::Error failure;
  std::unique_ptr<db::TraceWriter> writer = db::TraceWriter::open(path, options, failure);
  if (writer == nullptr) {
    error = failure.message;
    return nullptr;
  }
  return std::make_unique<TraceSink>(std::move(writer), barriers);
}

}  // namespace cui::hostlib
