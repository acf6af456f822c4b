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

void ChunkIndexWriter::add(std::int64_t chunkId, const SiteTotals& totals) {
  if (!insert_.handle()) insert_.prepare(database_, "INSERT INTO access_chunk_site VALUES(?,?,?,?,?,?,?)");
  const ChunkSiteRow row = chunkSiteRow(totals);
  insert_.run(totals.siteNumber, chunkId, row.recordCount, row.minBlock, row.maxBlock, row.minAddress,
              row.maxAddress);
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
}

}  // namespace cui::db
