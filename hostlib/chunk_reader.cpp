#include "hostlib/chunk_reader.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace cui::hostlib {

ChunkReader::ChunkReader(const CuiChunks& chunks)
    : chunks_(chunks),
      mask_((std::uint64_t{1} << chunks.log2QueueSize) - 1),
      ticket_(chunks.chunkCount, outOfUse) {
  for (std::uint32_t number = 0; number < chunks_.chunkCount; ++number) waiting_.push_back(number);
  publish();
}

std::uint64_t ChunkReader::fullWord(std::uint64_t ticket) const {
  return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(chunks_.fullQueue[ticket & mask_]))
      .load(std::memory_order_acquire);
}

void ChunkReader::takeFull(std::size_t most, std::vector<Taken>& taken) {
  if (!waiting_.empty()) publish();
  while (most != 0) {
    const std::uint64_t word = fullWord(full_);
    if (!format::isOfTicket(word, full_, chunks_.log2QueueSize)) return;
    ++full_;
    const std::uint32_t number = format::chunkOf(word), slots = format::slotsOf(word);
    if (number >= chunks_.chunkCount || slots > slotsPerChunk || ticket_[number] == outOfUse) continue;
    --most;
    taken.push_back({number, slots, true});
  }
}

void ChunkReader::takeOpen(std::uint64_t before, bool again, std::vector<Taken>& taken) {
  for (std::uint32_t number = 0; number < chunks_.chunkCount; ++number) {
    if (ticket_[number] >= std::min(before, waiting)) continue;
    taken.push_back({number, 0, again});
    if (!again) ticket_[number] = outOfUse;
  }
}

std::size_t ChunkReader::read(std::span<const Taken> taken, SlotBatch& batch) const {
  std::size_t lost = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const auto [number, said, again] = taken[i];
    const std::size_t slots = said == 0 ? slotsPerChunk : said;
    // What a device wrote is in no cache of ours, and a processor's own guesses end with the page.
    const Slot* const next = i + 1 < taken.size() ? chunk(taken[i + 1].number) : nullptr;
    const std::size_t written = batch.append(chunk(number), slots, format::chunkTag, next);
    if (said != 0) lost += slots - written;
    // Stale records must not pass for the next user's.
    if (again) std::memset(static_cast<void*>(chunk(number)), 0, slots * sizeof(Slot));
  }
  return lost;
}

void ChunkReader::giveBack(std::span<const Taken> taken) {
  for (const auto& [number, slots, again] : taken) {
    if (!again) continue;
    ticket_[number] = waiting;
    waiting_.push_back(number);
  }
  publish();
}

/// A ticket says that there is a number, which lanes may read much later: meanwhile the chunks of others can
/// go round the queue. x86 keeps the order of the stores that cleared the chunks and of these, and the bus
/// does.
void ChunkReader::publish() {
  for (; !waiting_.empty(); waiting_.pop_front()) {
    const std::atomic_ref place(const_cast<std::uint32_t&>(chunks_.freeQueue[freed_ & mask_]));
    if (place.load(std::memory_order_relaxed) != 0) break;
    ticket_[waiting_.front()] = freed_++;
    place.store(waiting_.front() + 1, std::memory_order_relaxed);
  }
  std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(*chunks_.freed))
      .store(freed_, std::memory_order_release);
}

}  // namespace cui::hostlib
