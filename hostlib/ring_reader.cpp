#include "hostlib/ring_reader.h"

#include <bit>
#include <cstring>

namespace cui::hostlib {
namespace {

std::uint64_t load(std::uint64_t* word, std::memory_order order) {
  return std::atomic_ref<std::uint64_t>(*word).load(order);
}

constexpr std::size_t maxPayload = 8 + format::maxValueBytes;

/// Whether both halves of a slot were written in the lap that has this tag.
bool hasTag(Slot* slot, std::uint8_t tag) {
  return generationA(load(&slot->word[1], std::memory_order_acquire)) == tag &&
         generationB(load(&slot->word[2], std::memory_order_acquire)) == tag;
}

/// Values of lanes that took no part are whatever the slot held before; make them 0.
void clearInactiveValues(Slot* header, std::uint32_t payload) {
  const std::uint32_t bytes = bytesOf(*header);
  auto* values = reinterpret_cast<unsigned char*>(header + 1 + payload - bytes);
  for (unsigned lane = 0; lane < format::lanesPerWarp; ++lane)
    if ((activeMaskOf(*header) >> lane & 1u) == 0) std::memset(values + std::size_t{lane} * bytes, 0, bytes);
}

}  // namespace

RingReader::RingReader(const CuiRing& ring)
    : ring_(ring),
      log2SlotCount_(std::countr_zero(ring.slotCount)),
      copies_(std::make_unique_for_overwrite<Slot[]>(slotsPerPoll + maxPayload)) {}

bool RingReader::arrived(std::uint64_t ticket) const {
  return hasTag(slotOf(ticket), generation(ticket));
}

void RingReader::publish(std::uint64_t consumed) {
  consumed_.store(consumed, std::memory_order_release);
  std::atomic_ref<std::uint64_t>(*const_cast<std::uint64_t*>(ring_.consumed))
      .store(consumed, std::memory_order_release);
}

std::span<const Slot> RingReader::poll() {
  const std::lock_guard lock(mutex_);
  if (detached_) return {};
  constexpr std::uint64_t publishEvery = 4096;  // slots; waiting warps get room early
  constexpr std::uint64_t ahead = 32;           // slots; what a device wrote is in no cache of ours
  const std::uint64_t begin = consumed_.load(std::memory_order_relaxed);
  std::uint64_t ticket = begin, published = begin, lapEnd = begin;
  std::uint8_t tag = 0;
  Slot* to = copies_.get();
  while (ticket - begin < slotsPerPoll) {
    if (ticket - published >= publishEvery) publish(published = ticket);
    if (ticket >= lapEnd) {
      lapEnd = ((ticket >> log2SlotCount_) + 1) << log2SlotCount_;
      tag = generation(ticket);
    }
    Slot* const from = slotOf(ticket);
    __builtin_prefetch(slotOf(ticket + ahead));
    if (!hasTag(from, tag)) break;
    for (unsigned i = 0; i < 4; ++i) to->word[i] = load(&from->word[i], std::memory_order_relaxed);
    if (format::isSingleAccess(flagsOf(*to))) [[likely]] {
      ++to, ++ticket;
      continue;
    }
    const std::uint32_t payload = payloadOf(*to);
    for (std::uint32_t i = 1; i <= payload; ++i) {
      Slot* const source = slotOf(ticket + i);
      std::memcpy(to[i].word, source->word, sizeof source->word);
      // A stale payload must not look like a header one lap later.
      source->word[1] = source->word[2] = 0;
    }
    if (payload != 0 && format::hasValues(flagsOf(*to))) clearInactiveValues(to, payload);
    to += 1 + payload;
    ticket += 1 + payload;
  }
  if (ticket != published) publish(ticket);
  return {copies_.get(), to};
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
