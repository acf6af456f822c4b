// See merged_chunks.h.
#include "db/store/merged_chunks.h"

#include <memory>
#include <vector>

#include "db/store/chunk_index.h"
#include "db/store/moved_chunk.h"

namespace cui::db {

std::uint64_t copyMergedChunks(Database& database, std::size_t source, std::uint64_t distance,
                               const std::function<bool(std::uint64_t done)>& proceed) {
  std::vector<std::uint32_t> numbers;
  auto bytes = std::make_shared<std::vector<std::uint32_t>>();
  Statement sites(
      database,
      "SELECT s.site_number, d.site_number, d.bytes FROM src.site s JOIN main.site d USING(site_id)");
  while (sites.step()) {
    const auto from = static_cast<std::size_t>(sites.integer(0)),
               to = static_cast<std::size_t>(sites.integer(1));
    if (numbers.size() <= from) numbers.resize(from + 1);
    if (bytes->size() <= to) bytes->resize(to + 1);
    numbers[from] = static_cast<std::uint32_t>(to);
    (*bytes)[to] = static_cast<std::uint32_t>(sites.integer(2));
  }
  sites.reset();
  ChunkMover mover(std::move(numbers), distance, std::move(bytes));
  Statement chunks(
      database,
      "SELECT access_chunk_id, (SELECT new FROM launch_map WHERE source = ? AND old = c.launch_id), "
      "first_sequence, record_count, codec_version, data FROM src.access_chunk c ORDER BY access_chunk_id");
  ChunkWriter writer(database);
  ChunkReader reader;
  std::uint64_t done = 0;
  for (chunks.bind(static_cast<std::int64_t>(source)); chunks.step();) {
    reader.open(chunks.blob(5), static_cast<std::uint64_t>(chunks.integer(3)), chunks.integer(4));
    const EncodedChunk chunk = mover.move(reader, chunks.integer(1), chunks.integer(2));
    if (!reader.error().empty() || chunk.data.empty())
      throw StoreFailure({ErrorCode::corrupt, "access_chunk " + std::to_string(chunks.integer(0)) +
                                                  " is damaged: " + reader.error() +
                                                  "; run cuinstrument validate"});
    writer.add(chunk);
    done += chunk.recordCount;
    if (!proceed(done)) throw StoreFailure({ErrorCode::cancelled, "cancelled"});
  }
  writer.write();
  return done;
}

}  // namespace cui::db
