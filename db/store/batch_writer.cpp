// See batch_writer.h.
#include "db/store/batch_writer.h"

#include <optional>

namespace cui::db {

namespace {

constexpr const char* metricSums =
    "ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, thread_accesses = thread_accesses + "
    "excluded.thread_accesses, bytes = bytes + excluded.bytes, sectors = sectors + excluded.sectors, "
    "ideal_sectors = ideal_sectors + excluded.ideal_sectors, wavefronts = wavefronts + excluded.wavefronts, "
    "ideal_wavefronts = ideal_wavefronts + excluded.ideal_wavefronts, bank_conflicts = bank_conflicts + "
    "excluded.bank_conflicts, min_address = min(min_address, excluded.min_address), max_address = "
    "max(max_address, excluded.max_address), sector_requests = sector_requests + excluded.sector_requests, "
    "wavefront_requests = wavefront_requests + excluded.wavefront_requests, useful_bytes = useful_bytes + "
    "excluded.useful_bytes";

}  // namespace

void appendMetrics(IntegerRows& rows, std::uint64_t launchId, std::int64_t siteId, const SiteTotals& t) {
  append(rows, {launchId, static_cast<std::uint64_t>(siteId), t.requests, t.threadAccesses, t.bytes,
                t.sectors, t.idealSectors, t.wavefronts, t.idealWavefronts, t.wavefronts - t.idealWavefronts,
                t.addresses.low, t.addresses.high, t.sectorRequests, t.wavefrontRequests, t.usefulBytes});
}

BatchWriter::BatchWriter(Database& database, const Units& units, Limits limits)
    : database_(database),
      units_(units),
      limits_(limits),
      addLaunch_(
          "INSERT INTO launch(launch_id, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, "
          "dynamic_shared_bytes, device_id, stream_id, host_begin_ns, function_id, caller, file, line, "
          "column, instrumented, process_id, entered, error, error_name, host_end_ns, gpu_begin_ns, "
          "gpu_end_ns) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,nullif(?,0),?,?,?,?,?,?,?,?,?,?,?,?)"),
      endLaunch_("UPDATE launch SET host_end_ns = ?, error = ?, error_name = ? WHERE launch_id = ?"),
      timeLaunch_("UPDATE launch SET gpu_begin_ns = ?, gpu_end_ns = ? WHERE launch_id = ?"),
      enterLaunch_(
          "UPDATE launch SET entered = 1, instrumented = 1, function_id = ?1, kernel = iif(?2 OR function_id "
          "<> ?1, (SELECT name FROM function WHERE function_id = ?1), kernel) WHERE launch_id = ?3"),
      addStat_(
          "INSERT INTO trace_stat VALUES(?1, ?2, ?3, nullif(?4, 0), ?5) "
          "ON CONFLICT(name, severity, ifnull(launch_id, 0)) DO UPDATE SET value = value + ?3"),
      events_(database),
      chunks_(database),
      metrics_("INTO site_metric", "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", metricSums),
      counters_("INTO site_counter", "(?,?,?,?)",
                "ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, thread_accesses = "
                "thread_accesses + excluded.thread_accesses"),
      sharedVariables_("OR IGNORE INTO launch_shared_variable",
                       "(?,?,?,ifnull(nullif(?,0),ifnull((SELECT dynamic_shared_bytes FROM launch WHERE "
                       "launch_id = ?),0)))"),
      // Of several with no access in between, one row is kept.
      barriers_("INTO barrier", "(?,?,?,?)", "ON CONFLICT DO UPDATE SET grid = max(grid, excluded.grid)"),
      // A later one at the same place says more.
      warpBarriers_("OR REPLACE INTO warp_barrier", "(?,?,?,?,?,?,?)"),
      warpTimes_("INTO warp_time", "(?,?,?,?,?,?,?,?,?)",
                 "ON CONFLICT DO UPDATE SET accesses = accesses + excluded.accesses, begin_clock = "
                 "iif(excluded.begin_ns < begin_ns, excluded.begin_clock, begin_clock), end_clock = "
                 "iif(excluded.end_ns >= end_ns, excluded.end_clock, end_clock), begin_ns = min(begin_ns, "
                 "excluded.begin_ns), end_ns = max(end_ns, excluded.end_ns)"),
      accessTimes_("INTO access_time", "(?,?,?,?)") {}

void BatchWriter::write(RowBatch& batch) {
  for (const LaunchValues& launch : batch.launches) writeLaunch(launch);
  for (const LaunchChange& change : batch.changes) writeChange(change);
  batch.findings.unknownFrees += events_.write(batch.events);
  for (const EncodedChunk& chunk : batch.chunks) {
    if (chunk.data.empty())
      throw StoreFailure({ErrorCode::internal, database_.path() + ": compression failed"});
    if (limits_.storeAccesses && reachesLimit(chunk.data.size()))
      batch.findings.notStored += chunk.recordCount;
    else if (limits_.storeAccesses)
      chunks_.add(chunk);
    for (const SiteTotals& totals : chunk.sites)
      appendMetrics(batch.metrics, chunk.launchId, units_.sites()[totals.siteNumber].id, totals);
  }
  chunks_.write();
  sharedVariables_.run(database_, batch.sharedVariables);
  metrics_.run(database_, batch.metrics);
  counters_.run(database_, batch.counters);
  barriers_.run(database_, batch.barriers);
  warpBarriers_.run(database_, batch.warpBarriers);
  warpTimes_.run(database_, batch.warpTimes);
  accessTimes_.run(database_, batch.accessTimes);
  writeStats(batch.stats);
  if (batch.commit) database_.execute("COMMIT; BEGIN IMMEDIATE");
}

void BatchWriter::writeStats(const StatRows& stats) {
  for (const auto& [key, stat] : stats) {
    const auto& [name, severity, launchId] = key;
    addStat_.run(database_, name, severity, stat.value, launchId, stat.detail);
  }
}

void BatchWriter::writeLaunch(const LaunchValues& launch) {
  if (process_ == 0) process_ = database_.integer("SELECT process_id FROM process");
  const LaunchInfo& place = *launch.place;
  const LaunchValues::End end = launch.end.value_or(LaunchValues::End());
  std::optional<std::int64_t> hostEnd, gpuBegin, gpuEnd;
  if (launch.end) hostEnd = end.hostNs;
  if (launch.onDevice) {
    gpuBegin = launch.onDevice->beginNs;
    gpuEnd = launch.onDevice->endNs;
  }
  addLaunch_.run(database_, launch.launchId, launch.kernel, launch.grid[0], launch.grid[1], launch.grid[2],
                 launch.block[0], launch.block[1], launch.block[2], launch.dynamicSharedBytes, launch.device,
                 launch.stream, launch.hostBeginNs, launch.functionId, place.caller, place.position.file,
                 place.position.line, place.position.column, launch.instrumented, process_, launch.entered,
                 end.error, end.errorName, hostEnd, gpuBegin, gpuEnd);
}

void BatchWriter::writeChange(const LaunchChange& change) {
  if (change.end)
    endLaunch_.run(database_, change.end->hostNs, change.end->error, change.end->errorName, change.launchId);
  if (change.onDevice)
    timeLaunch_.run(database_, change.onDevice->beginNs, change.onDevice->endNs, change.launchId);
  if (change.enteredFunction)
    enterLaunch_.run(database_, *change.enteredFunction, change.takesName, change.launchId);
}

bool BatchWriter::reachesLimit(std::uint64_t more) {
  if (limits_.fileBytes == 0 || full_) return full_;
  if (!pageCount_.handle()) {
    pageCount_.prepare(database_, "PRAGMA page_count");
    pageSize_ = static_cast<std::uint64_t>(database_.integer("PRAGMA page_size"));
  }
  pageCount_.reset();
  pageCount_.step();
  const auto pages = static_cast<std::uint64_t>(pageCount_.integer(0));
  pageCount_.reset();
  full_ = pages * pageSize_ + more > limits_.fileBytes;
  return full_;
}

}  // namespace cui::db
