// See site_rows.h.
#include "db/analyses/site_rows.h"

#include <map>
#include <tuple>

#include "db/store/chunk_codec.h"

namespace cui::db {

namespace {

Pattern patternFromRows(const TraceReader& reader, const Value& siteId) {
  Pattern pattern;
  // A single lane has no stride.
  const Error ignored = reader.query(
      "SELECT stride, bytes FROM access WHERE site_id = ? AND active_mask & (active_mask - 1) <> 0 "
      "GROUP BY stride, bytes ORDER BY count(*) DESC, stride LIMIT 1",
      [&pattern](Row row) {
        pattern = {true, isNull(row[0]), asInteger(row[0]), asInteger(row[1])};
        return false;
      },
      {&siteId, 1});
  return pattern;
}

Pattern patternFromChunks(const TraceReader& reader, const Value& siteId) {
  using Key = std::tuple<bool, std::int64_t, std::int64_t>;  // irregular, stride, bytes
  std::map<Key, std::uint64_t> counts;
  ChunkReader chunk;
  AccessRecord record;
  const Error ignored = reader.query(
      "SELECT site_number, record_count, codec_version, data FROM site JOIN access_chunk ON site_number "
      "BETWEEN "
      "min_site_number AND max_site_number WHERE site_id = ? ORDER BY access_chunk_id LIMIT 8",
      [&](Row row) {
        const auto number = static_cast<std::uint32_t>(asInteger(row[0]));
        const auto* data = std::get_if<Bytes>(&row[3]);
        if (!data) return false;
        chunk.open(data->data, static_cast<std::uint64_t>(asInteger(row[1])), asInteger(row[2]));
        while (chunk.next(record)) {
          if (record.siteNumber != number || (record.mask & (record.mask - 1)) == 0) continue;
          const bool irregular = format::formOf(record.flags) != format::AddressForm::affine;
          ++counts[{irregular, irregular ? 0 : record.stride, record.bytes}];
        }
        return true;
      },
      {&siteId, 1});
  Pattern pattern;
  std::uint64_t most = 0;
  for (const auto& [key, count] : counts) {
    if (count <= most) continue;
    most = count;
    pattern = {true, std::get<0>(key), std::get<1>(key), std::get<2>(key)};
  }
  return pattern;
}

}  // namespace

Pattern patternOf(const TraceReader& reader, std::int64_t siteId) {
  return reader.materialized() ? patternFromRows(reader, siteId) : patternFromChunks(reader, siteId);
}

}  // namespace cui::db
