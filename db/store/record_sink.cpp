// See record_sink.h.
#include "db/store/record_sink.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace cui::db {

namespace {
using format::WarpRecord;

constexpr std::size_t maxOpenLaunches = 64;
constexpr std::size_t maxChunkBytes = 4u << 20;  // before compression; irregular records fill it first

struct Range {
  std::uint64_t low = std::numeric_limits<std::uint64_t>::max(), high = 0;
  void include(std::uint64_t from, std::uint64_t to) {
    low = std::min(low, from);
    high = std::max(high, to);
  }
};

struct Totals {
  std::uint64_t requests = 0, threadAccesses = 0, bytes = 0, sectors = 0, idealSectors = 0, wavefronts = 0,
                idealWavefronts = 0, sectorRequests = 0, wavefrontRequests = 0, usefulBytes = 0;
  Range addresses;
};
}  // namespace

/// One site in one launch.
struct RecordSink::SiteState {
  std::uint32_t siteNumber = 0;
  SiteInChunk inChunk;
  Totals totals;
  // The last affine access measured; regular code repeats its cost.
  std::uint32_t mask = 0, bytes = 0, addressBits = 0;
  std::int32_t stride = 0;
  std::uint8_t flags = noFlags;
  AccessCost cost;
};

struct RecordSink::LaunchState {
  std::uint64_t launchId = 0, nextSequence = 0, lastUse = 0;
  ChunkBuilder chunk;
  std::uint64_t firstSequence = 0;
  Range blocks, sites, addresses;
  std::vector<SiteState> states;
  std::vector<std::uint32_t> stateOfSite;  ///< by site number: index into states + 1
};

RecordSink::RecordSink(Database& database, Units& units, Stats& stats, Limits limits)
    : database_(database), units_(units), stats_(stats), limits_(limits) {
  limits_.chunkRecords = std::clamp(limits_.chunkRecords, 1u, maxChunkRecords);
}

RecordSink::~RecordSink() = default;

RecordSink::LaunchState& RecordSink::stateOf(std::uint64_t launchId) {
  if (last_ && last_->launchId == launchId) return *last_;
  std::unique_ptr<LaunchState>& state = open_[launchId];
  if (!state) {
    state = std::make_unique<LaunchState>();
    state->launchId = launchId;
    state->nextSequence = state->firstSequence = sequences_[launchId];
  }
  state->lastUse = ++useClock_;
  last_ = state.get();
  if (open_.size() > maxOpenLaunches) {
    const auto oldest = std::min_element(open_.begin(), open_.end(), [](const auto& a, const auto& b) {
      return a.second->lastUse < b.second->lastUse;
    });
    retire(*oldest->second);
    open_.erase(oldest);
  }
  return *last_;
}

RecordSink::SiteState& RecordSink::siteOf(LaunchState& launch, std::uint32_t siteNumber) {
  if (launch.stateOfSite.size() <= siteNumber) launch.stateOfSite.resize(siteNumber + 1);
  std::uint32_t& index = launch.stateOfSite[siteNumber];
  if (index == 0) {
    launch.states.emplace_back();
    launch.states.back().siteNumber = siteNumber;
    index = static_cast<std::uint32_t>(launch.states.size());
  }
  return launch.states[index - 1];
}

void RecordSink::add(std::uint64_t launchId, const std::uint8_t* slots, std::size_t slotCount) {
  for (std::size_t at = 0; at < slotCount;) {
    const WarpRecord& record = *reinterpret_cast<const WarpRecord*>(slots + at * format::slotBytes);
    const format::RecordType type = format::typeOf(record.flags);
    const std::size_t payload =
        type == format::RecordType::access ? format::payloadSlots(record.flags, format::bytesOf(record)) : 0;
    const bool wellFormed =
        type <= format::RecordType::sharedVariable && payload < slotCount - at &&
        (type != format::RecordType::access ||
         (record.activeMask != 0 && hasKnownForm(record.flags) &&
          !(format::hasValues(record.flags) && format::bytesOf(record) - 1 >= format::maxValueBytes)));
    if (!wellFormed) {  // where the next record starts is not known any more
      stats_.add("malformed_record", "data_loss", static_cast<std::int64_t>(slotCount - at), launchId,
                 "slots that hold no valid record");
      return;
    }
    if (type == format::RecordType::access)
      addAccess(stateOf(launchId), record, slots + (at + 1) * format::slotBytes);
    else if (type == format::RecordType::sharedVariable)
      addSharedVariable(launchId, record);
    else
      addKernelEntry(launchId, record);
    at += 1 + payload;
  }
}

void RecordSink::addAccess(LaunchState& launch, const WarpRecord& record, const std::uint8_t* payload) {
  const std::uint32_t siteNumber = units_.siteNumber(format::siteOf(record));
  if (siteNumber == Units::unknownSite) {
    stats_.add("unknown_site", "data_loss", 1, launch.launchId, "records of a site that no unit registered");
    return;
  }
  const std::uint32_t inRecord = format::bytesOf(record);
  const std::uint32_t bytes = inRecord != 0 ? inRecord : units_.sites()[siteNumber].bytes;
  if (bytes == 0)
    stats_.add(
        "unknown_access_size", "info", 1, launch.launchId,
        "accesses wider than a record can say, of a size that differs between template instantiations");
  SiteState& site = siteOf(launch, siteNumber);
  const format::Space space = format::spaceOf(record.flags);

  Range range;
  if (format::formOf(record.flags) == format::AddressForm::affine) {
    const int steps = 31 - std::countl_zero(record.activeMask) - std::countr_zero(record.activeMask);
    const std::uint64_t other =
        record.address + static_cast<std::uint64_t>(std::int64_t{record.stride} * steps);
    range.include(std::min(record.address, other), std::max(record.address, other));
    // Sectors and banks repeat every 32 and 128 bytes.
    const auto addressBits = static_cast<std::uint32_t>(record.address & 127);
    if (record.activeMask != site.mask || record.stride != site.stride || bytes != site.bytes ||
        record.flags != site.flags || addressBits != site.addressBits) {
      site.cost = measureAffine(space, bytes, record.activeMask, record.address, record.stride);
      site.mask = record.activeMask;
      site.stride = record.stride;
      site.bytes = bytes;
      site.flags = record.flags;
      site.addressBits = addressBits;
    }
  } else {
    std::uint64_t address[format::lanesPerWarp];
    laneAddresses(record, payload, address);
    for (std::uint32_t rest = record.activeMask; rest != 0; rest &= rest - 1)
      range.include(address[std::countr_zero(rest)], address[std::countr_zero(rest)]);
    site.cost = measureLanes(space, bytes, record.activeMask, address);
    site.flags = noFlags;  // not to be repeated
  }
  range.high += bytes == 0 ? 0 : bytes - 1;

  const auto lanes = static_cast<std::uint32_t>(std::popcount(record.activeMask));
  Totals& totals = site.totals;
  totals.requests += 1;
  totals.threadAccesses += lanes;
  totals.bytes += std::uint64_t{lanes} * bytes;
  totals.sectors += site.cost.sectors;
  totals.idealSectors += site.cost.idealSectors;
  totals.wavefronts += site.cost.wavefronts;
  totals.idealWavefronts += site.cost.idealWavefronts;
  totals.sectorRequests += countsSectors(space);
  totals.wavefrontRequests += countsWavefronts(space);
  totals.usefulBytes += site.cost.usefulBytes;
  totals.addresses.include(range.low, range.high);

  launch.addresses.include(range.low, range.high);
  launch.blocks.include(record.block, record.block);
  launch.sites.include(siteNumber, siteNumber);
  launch.chunk.add(record, payload, siteNumber, bytes, site.inChunk);
  ++launch.nextSequence;
  ++recordCount_;
  const std::uint32_t count = launch.chunk.recordCount();
  if (count >= limits_.chunkRecords || (count % 1024 == 0 && launch.chunk.rawBytes() > maxChunkBytes)) {
    writeChunk(launch);
    relieve();
  }
}

void RecordSink::addSharedVariable(std::uint64_t launchId, const WarpRecord& record) {
  const UnitInfo* unit = units_.findByBase(format::siteOf(record));
  const auto number = static_cast<std::size_t>(record.stride);
  if (!unit || number >= unit->variables.size() || unit->variables[number].sharedVariableId == 0) {
    stats_.add("unknown_shared_variable", "error", 1, launchId, "a shared variable that no unit registered");
    return;
  }
  if (!addShared_.handle())
    addShared_.prepare(
        database_,
        "INSERT OR IGNORE INTO launch_shared_variable VALUES(?1, ?2, ?3, CASE ?4 WHEN 0 THEN "
        "ifnull((SELECT dynamic_shared_bytes FROM launch WHERE launch_id = ?1), 0) ELSE ?4 END)");
  addShared_.run(launchId, unit->variables[number].sharedVariableId, record.address, record.activeMask);
}

void RecordSink::addKernelEntry(std::uint64_t launchId, const WarpRecord& record) {
  const UnitInfo* unit = units_.findByBase(format::siteOf(record));
  if (!unit || record.address >= unit->kernelFunctionIds.size()) {
    stats_.add("unknown_kernel", "error", 1, launchId, "a kernel that no unit registered");
    return;
  }
  if (!enterLaunch_.handle())
    enterLaunch_.prepare(database_, "UPDATE launch SET entered = 1, function_id = ? WHERE launch_id = ?");
  enterLaunch_.run(unit->kernelFunctionIds[record.address], launchId);
}

void RecordSink::writeChunk(LaunchState& launch) {
  const std::uint32_t count = launch.chunk.recordCount();
  if (count == 0) return;
  const Blob data = launch.chunk.seal();
  if (data.empty()) throw StoreFailure({ErrorCode::internal, database_.path() + ": compression failed"});
  if (!insertChunk_.handle())
    insertChunk_.prepare(
        database_,
        "INSERT INTO access_chunk(launch_id, first_sequence, record_count, min_site_number, "
        "max_site_number, min_block, max_block, min_address, max_address, codec_version, data) "
        "VALUES(?,?,?,?,?,?,?,?,?,?,?)");
  insertChunk_.run(launch.launchId, launch.firstSequence, count, launch.sites.low, launch.sites.high,
                   launch.blocks.low, launch.blocks.high, launch.addresses.low, launch.addresses.high,
                   chunkCodecVersion, data);
  launch.firstSequence = launch.nextSequence;
  launch.blocks = launch.sites = launch.addresses = Range();
}

void RecordSink::writeMetrics(LaunchState& launch) {
  if (!addMetric_.handle())
    addMetric_.prepare(
        database_,
        "INSERT INTO site_metric VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET "
        "requests = requests + excluded.requests, thread_accesses = thread_accesses + "
        "excluded.thread_accesses, "
        "bytes = bytes + excluded.bytes, sectors = sectors + excluded.sectors, "
        "ideal_sectors = ideal_sectors + excluded.ideal_sectors, wavefronts = wavefronts + "
        "excluded.wavefronts, "
        "ideal_wavefronts = ideal_wavefronts + excluded.ideal_wavefronts, "
        "bank_conflicts = bank_conflicts + excluded.bank_conflicts, "
        "min_address = min(min_address, excluded.min_address), "
        "max_address = max(max_address, excluded.max_address), "
        "sector_requests = sector_requests + excluded.sector_requests, "
        "wavefront_requests = wavefront_requests + excluded.wavefront_requests, "
        "useful_bytes = useful_bytes + excluded.useful_bytes");
  for (SiteState& site : launch.states) {
    Totals& t = site.totals;
    if (t.requests == 0) continue;
    addMetric_.run(launch.launchId, units_.sites()[site.siteNumber].id, t.requests, t.threadAccesses, t.bytes,
                   t.sectors, t.idealSectors, t.wavefronts, t.idealWavefronts,
                   t.wavefronts - t.idealWavefronts, t.addresses.low, t.addresses.high, t.sectorRequests,
                   t.wavefrontRequests, t.usefulBytes);
    t = Totals();
  }
}

void RecordSink::retire(LaunchState& launch) {
  writeChunk(launch);
  writeMetrics(launch);
  sequences_[launch.launchId] = launch.nextSequence;
}

/// Keeps what all open launches buffer under the limit.
void RecordSink::relieve() {
  std::size_t total = 0;
  for (const auto& [id, launch] : open_) total += launch->chunk.rawBytes();
  if (total <= limits_.bufferedBytes) return;
  for (const auto& [id, launch] : open_) writeChunk(*launch);
}

void RecordSink::flush() {
  for (const auto& [id, launch] : open_) retire(*launch);
  open_.clear();
  last_ = nullptr;
}

}  // namespace cui::db
