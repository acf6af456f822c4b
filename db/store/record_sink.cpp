// See record_sink.h.
#include "db/store/record_sink.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace cui::db {

namespace {
using format::WarpRecord;

// A GPU's pool hands on what each of its warp slots did, one launch after the other: of many small launches
// records come in turn. Bytes are what bounds them.
constexpr std::size_t maxOpenLaunches = 65'536;
// Irregular records reach it before the record limit: a look-up unpacks a whole chunk.
constexpr std::size_t maxSegmentBytes = 1u << 20;
// Those of many small launches are encoded together, until there are so many.
constexpr std::size_t enoughToEncode = 64u << 10;
constexpr std::size_t maxRecordSlots = 1 + 8 + format::maxValueBytes;

bool isWellFormed(const WarpRecord& access) {
  return access.activeMask != 0 && hasKnownForm(access.flags) &&
         !(format::hasValues(access.flags) && format::bytesOf(access) - 1 >= format::maxValueBytes);
}
}  // namespace

RecordSink::RecordSink(RowQueue& rows, LaunchRows& launches, Units& units, Stats& stats, Limits limits)
    : rows_(rows),
      launches_(launches),
      units_(units),
      stats_(stats),
      limits_(limits),
      times_(rows, stats, limits.accessTimes),
      pool_(limits.threads) {
  limits_.chunkRecords = std::clamp(limits_.chunkRecords, 1u, maxChunkRecords);
}

RecordSink::~RecordSink() = default;

RecordSink::LaunchState& RecordSink::stateOf(std::uint64_t launchId) {
  if (last_ && last_->launchId == launchId) return *last_;
  if (open_.size() == maxOpenLaunches && open_.count(launchId) == 0) settleLaunches();
  std::unique_ptr<LaunchState>& state = open_[launchId];
  if (!state) {
    state = std::make_unique<LaunchState>();
    state->launchId = launchId;
    state->nextSequence = sequences_[launchId];
  }
  last_ = state.get();
  return *last_;
}

void RecordSink::add(std::uint64_t launchId, const std::uint8_t* slots, std::size_t slotCount) {
  const auto* const records = reinterpret_cast<const WarpRecord*>(slots);
  for (std::size_t at = 0; at < slotCount;) {
    const WarpRecord& record = records[at];
    const format::RecordType type = format::typeOf(record.flags);
    if (type == format::RecordType::access) {
      const std::size_t taken = addAccesses(stateOf(launchId), records + at, slotCount - at);
      if (taken == 0) {  // where the next record starts is not known any more
        stats_.add("malformed_record", "data_loss", static_cast<std::int64_t>(slotCount - at), launchId,
                   "slots that hold no valid record");
        return;
      }
      at += taken;
      continue;
    }
    if (type == format::RecordType::sharedVariable)
      addSharedVariable(launchId, record);
    else if (type == format::RecordType::barrier)
      addMark(stateOf(launchId), record);
    else
      addKernelEntry(launchId, record);
    ++at;
  }
}

/// Adds accesses up to the first record that is none, is not well-formed, or fills the segment. Returns the
/// slots that they took: 0 if the first is not well-formed.
std::size_t RecordSink::addAccesses(LaunchState& launch, const WarpRecord* records, std::size_t slotCount) {
  Segment& segment = launch.segment;
  const std::size_t capacity = maxSegmentBytes / format::slotBytes;
  const std::size_t used = segment.bytes() / format::slotBytes;
  // The record that fills the segment may reach beyond.
  const std::size_t most = capacity - used + maxRecordSlots;
  WarpRecord* const begin = segment.room(launch.fillsSegments ? most : std::min(slotCount, most));
  WarpRecord* end = begin;
  std::size_t at = 0;
  std::uint32_t added = 0;
  bool filled = false;
  while (!filled && at < slotCount && format::typeOf(records[at].flags) == format::RecordType::access) {
    const WarpRecord& record = records[at];
    const std::size_t size = slotsOf(record);
    if (size > slotCount - at || !isWellFormed(record)) break;
    at += size;
    const std::uint32_t siteNumber = units_.siteNumber(format::siteOf(record));
    if (siteNumber == Units::unknownSite) {
      stats_.add("unknown_site", "data_loss", 1, launch.launchId,
                 "records of a site that no unit registered");
      continue;
    }
    if (format::bytesOf(record) == 0 && units_.sites()[siteNumber].bytes == 0)
      stats_.add(
          "unknown_access_size", "info", 1, launch.launchId,
          "accesses wider than a record can say, of a size that differs between template instantiations");
    times_.meet(launch.launchId, record, launch.nextSequence + segment.recordCount + added);
    *end = record;
    if (size != 1) {
      std::copy(&record + 1, &record + size, end + 1);
      plainLanes_ += static_cast<unsigned>(std::popcount(record.activeMask));
    }
    end += size;
    filled = segment.recordCount + ++added >= limits_.chunkRecords ||
             used + static_cast<std::size_t>(end - begin) >= capacity;
  }
  segment.append(static_cast<std::size_t>(end - begin), added);
  openBytes_ += static_cast<std::size_t>(end - begin) * format::slotBytes;
  recordCount_ += added;
  if (filled) {
    launch.fillsSegments = true;
    submit(launch);
  }
  if (filled || openBytes_ > limits_.bufferedBytes) relieve();
  return at;
}

void RecordSink::addSingles(std::uint64_t launchId, const std::uint8_t* slots, std::size_t count,
                            std::uint32_t minSite, std::uint32_t maxSite) {
  if (!units_.knowsAll(minSite, maxSite) || !times_.areMet()) return add(launchId, slots, count);
  const auto* records = reinterpret_cast<const WarpRecord*>(slots);
  constexpr std::size_t capacity = maxSegmentBytes / format::slotBytes;
  while (count != 0) {
    LaunchState& launch = stateOf(launchId);
    Segment& segment = launch.segment;
    const std::size_t used = segment.bytes() / format::slotBytes;
    const std::size_t left =
        std::min<std::size_t>(capacity - used, limits_.chunkRecords - segment.recordCount);
    const std::size_t taken = std::min(count, left);
    const std::size_t room = launch.fillsSegments ? capacity - used : taken;
    std::copy(records, records + taken, segment.room(room));
    segment.append(taken, static_cast<std::uint32_t>(taken));
    openBytes_ += taken * format::slotBytes;
    recordCount_ += taken;
    records += taken;
    count -= taken;
    if (taken == left) {
      launch.fillsSegments = true;
      submit(launch);
    }
    if (taken == left || openBytes_ > limits_.bufferedBytes) relieve();
  }
}

/// Copies nothing where the records are about a segment: the one before ends, however short it is.
void RecordSink::takeSingles(std::uint64_t launchId, SlotMemory& memory, std::size_t count,
                             std::uint32_t minSite, std::uint32_t maxSite) {
  const std::size_t most = std::min<std::size_t>(maxSegmentBytes / format::slotBytes, limits_.chunkRecords);
  if (count > most || count < most / 2 || !units_.knowsAll(minSite, maxSite) || !times_.areMet())
    return addSingles(launchId, reinterpret_cast<const std::uint8_t*>(memory.data()), count, minSite,
                      maxSite);
  LaunchState& launch = stateOf(launchId);
  submit(launch);
  launch.segment.exchange(memory, count);
  openBytes_ += count * format::slotBytes;
  recordCount_ += count;
  submit(launch);
  relieve();
}

void RecordSink::submit(LaunchState& launch) {
  Segment& segment = launch.segment;
  if (segment.recordCount == 0) return;
  openBytes_ -= segment.bytes();
  const std::vector<SiteInfo>& sites = units_.sites();
  if (!siteBytes_ || siteBytes_->size() != sites.size()) {
    auto bytes = std::make_shared<std::vector<std::uint32_t>>(sites.size());
    std::transform(sites.begin(), sites.end(), bytes->begin(),
                   [](const SiteInfo& site) { return site.bytes; });
    siteBytes_ = std::move(bytes);
  }
  segment.launchId = launch.launchId;
  segment.firstSequence = launch.nextSequence;
  segment.siteNumbers = units_.siteNumbers();
  segment.siteBytes = siteBytes_;
  segment.anyWarpOrder = anyWarpOrder_ && !launch.marked;
  launch.marked = false;
  launch.nextSequence += segment.recordCount;
  gatheredBytes_ += segment.bytes();
  gathered_.push_back(std::exchange(segment, Segment()));
  if (gatheredBytes_ >= enoughToEncode) submitGathered();
  if (launch.fillsSegments && !spare_.empty()) {
    segment = std::move(spare_.back());
    spare_.pop_back();
  }
}

void RecordSink::submitGathered() {
  if (gathered_.empty()) return;
  pool_.submit(std::exchange(gathered_, {}));
  gatheredBytes_ = 0;
}

void RecordSink::collect(std::uint64_t mayWait) {
  while (!pool_.empty() && (pool_.bytes() > mayWait || pool_.ready())) {
    EncoderPool::Job job = pool_.take();
    if (job.segments.size() == 1 &&
        (spare_.size() + pool_.count()) * maxSegmentBytes < limits_.bufferedBytes) {
      job.segments.front().clear();
      spare_.push_back(std::move(job.segments.front()));
    }
    for (EncodedChunk& chunk : job.chunks) write(std::move(chunk));
  }
}

void RecordSink::write(EncodedChunk chunk) {
  constexpr std::size_t bytesOfRow = 256;
  rows_.add(1 + 2 * chunk.sites.size() + chunk.data.size() / bytesOfRow).chunks.push_back(std::move(chunk));
}

void RecordSink::addTotals(std::uint64_t launchId, const AccessTotals& totals) {
  SiteTotals t;
  t.siteNumber = units_.siteNumber(totals.site);
  if (t.siteNumber == Units::unknownSite) {
    stats_.add("unknown_site", "data_loss", static_cast<std::int64_t>(totals.requests), launchId,
               "records of a site that no unit registered");
    return;
  }
  static_cast<AccessSums&>(t) = totals;
  t.addresses.include(totals.minAddress, totals.maxAddress);
  appendMetrics(rows_.add(1).metrics, launchId, units_.sites()[t.siteNumber].id, t);
}

/// In the order of the launches: rows are added at tables' ends, which is done soonest.
void RecordSink::closeAll() {
  std::vector<LaunchState*> launches;
  launches.reserve(open_.size());
  for (const auto& [id, launch] : open_) launches.push_back(launch.get());
  std::sort(launches.begin(), launches.end(),
            [](const LaunchState* a, const LaunchState* b) { return a->launchId < b->launchId; });
  for (LaunchState* const launch : launches) {
    launch->fillsSegments = false;  // nor needs memory for another
    submit(*launch);
    sequences_[launch->launchId] = launch->nextSequence;
  }
  submitGathered();
  open_.clear();
  last_ = nullptr;
}

/// Keeps what is buffered, in open segments and on its way through the encoders, under the limit.
void RecordSink::relieve() {
  if (openBytes_ + pool_.bytes() > limits_.bufferedBytes && openBytes_ > limits_.bufferedBytes / 2)
    for (const auto& [id, launch] : open_) submit(*launch);
  submitGathered();
  collect(limits_.bufferedBytes / 2);
}

void RecordSink::settleLaunches() {
  closeAll();
  collect(limits_.bufferedBytes / 2);
}

void RecordSink::flush() {
  closeAll();
  times_.flush();
  collect(0);
}

}  // namespace cui::db
