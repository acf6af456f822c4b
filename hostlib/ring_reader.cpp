#include "hostlib/ring_reader.h"

#include <cstring>

namespace cui::hostlib {
namespace {

std::uint64_t load(std::uint64_t* word, std::memory_order order) {
  return std::atomic_ref<std::uint64_t>(*word).load(order);
}

/// Values of lanes that took no part are whatever the slot held before; make them 0.
void clearInactiveValues(Slot* header, std::uint32_t payload) {
  const std::uint32_t bytes = bytesOf(*header);
  auto* values = reinterpret_cast<unsigned char*>(header + 1 + payload - bytes);
  for (unsigned lane = 0; lane < format::lanesPerWarp; ++lane)
    if ((activeMaskOf(*header) >> lane & 1u) == 0) std::memset(values + std::size_t{lane} * bytes, 0, bytes);
}

}  // namespace

RingReader::RingReader(const CuiRing& ring) : ring_(ring) {}

std::uint64_t* RingReader::wordsOf(std::uint64_t ticket) const {
  return static_cast<Slot*>(ring_.slots)[ticket & (ring_.slotCount - 1)].word;
}

bool RingReader::arrived(std::uint64_t ticket) const {
  std::uint64_t* words = wordsOf(ticket);
  const std::uint8_t expected = generation(ticket);
  return generationA(load(words + 1, std::memory_order_acquire)) == expected &&
         generationB(load(words + 2, std::memory_order_acquire)) == expected;
}

void RingReader::publish(std::uint64_t consumed) {
  consumed_.store(consumed, std::memory_order_release);
  std::atomic_ref<std::uint64_t>(*const_cast<std::uint64_t*>(ring_.consumed))
      .store(consumed, std::memory_order_release);
}

std::size_t RingReader::poll(std::vector<Slot>& out, std::size_t limit) {
  const std::lock_guard lock(mutex_);
  if (detached_) return 0;
  constexpr std::uint64_t publishEvery = 4096;  // slots; waiting warps get room early
  const std::uint64_t begin = consumed_.load(std::memory_order_relaxed);
  std::uint64_t ticket = begin, published = begin;
  while (ticket - begin < limit && arrived(ticket)) {
    std::uint64_t* words = wordsOf(ticket);
    Slot header;
    for (unsigned i = 0; i < 4; ++i) header.word[i] = load(words + i, std::memory_order_relaxed);
    const std::uint32_t payload = payloadOf(header);
    const std::size_t at = out.size();
    out.push_back(header);
    for (std::uint32_t i = 1; i <= payload; ++i) {
      std::uint64_t* source = wordsOf(ticket + i);
      Slot slot;
      std::memcpy(slot.word, source, sizeof slot);
      out.push_back(slot);
      // A stale payload must not look like a header one lap later.
      source[1] = source[2] = 0;
    }
    if (format::hasValues(flagsOf(header)) && payload != 0) clearInactiveValues(&out[at], payload);
    ticket += 1 + payload;
    if (ticket - published >= publishEvery) publish(published = ticket);
  }
  if (ticket != published) publish(ticket);
  return ticket - begin;
}

std::uint64_t RingReader::skip(std::uint64_t produced) {
  const std::lock_guard lock(mutex_);
  if (detached_) return 0;
  const std::uint64_t begin = consumed_.load(std::memory_order_relaxed);
  std::uint64_t ticket = begin;
  while (ticket < produced && !arrived(ticket)) ++ticket;
  if (ticket != begin) publish(ticket);
  return ticket - begin;
}

std::uint64_t RingReader::skipToArrived() {
  {
    const std::lock_guard lock(mutex_);
    if (detached_) return 0;
    const std::uint64_t begin = consumed_.load(std::memory_order_relaxed);
    std::uint64_t ticket = begin;
    while (ticket - begin < ring_.slotCount && !arrived(ticket)) ++ticket;
    if (ticket - begin == ring_.slotCount) return 0;
  }
  return skip(~std::uint64_t{0});
}

void RingReader::detach() {
  const std::lock_guard lock(mutex_);
  detached_ = true;
}

}  // namespace cui::hostlib
