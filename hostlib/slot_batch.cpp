#include "hostlib/slot_batch.h"

#include <cstring>

#include "cuinstrument/format/chunks.h"
#include "db/store/vectorized.h"

namespace cui::hostlib {
namespace {

/// Half of a slot, as a vector; of several slots the least, the greatest and the union of each part.
using Half = std::uint32_t __attribute__((vector_size(16)));
enum PartOfA : std::size_t { mask = 2, warpAndFlags = 3 };
enum PartOfB : std::size_t { site = 0, launch = 1 };

struct Look {
  Half lowA, highA, anyA, lowB, highB;
  Half lowBytes;  ///< of warpAndFlags, the bytes per lane only
};

Half load(const std::uint64_t* words) {
  Half half;
  std::memcpy(&half, words, sizeof half);
  return half;
}
Half lesser(Half a, Half b) {
  return a < b ? a : b;
}
Half greater(Half a, Half b) {
  return a > b ? a : b;
}

/// A few operations a slot, whatever it holds: no branch waits for what memory is about to bring. `to` may be
/// `from`; fetches `ahead`.
CUI_DB_VECTORIZED void copyAndLook(const Slot* from, std::size_t count, Slot* to, const Slot* ahead,
                                   Look& look) {
  constexpr std::size_t slotsPerLine = 64 / sizeof(Slot);
  const Half all = {~0u, ~0u, ~0u, ~0u}, none = {}, bytes = {0, 0, 0, 0xffe0u};
  Look now = {all, none, none, all, none, all};
  for (std::size_t i = 0; i < count; ++i) {
    if (i % slotsPerLine == 0) __builtin_prefetch(ahead + i);
    const Half a = load(&from[i].word[0]), b = load(&from[i].word[2]);
    std::memcpy(&to[i].word[0], &a, sizeof a);
    std::memcpy(&to[i].word[2], &b, sizeof b);
    now.lowA = lesser(now.lowA, a);
    now.highA = greater(now.highA, a);
    now.anyA |= a;
    now.lowBytes = lesser(now.lowBytes, a & bytes);
    now.lowB = lesser(now.lowB, b);
    now.highB = greater(now.highB, b);
  }
  look = now;
}

/// What leadingSingles() looks at, of all at once.
bool areSingles(const Look& look, unsigned tag, SlotBatch::Run& run) {
  if (!format::isSingleAccess(static_cast<std::uint8_t>(look.anyA[warpAndFlags] >> 16)) ||
      look.lowA[mask] == 0 || look.lowBytes[warpAndFlags] == 0 || look.lowB[launch] != look.highB[launch])
    return false;
  const auto hasTag = [tag](std::uint32_t part) { return part >> 24 == tag; };
  if (tag != SlotBatch::anyTag && !(hasTag(look.lowA[warpAndFlags]) && hasTag(look.highA[warpAndFlags]) &&
                                    hasTag(look.lowB[site]) && hasTag(look.highB[site])))
    return false;
  run.key = look.lowB[launch];
  run.minSite = look.lowB[site] & 0xffffffu;
  run.maxSite = look.highB[site] & 0xffffffu;
  return look.lowB[site] >> 24 == look.highB[site] >> 24;  // else their order is not the sites'
}

/// The end of the whole records at the front that have the tag.
std::size_t writtenSlots(const Slot* first, std::size_t slots, unsigned tag) {
  std::size_t at = 0;
  while (at < slots && (tag == SlotBatch::anyTag ||
                        (generationA(first[at].word[1]) == tag && generationB(first[at].word[2]) == tag))) {
    const std::size_t next = at + slotsOf(first[at]);
    if (next > slots) break;
    at = next;
  }
  return at;
}

}  // namespace

void SlotBatch::clear() {
  if (memory_.capacity() < capacity) memory_ = db::SlotMemory(capacity);
  size_ = 0;
  runs_.clear();
  runs_.reserve(2 * capacity / format::chunkSlots);  // so that append() allocates nothing
}

std::size_t SlotBatch::append(const Slot* records, std::size_t count, unsigned tag, const Slot* next) {
  if (count == 0) return 0;
  Slot* const to = reinterpret_cast<Slot*>(memory_.data()) + size_;
  Run run{size_, 0, 0, false, 0, 0};
  Look look;
  copyAndLook(records, count, to, next == nullptr ? records : next, look);
  run.areSingles = areSingles(look, tag, run);
  if (!run.areSingles) {
    const std::size_t written = writtenSlots(to, count, tag);
    if (written != count && written != 0) {
      copyAndLook(to, written, to, to, look);
      run.areSingles = areSingles(look, tag, run);
    }
    count = written;
  }
  size_ += count;
  run.end = size_;
  if (count != 0) add(run);
  return count;
}

/// As part of the last one, if it is of the same kind.
void SlotBatch::add(const Run& run) {
  if (runs_.empty() || runs_.back().areSingles != run.areSingles || runs_.back().key != run.key)
    return runs_.push_back(run);
  Run& last = runs_.back();
  last.end = run.end;
  last.minSite = std::min(last.minSite, run.minSite);
  last.maxSite = std::max(last.maxSite, run.maxSite);
}

}  // namespace cui::hostlib
