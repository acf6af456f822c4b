// See chunk_index.h.
#include "db/store/chunk_index.h"

#include <map>

namespace cui::db {

ChunkSiteRow chunkSiteRow(const SiteTotals& totals) {
  ChunkSiteRow row;
  row.recordCount = static_cast<std::int64_t>(totals.requests);
  row.minBlock = static_cast<std::int64_t>(totals.blocks.low);
  row.maxBlock = static_cast<std::int64_t>(totals.blocks.high);
  // A range over the middle of the address space is every number there is in SQL.
  const bool wraps = (totals.addresses.low ^ totals.addresses.high) >> 63 != 0;
  row.minAddress =
      wraps ? std::numeric_limits<std::int64_t>::min() : static_cast<std::int64_t>(totals.addresses.low);
  row.maxAddress =
      wraps ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(totals.addresses.high);
  return row;
}

ChunkIndexWriter::ChunkIndexWriter(Database& database)
    : database_(database), insert_("INTO access_chunk_site", "(?,?,?,?,?,?,?)") {}

void ChunkIndexWriter::add(std::int64_t chunkId, const SiteTotals& totals) {
  constexpr std::size_t many = 4096;
  const ChunkSiteRow row = chunkSiteRow(totals);
  IntegerRows& rows = rows_[totals.siteNumber];
  rows.insert(rows.end(), {totals.siteNumber, chunkId, row.recordCount, row.minBlock, row.maxBlock,
                           row.minAddress, row.maxAddress});
  if (++count_ >= many) write();
}

void ChunkIndexWriter::write() {
  IntegerRows all;
  for (auto& [site, rows] : rows_) {
    all.insert(all.end(), rows.begin(), rows.end());
    rows.clear();
  }
  insert_.run(database_, all);
  count_ = 0;
}

ChunkWriter::ChunkWriter(Database& database)
    : database_(database),
      insert_(
          "INSERT INTO main.access_chunk(launch_id, first_sequence, record_count, min_site_number, "
          "max_site_number, min_block, max_block, min_address, max_address, codec_version, data) "
          "VALUES(?,?,?,?,?,?,?,?,?,?,?)"),
      index_(database) {}

void ChunkWriter::add(const EncodedChunk& chunk) {
  ValueRange sites, blocks, addresses;
  for (const SiteTotals& site : chunk.sites) {
    sites.include(site.siteNumber, site.siteNumber);
    blocks.include(site.blocks);
    addresses.include(site.addresses);
  }
  insert_.run(database_, chunk.launchId, chunk.firstSequence, chunk.recordCount, sites.low, sites.high,
              blocks.low, blocks.high, addresses.low, addresses.high, chunkCodecVersion, Blob(chunk.data));
  const std::int64_t id = sqlite3_last_insert_rowid(database_.handle());
  for (const SiteTotals& site : chunk.sites) index_.add(id, site);
}

void indexChunks(Database& database, const std::function<bool(std::uint64_t done)>& proceed) {
  Statement chunks(database,
                   "SELECT access_chunk_id, record_count, codec_version, data FROM access_chunk "
                   "ORDER BY access_chunk_id");
  ChunkIndexWriter index(database);
  ChunkReader reader;
  AccessRecord record;
  std::uint64_t done = 0;
  while (chunks.step()) {
    std::map<std::uint32_t, SiteMeter> sites;
    reader.open(chunks.blob(3), static_cast<std::uint64_t>(chunks.integer(1)), chunks.integer(2));
    for (; reader.next(record); ++done) {
      const bool affine = format::formOf(record.flags) == format::AddressForm::affine;
      sites.try_emplace(record.siteNumber, record.siteNumber)
          .first->second.add(record.block, record.mask, record.bytes, record.flags, record.address,
                             record.stride, affine ? nullptr : record.lane.data());
    }
    if (!reader.error().empty())
      throw StoreFailure({ErrorCode::corrupt, database.path() + ": damaged: access_chunk " +
                                                  std::to_string(chunks.integer(0)) + ": " + reader.error() +
                                                  "; record it again"});
    for (const auto& [number, meter] : sites) index.add(chunks.integer(0), meter.totals);
    if (proceed && !proceed(done))
      throw StoreFailure({ErrorCode::cancelled, database.path() + ": cancelled; the trace is as it was"});
  }
  index.write();
}

}  // namespace cui::db
