// See metrics.h. All forms are tested against the definitions over random accesses.
#include "db/store/metrics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "db/store/vectorized.h"

namespace cui::db {

namespace {

using format::lanesPerWarp;
constexpr std::uint32_t sectorShift = 5;  // 32 bytes
constexpr std::uint32_t wordBytes = 4, bankCount = 32;

using Addresses = std::array<std::uint64_t, lanesPerWarp>;

/// Sectors and distinct bytes of `count` equally long intervals, sorted by start.
AccessCost sweepSectors(const std::uint64_t* start, std::uint32_t count, std::uint32_t bytes) {
  AccessCost cost;
  std::uint64_t nextSector = start[0] >> sectorShift, nextByte = start[0];  // not counted yet
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t end = start[i] + bytes;
    const std::uint64_t firstSector = std::max(start[i] >> sectorShift, nextSector);
    const std::uint64_t endSector = ((end - 1) >> sectorShift) + 1;
    if (endSector > firstSector) cost.sectors += static_cast<std::uint32_t>(endSector - firstSector);
    nextSector = std::max(nextSector, endSector);
    const std::uint64_t firstByte = std::max(start[i], nextByte);
    if (end > firstByte) cost.usefulBytes += static_cast<std::uint32_t>(end - firstByte);
    nextByte = std::max(nextByte, end);
  }
  cost.idealSectors = (cost.usefulBytes + 31) / 32;
  return cost;
}

/// A set of up to 64 numbers that costs next to nothing to make empty. So large that two numbers seldom ask
/// for the same place: what a wrong guess of the processor costs is what counts here.
class SmallSet {
 public:
  /// True if the number is new.
  bool insert(std::uint64_t number) {
    auto place = static_cast<std::uint32_t>(number * 0x9e3779b97f4a7c15u >> (64 - placeBits));
    for (;; place = (place + 1) % places) {
      std::uint64_t& used = used_[place / 64];
      const std::uint64_t bit = std::uint64_t{1} << place % 64;
      if ((used & bit) == 0) {
        used |= bit;
        number_[place] = number;
        return true;
      }
      if (number_[place] == number) return false;
    }
  }

 private:
  static constexpr std::uint32_t placeBits = 9, places = 1u << placeBits;
  std::array<std::uint64_t, places / 64> used_{};
  std::array<std::uint64_t, places> number_;  // those of used places
};

std::uint32_t countDistinct(const std::uint64_t* numbers, std::uint32_t count, unsigned shift) {
  SmallSet set;
  std::uint32_t distinct = 0;
  for (std::uint32_t i = 0; i < count; ++i) distinct += set.insert(numbers[i] >> shift);
  return distinct;
}

/// Sectors of lanes that are aligned to their size, a power of two up to a sector: each lies in one
/// sector, and two lanes' bytes are the same or disjoint. No sorting needed.
AccessCost alignedSectors(const std::uint64_t* start, std::uint32_t count, std::uint32_t bytes) {
  AccessCost cost;
  cost.sectors = countDistinct(start, count, sectorShift);
  // Lanes in sectors of their own have bytes of their own.
  cost.usefulBytes = (cost.sectors == count ? count : countDistinct(start, count, 0)) * bytes;
  cost.idealSectors = (cost.usefulBytes + 31) / 32;
  return cost;
}

/// The instruction size a lane's access is split into: the largest power of two up to 16 that divides it.
std::uint32_t pieceBytes(std::uint32_t bytes) {
  return std::min(16u, bytes & (~bytes + 1));
}
/// Lanes the shared memory serves in one pass if nothing conflicts.
std::uint32_t lanesPerPass(std::uint32_t piece) {
  return piece <= 4 ? 32 : piece == 8 ? 16 : 8;
}

/// Lanes `first` to `first + lanes - 1`, as a mask.
constexpr std::uint32_t laneGroup(std::uint32_t first, std::uint32_t lanes) {
  return (lanes == 32 ? ~0u : (1u << lanes) - 1) << first;
}

/// Passes one group of lanes needs for one piece each: the most distinct words in one bank.
std::uint32_t groupWavefronts(const std::uint64_t* address, std::uint32_t mask, std::uint32_t first,
                              std::uint32_t lanes, std::uint64_t offset, std::uint32_t piece) {
  SmallSet words;  // a piece that is not aligned to words has one more: 64 at most
  std::array<std::uint8_t, bankCount> perBank{};
  std::uint8_t most = 0;
  for (std::uint32_t rest = mask & laneGroup(first, lanes); rest != 0; rest &= rest - 1) {
    const std::uint64_t begin = address[std::countr_zero(rest)] + offset;
    const std::uint64_t end = (begin + piece - 1) / wordBytes;
    for (std::uint64_t word = begin / wordBytes; word <= end; ++word)
      if (words.insert(word)) most = std::max(most, ++perBank[word % bankCount]);
  }
  return most;
}

AccessCost sharedCost(std::uint32_t bytes, std::uint32_t mask, const std::uint64_t* address) {
  AccessCost cost;
  const std::uint32_t piece = pieceBytes(bytes), lanes = lanesPerPass(piece);
  for (std::uint32_t offset = 0; offset < bytes; offset += piece) {
    for (std::uint32_t first = 0; first < lanesPerWarp; first += lanes) {
      if ((mask & laneGroup(first, lanes)) == 0) continue;
      cost.idealWavefronts += 1;
      cost.wavefronts += groupWavefronts(address, mask, first, lanes, offset, piece);
    }
  }
  return cost;
}

Addresses affineAddresses(std::uint32_t mask, std::uint64_t address, std::int32_t stride) {
  Addresses result{};
  const int first = std::countr_zero(mask);
  for (int lane = first; lane < 32; ++lane)
    result[static_cast<std::size_t>(lane)] =
        address + static_cast<std::uint64_t>(static_cast<std::int64_t>(stride) * (lane - first));
  return result;
}

/// True if the active lanes are neighbours, without a gap.
bool contiguous(std::uint32_t mask) {
  const std::uint32_t shifted = mask >> std::countr_zero(mask);
  return (shifted & (shifted + 1)) == 0;
}

AccessCost affineSectors(std::uint32_t bytes, std::uint32_t mask, std::uint64_t address,
                         std::int32_t stride) {
  const auto lanes = static_cast<std::uint32_t>(std::popcount(mask));
  const auto step = static_cast<std::uint64_t>(stride < 0 ? -static_cast<std::int64_t>(stride) : stride);
  if (contiguous(mask) && (step < bytes || step - bytes < 32)) {
    // No gap between neighbours holds a whole sector, so every sector of the span is touched.
    const std::uint64_t low = stride < 0 ? address - step * (lanes - 1) : address;
    const std::uint64_t high = low + step * (lanes - 1) + bytes - 1;
    AccessCost cost;
    cost.sectors = static_cast<std::uint32_t>((high >> sectorShift) - (low >> sectorShift) + 1);
    cost.usefulBytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(step, bytes) * (lanes - 1) + bytes);
    cost.idealSectors = (cost.usefulBytes + 31) / 32;
    return cost;
  }
  const Addresses all = affineAddresses(mask, address, stride);
  Addresses active;
  std::uint32_t count = 0;
  for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane)
    if (mask >> lane & 1) active[count++] = all[lane];
  if (stride < 0) std::reverse(active.begin(), active.begin() + count);
  return sweepSectors(active.data(), count, bytes);
}

AccessCost affineShared(std::uint32_t bytes, std::uint32_t mask, std::uint64_t address, std::int32_t stride) {
  if (bytes == wordBytes && stride % 4 == 0 && address % wordBytes == 0 && contiguous(mask)) {
    // Lanes step through the banks in a cycle of 32 / gcd(step, 32) banks.
    const auto lanes = static_cast<std::uint32_t>(std::popcount(mask));
    const auto words =
        static_cast<std::uint32_t>((stride < 0 ? -static_cast<std::int64_t>(stride) : stride) / 4);
    if (words == 0) return {0, 0, 1, 1, 0};
    const std::uint32_t cycle = bankCount / std::gcd(words, bankCount);
    return {0, 0, (lanes + cycle - 1) / cycle, 1, 0};
  }
  return sharedCost(bytes, mask, affineAddresses(mask, address, stride).data());
}

}  // namespace

CUI_DB_VECTORIZED AccessCost measureLanes(format::Space space, std::uint32_t bytes, std::uint32_t mask,
                                          const std::uint64_t* address) {
  if (bytes == 0 || mask == 0) return {};
  if (countsWavefronts(space)) return sharedCost(bytes, mask, address);
  if (!countsSectors(space)) return {};
  Addresses active;
  std::uint32_t count = lanesPerWarp;
  if (mask == ~0u) {
    std::copy(address, address + lanesPerWarp, active.begin());
  } else {
    count = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
      active[count++] = address[std::countr_zero(rest)];
  }
  std::uint64_t bits = 0;
  for (std::uint32_t i = 0; i < count; ++i) bits |= active[i];
  if (std::has_single_bit(bytes) && bytes <= 32 && (bits & (bytes - 1)) == 0)
    return alignedSectors(active.data(), count, bytes);
  std::sort(active.begin(), active.begin() + count);
  return sweepSectors(active.data(), count, bytes);
}

AccessCost measureAffine(format::Space space, std::uint32_t bytes, std::uint32_t mask, std::uint64_t address,
                         std::int32_t stride) {
  if (bytes == 0 || mask == 0) return {};
  if (countsWavefronts(space)) return affineShared(bytes, mask, address, stride);
  if (countsSectors(space)) return affineSectors(bytes, mask, address, stride);
  return {};
}

}  // namespace cui::db
