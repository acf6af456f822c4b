// What validate() finds out about one chunk: pure computation, for any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/store/chunk_codec.h"
#include "db/store/chunk_encoder.h"

namespace cui::db {

/// A chunk as it is stored, and what was found.
struct ChunkCheck {
  std::int64_t id = 0, launchId = 0, recordCount = 0, codecVersion = 0;
  std::int64_t minSite = 0, maxSite = 0, minBlock = 0, maxBlock = 0;
  std::uint64_t minAddress = 0, maxAddress = 0;
  std::size_t siteCount = 0;  ///< of the trace
  std::vector<std::uint8_t> data;

  std::string error;              ///< it cannot be decoded
  bool unknownSite = false;       ///< a record of a site that the trace does not have
  bool outside = false;           ///< a record outside the chunk's ranges
  std::vector<SiteTotals> sites;  ///< of the records before the first such
};

class ChunkChecker {
 public:
  void operator()(ChunkCheck& check);

 private:
  void measure(const WarpAccess& record, SiteMeter& meter) const;

  ChunkReader reader_;
  DecodedChunk chunk_;
  std::vector<SiteMeter> meters_;
  std::vector<std::uint32_t> meterOfSite_;  ///< by site number: index into meters_ + 1
};

}  // namespace cui::db
