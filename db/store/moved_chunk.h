// The accesses of a chunk with other site numbers and addresses.
#pragma once

#include <cstdint>
#include <vector>

#include "db/store/chunk_codec.h"
#include "db/store/chunk_encoder.h"

namespace cui::db {

class ChunkMover {
 public:
  /// `siteNumbers`: the new number by the old one. `addressBase` is added to addresses outside of shared
  /// memory. `siteBytes`: bytes per lane by the new number, for records too wide to say it.
  ChunkMover(std::vector<std::uint32_t> siteNumbers, std::uint64_t addressBase,
             std::shared_ptr<const std::vector<std::uint32_t>> siteBytes);

  /// What `reader` has open, as a chunk of that launch. Throws StoreFailure (corrupt) for a site without a
  /// new number; errors of the reader are the caller's to look for.
  EncodedChunk move(ChunkReader& reader, std::int64_t launchId, std::int64_t firstSequence);

 private:
  void append(const AccessRecord& record);

  const std::vector<std::uint32_t> siteNumbers_;
  const std::uint64_t addressBase_;
  Segment segment_;
  ChunkEncoder encoder_;
  std::vector<format::WarpRecord> slots_;
};

}  // namespace cui::db
