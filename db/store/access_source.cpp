// See access_source.h.
#include "db/store/access_source.h"

#include <algorithm>

#include "db/schema/schema.h"

namespace cui::db {

namespace {

constexpr std::size_t keptChunks = 4;  // a join reads a chunk through two or three cursors at once

[[noreturn]] void damaged(std::int64_t chunk, const std::string& what) {
  throw StoreFailure({ErrorCode::corrupt, "access_chunk " + std::to_string(chunk) + ": " + what});
}

}  // namespace

AccessSource::AccessSource(sqlite3* connection, std::string schema, const Cancel* cancel)
    : database_(connection), schema_(quotedName(schema)), plainSchema_(std::move(schema)), cancel_(cancel) {
  const std::int64_t application = database_.integer("PRAGMA " + schema_ + ".application_id");
  const std::int64_t version = database_.integer("PRAGMA " + schema_ + ".user_version");
  if (application != applicationId)
    throw StoreFailure({ErrorCode::notATrace, "this database is no cuinstrument trace"});
  if (version != schemaVersion())
    throw StoreFailure({ErrorCode::newerSchema, "the trace has schema version " + std::to_string(version) +
                                                    ", this extension reads version " +
                                                    std::to_string(schemaVersion())});
  estimatedRecords_ = std::max<std::int64_t>(
      1, 16'384 * std::min(std::int64_t{1} << 40, database_.integer("SELECT max(access_chunk_id) FROM " +
                                                                    schema_ + ".access_chunk")));
  estimatedLaunches_ =
      std::max<std::int64_t>(1, database_.integer("SELECT max(launch_id) FROM " + schema_ + ".launch"));
  loadTraceSites();
}

void AccessSource::loadTraceSites() {
  sites_ = loadSites(database_, plainSchema_);
}

std::vector<std::uint32_t> AccessSource::siteNumbers(const AccessFilter& filter) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < sites_.size(); ++i)
    if (filter.acceptsSite(sites_[i].id)) numbers.push_back(static_cast<std::uint32_t>(i));
  return numbers;
}

Statement AccessSource::findChunks(const AccessFilter& filter) {
  loadTraceSites();  // a program that is still recording may have registered more
  std::string sql =
      "SELECT access_chunk_id, launch_id, first_sequence, record_count, codec_version, min_block, max_block "
      "FROM " +
      schema_ + ".access_chunk WHERE true";
  const auto between = [&sql](const char* column, std::int64_t low, std::int64_t high) {
    sql += std::string(" AND ") + column + " BETWEEN " + std::to_string(low) + " AND " + std::to_string(high);
  };
  const Interval &launches = filter[AccessField::launchId], &sequences = filter[AccessField::sequence],
                 &addresses = filter[AccessField::address];
  if (launches.limited()) between("launch_id", launches.low, launches.high);
  if (sequences.limited()) {
    std::int64_t first = 0;
    if (launches.isOne() && sequences.low > 0) {  // the chunk that holds the first record wanted
      if (!chunkBefore_.handle())
        chunkBefore_.prepare(database_, "SELECT max(first_sequence) FROM " + schema_ +
                                            ".access_chunk WHERE launch_id = ? AND first_sequence <= ?");
      chunkBefore_.bind(launches.low, sequences.low);
      if (chunkBefore_.step()) first = chunkBefore_.integer(0);
      chunkBefore_.reset();
    }
    between("first_sequence", first, sequences.high);
  }
  if (filter.limitsSites() || addresses.limited()) {
    sql +=
        " AND access_chunk_id IN (SELECT access_chunk_id FROM " + schema_ + ".access_chunk_site WHERE true";
    if (filter.limitsSites()) {
      sql += " AND site_number IN (";
      const char* separator = "";
      for (const std::uint32_t number : siteNumbers(filter)) {
        sql += separator + std::to_string(number);
        separator = ",";
      }
      sql += ")";
    }
    if (addresses.limited())
      sql += " AND min_address <= " + std::to_string(addresses.high) +
             " AND max_address >= " + std::to_string(addresses.low);
    sql += ")";
  }
  return {database_, sql + " ORDER BY launch_id, first_sequence"};
}

ChunkHeader AccessSource::headerOf(const Statement& row) {
  const ChunkHeader header = {row.integer(0), row.integer(1), row.integer(2), row.integer(3),
                              row.integer(4), row.integer(5), row.integer(6)};
  // So that sums of these numbers stay numbers.
  constexpr std::int64_t limit = std::int64_t{1} << 62;
  if (header.firstSequence < 0 || header.firstSequence > limit || header.recordCount < 1 ||
      header.recordCount > maxChunkRecords)
    damaged(header.id, "impossible record count");
  return header;
}

std::shared_ptr<const DecodedChunk> AccessSource::load(const ChunkHeader& header) {
  for (const Kept& kept : kept_)
    if (kept.header.id == header.id) return kept.chunk;
  if (cancel_ && *cancel_ && (*cancel_)()) throw StoreFailure({ErrorCode::cancelled, "query cancelled"});
  if (!data_.handle())
    data_.prepare(database_, "SELECT data FROM " + schema_ + ".access_chunk WHERE access_chunk_id = ?");
  std::shared_ptr<DecodedChunk> chunk;
  if (kept_.size() == keptChunks) {
    if (kept_.front().chunk.use_count() == 1)
      chunk = std::const_pointer_cast<DecodedChunk>(kept_.front().chunk);
    kept_.erase(kept_.begin());
  }
  if (!chunk) chunk = std::make_shared<DecodedChunk>();
  data_.bind(header.id);
  const bool found = data_.step();
  const bool good = found && reader_.open(data_.blob(0), static_cast<std::uint64_t>(header.recordCount),
                                          header.codecVersion);
  data_.reset();
  if (!found) damaged(header.id, "missing");
  if (!good || !reader_.decode(*chunk)) damaged(header.id, reader_.error());
  for (const WarpAccess& record : chunk->records)
    if (record.siteNumber >= sites_.size()) damaged(header.id, "unknown site");
  kept_.push_back({header, chunk});
  return chunk;
}

std::shared_ptr<const DecodedChunk> AccessSource::recall(std::int64_t launchId, std::int64_t sequence,
                                                         ChunkHeader& header) {
  for (const Kept& kept : kept_) {
    if (kept.header.launchId != launchId || sequence < kept.header.firstSequence ||
        sequence >= kept.header.firstSequence + kept.header.recordCount)
      continue;
    header = kept.header;
    return kept.chunk;
  }
  return nullptr;
}

const LaunchShape& AccessSource::shapeOf(std::int64_t launchId) {
  const auto known = shapes_.find(launchId);
  if (known != shapes_.end()) return known->second;
  if (!launch_.handle())
    launch_.prepare(database_, "SELECT grid_x, grid_y, grid_z, block_x, block_y, kernel FROM " + schema_ +
                                   ".launch WHERE launch_id = ?");
  launch_.bind(launchId);
  LaunchShape shape{std::int64_t{1} << 32, 1, 1, 1024, 1, {}};  // unknown: one long row of blocks
  if (launch_.step()) {
    const auto size = [this](int column) {
      return std::clamp<std::int64_t>(launch_.integer(column), 1, std::int64_t{1} << 31);
    };
    shape = {size(0), size(1), size(2), size(3), size(4), launch_.text(5)};
  }
  launch_.reset();
  if (shapes_.size() > 65'536) shapes_.clear();
  return shapes_[launchId] = std::move(shape);
}

void AccessSource::leave() {
  if (--cursors_ != 0) return;
  kept_.clear();
  shapes_.clear();
}

}  // namespace cui::db
