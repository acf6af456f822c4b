#include "hostlib/chunk_reader.h"

#include <atomic>
#include <cstring>

#include "cuinstrument/format/chunks.h"

namespace cui::hostlib {
namespace {

/// What a device wrote is in no cache of ours, and a processor's own guesses end with the page: a chunk is
/// fetched while the one before is worked on. In parts, of as many lines as a core can wait for at a time.
void fetch(const Slot* chunk, unsigned quarter) {
  constexpr std::size_t slots = ChunkReader::slotsPerChunk / 4, slotsPerLine = 64 / sizeof(Slot);
  for (std::size_t i = 0; i < slots; i += slotsPerLine) __builtin_prefetch(chunk + quarter * slots + i);
}

/// The end of the whole records that begin at `first`. The device writes them one after the other, and the
/// chunk was empty before.
std::size_t writtenSlots(const Slot* first, std::size_t slots) {
  std::size_t at = 0;
  while (at < slots && generationA(first[at].word[1]) == format::chunkTag &&
         generationB(first[at].word[2]) == format::chunkTag) {
    const std::size_t next = at + slotsOf(first[at]);
    if (next > slots) break;
    at = next;
  }
  return at;
}

}  // namespace

ChunkReader::ChunkReader(const CuiChunks& chunks)
    : chunks_(chunks),
      mask_((std::uint64_t{1} << chunks.log2QueueSize) - 1),
      ticket_(chunks.chunkCount, outOfUse) {
  for (std::uint32_t number = 0; number < chunks_.chunkCount; ++number) giveBack(number, 0);
}

std::uint64_t ChunkReader::fullWord(std::uint64_t ticket) const {
  return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(chunks_.fullQueue[ticket & mask_]))
      .load(std::memory_order_acquire);
}

std::size_t ChunkReader::poll(std::size_t most, const Use& use) {
  std::size_t count = 0;
  for (; count < most; ++count) {
    const std::uint64_t word = fullWord(full_);
    if (!format::isOfTicket(word, full_, chunks_.log2QueueSize)) break;
    ++full_;
    const std::uint32_t number = format::chunkOf(word);
    const std::size_t slots = format::slotsOf(word);
    if (number >= chunks_.chunkCount || slots > slotsPerChunk || ticket_[number] == outOfUse) continue;
    const Slot* const next = chunk(upcoming());
    fetch(next, 0);
    const std::size_t written = writtenSlots(chunk(number), slots);
    lost_ += slots - written;
    fetch(next, 1);
    if (written != 0) use({chunk(number), written});
    fetch(next, 2);
    giveBack(number, slots);
    fetch(next, 3);
  }
  return count;
}

void ChunkReader::takeOpen(std::uint64_t taken, bool again, const Use& use) {
  poll(count(), use);  // all that are full now
  for (std::uint32_t number = 0; number < chunks_.chunkCount; ++number) {
    if (ticket_[number] >= taken) continue;
    if (const std::size_t written = writtenSlots(chunk(number), slotsPerChunk)) use({chunk(number), written});
    if (again)
      giveBack(number, slotsPerChunk);
    else
      ticket_[number] = outOfUse;
  }
}

std::uint64_t ChunkReader::takeLost() {
  const std::uint64_t lost = lost_;
  lost_ = 0;
  return lost;
}

/// The chunk that comes next, if one has been handed over.
std::uint32_t ChunkReader::upcoming() const {
  const std::uint64_t word = fullWord(full_);
  const std::uint32_t number = format::chunkOf(word);
  return format::isOfTicket(word, full_, chunks_.log2QueueSize) && number < chunks_.chunkCount ? number : 0;
}

/// Stale records must not pass for the next user's. x86 keeps the order of these stores, and the bus does.
void ChunkReader::giveBack(std::uint32_t number, std::size_t slots) {
  if (slots != 0) std::memset(static_cast<void*>(chunk(number)), 0, slots * sizeof(Slot));
  ticket_[number] = freed_;
  chunks_.freeQueue[freed_ & mask_] = number;
  ++freed_;
  std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(*chunks_.freed))
      .store(freed_, std::memory_order_release);
}

}  // namespace cui::hostlib
