// Chunks of records in the host's memory (host/abi.h: CuiChunks), as devlib fills them and hostlib reads
// them, and what a device says of one that it hands over.
#pragma once

#include "cuinstrument/format/record.h"

namespace cui {
namespace format {

constexpr uint32_t chunkSlots = 128;
/// Both generations of all headers in chunks: the host clears a chunk before it is used again.
constexpr uint32_t chunkTag = 1;

/// The word of the queue of full chunks that has ticket `ticket`: the chunk's number, the slots used in it
/// and a tag that tells the queue's laps apart, never 0. `log2Size`: of the queue.
CUI_FORMAT_HD constexpr unsigned long long fullChunkWord(uint32_t chunk, uint32_t slots,
                                                         unsigned long long ticket, uint32_t log2Size) {
  return chunk | static_cast<unsigned long long>(slots) << 32 | (ticket >> log2Size | 0x8000u) << 48;
}
CUI_FORMAT_HD constexpr uint32_t chunkOf(unsigned long long fullChunk) {
  return static_cast<uint32_t>(fullChunk);
}
CUI_FORMAT_HD constexpr uint32_t slotsOf(unsigned long long fullChunk) {
  return static_cast<uint32_t>(fullChunk >> 32) & 0xffffu;
}
/// Whether the word is the one with this ticket.
CUI_FORMAT_HD constexpr bool isOfTicket(unsigned long long fullChunk, unsigned long long ticket,
                                        uint32_t log2Size) {
  return fullChunk >> 48 == fullChunkWord(0, 0, ticket, log2Size) >> 48;
}

}  // namespace format
}  // namespace cui
