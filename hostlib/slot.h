// A ring slot as four 64-bit words (format/record.h: WarpRecord), and readers for its fields.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cuinstrument/format/record.h"

namespace cui::hostlib {

struct alignas(16) Slot {
  std::uint64_t word[4];
};
static_assert(sizeof(Slot) == format::slotBytes);

// word 0: address          word 1: activeMask | warpAndBytes << 32 | flags << 48 | generationA << 56
// word 2: site | generation << 24 | launch << 32                 word 3: block | stride << 32
inline std::uint8_t generationA(std::uint64_t word1) {
  return static_cast<std::uint8_t>(word1 >> 56);
}
inline std::uint8_t generationB(std::uint64_t word2) {
  return static_cast<std::uint8_t>(word2 >> 24);
}
inline std::uint8_t flagsOf(const Slot& s) {
  return static_cast<std::uint8_t>(s.word[1] >> 48);
}
inline std::uint32_t bytesOf(const Slot& s) {
  return static_cast<std::uint32_t>(s.word[1] >> 32 & 0xffff) >> 5;
}
inline std::uint32_t activeMaskOf(const Slot& s) {
  return static_cast<std::uint32_t>(s.word[1]);
}
inline std::uint32_t warpOf(const Slot& s) {
  return static_cast<std::uint32_t>(s.word[1] >> 32) & 31u;
}
inline std::uint32_t siteOf(const Slot& s) {
  return static_cast<std::uint32_t>(s.word[2]) & 0xffffff;
}
inline std::uint32_t launchKeyOf(const Slot& s) {
  return static_cast<std::uint32_t>(s.word[2] >> 32);
}
inline std::uint32_t blockOf(const Slot& s) {
  return static_cast<std::uint32_t>(s.word[3]);
}
inline std::uint32_t numberOf(const Slot& s) {
  return static_cast<std::uint32_t>(s.word[3] >> 32);
}

inline bool isEntry(const Slot& s) {
  return format::typeOf(flagsOf(s)) == format::RecordType::kernelEntry;
}
/// Of a kernel's entry.
inline std::uint32_t kernelNumberOf(const Slot& s) {
  return format::kernelNumberOf(s.word[0]);
}
inline std::uint64_t kernelBeganOf(const Slot& s) {
  return format::kernelBeganOf(s.word[0]);
}

/// Payload slots behind a header, or nothing plausible (more than any record has): 0.
inline std::uint32_t payloadOf(const Slot& s) {
  const std::uint32_t count = format::payloadSlots(flagsOf(s), bytesOf(s));
  return count <= 8 + format::maxValueBytes ? count : 0;
}

/// Slots of a whole record. Asked as a branch, which is foreseen, so that going from record to record does
/// not wait for what is in them.
inline std::size_t slotsOf(const Slot& s) {
  if (format::isSingleAccess(flagsOf(s))) [[likely]]
    return 1;
  return 1 + payloadOf(s);
}

/// An access in a form that only a GPU's recorder makes (device_forms.h).
inline bool hasDeviceForm(const Slot& s) {
  const std::uint8_t flags = flagsOf(s);
  return format::typeOf(flags) == format::RecordType::access &&
         format::formOf(flags) == format::AddressForm::rows;
}

/// An access that is written as it is, with nothing to look at on its way: nearly all records are.
inline bool isPlain(const Slot& s) {
  return format::typeOf(flagsOf(s)) == format::RecordType::access && !hasDeviceForm(s);
}

/// Accesses at the front of `slots` that are one slot each, of known size, and of one launch. They can be
/// handed on without another look.
struct Singles {
  std::size_t count = 0;
  std::uint32_t minSite = ~std::uint32_t{0}, maxSite = 0;
};
inline Singles leadingSingles(const Slot* slots, std::size_t count, std::uint32_t launchKey) {
  Singles singles;
  for (; singles.count < count; ++singles.count) {
    const Slot& slot = slots[singles.count];
    if (!format::isSingleAccess(flagsOf(slot)) || launchKeyOf(slot) != launchKey || activeMaskOf(slot) == 0 ||
        bytesOf(slot) == 0)
      break;
    singles.minSite = std::min(singles.minSite, siteOf(slot));
    singles.maxSite = std::max(singles.maxSite, siteOf(slot));
  }
  return singles;
}

/// Tells which run of a graph its lane's records are of.
inline bool isProgress(const Slot& s) {
  return format::typeOf(flagsOf(s)) == format::RecordType::barrier &&
         format::markOf(flagsOf(s)) == format::Mark::warpProgress;
}

}  // namespace cui::hostlib
