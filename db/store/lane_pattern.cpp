// See lane_pattern.h. A packed pattern:
//
//   u8 way | shift << 2; u8 width; zigzag low; [mostly: zigzag step, u32 exceptions]; numbers of `width` bits
//
// An offset is a number << shift. Ways: the numbers minus `low`; the differences from lane to lane minus
// `low`; or the lanes whose difference is `step` left out, a bit in `exceptions` for each that is not. Of one
// lane there is nothing to write.
#include "db/store/lane_pattern.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "db/store/vectorized.h"

namespace cui::db {

namespace {

using format::lanesPerWarp;

enum Way : std::uint8_t { plain, steps, mostly };
constexpr unsigned wayBits = 2, maxShift = 31;
constexpr unsigned maxWidth = 56;  // more than that is written as 64: a number then starts at a whole byte

unsigned widthOf(std::uint64_t range) {
  const auto width = static_cast<unsigned>(std::bit_width(range));
  return width > maxWidth ? 64 : width;
}

std::size_t packedBytes(std::size_t numbers, unsigned width) {
  return (numbers * width + 7) / 8;
}

std::uint64_t load64(const std::uint8_t* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  return value;
}
void store64(std::uint8_t* at, std::uint64_t value) {
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  std::memcpy(at, &value, sizeof value);
}

/// Writes numbers of `width` bits, whole words at a time; up to 8 bytes more than they take.
template <class Number>
void writeBits(std::uint8_t* at, const Number* number, std::size_t count, unsigned width) {
  std::uint64_t word = 0;
  unsigned used = 0;
  const auto add = [&](std::uint64_t bits, unsigned size) {
    word |= bits << used;
    used += size;
    if (used < 64) return;
    store64(at, word);
    at += 8;
    used -= 64;
    word = used == 0 ? 0 : bits >> (size - used);
  };
  std::size_t i = 0;
  if (width <= 32)  // each turn waits for the one before: two numbers a turn
    for (; i + 1 < count; i += 2)
      add(std::uint64_t{number[i]} | std::uint64_t{number[i + 1]} << width, 2 * width);
  for (; i < count; ++i) add(number[i], width);
  store64(at, word);
}

template <class Number>
struct Range {
  using Unsigned = std::make_unsigned_t<Number>;
  Number low = std::numeric_limits<Number>::max(), high = std::numeric_limits<Number>::min();
  void include(Number number) {
    low = std::min(low, number);
    high = std::max(high, number);
  }
  unsigned width() const {
    return widthOf(static_cast<Unsigned>(static_cast<Unsigned>(high) - static_cast<Unsigned>(low)));
  }
};

/// `count` is known to the compiler for whole warps, which are most.
template <class Offset>
[[gnu::always_inline]] inline void packCounted(const Offset* offset, const std::uint32_t count,
                                               ByteBuffer& out) {
  using Unsigned = std::make_unsigned_t<Offset>;
  const std::uint32_t numbers = count - 1;
  Offset bits = 0;
  Range<Offset> range;
  for (std::uint32_t i = 1; i < count; ++i) {
    bits |= offset[i];
    range.include(offset[i]);
  }
  const unsigned shift =
      bits == 0 ? 0
                : std::min(maxShift, static_cast<unsigned>(std::countr_zero(static_cast<Unsigned>(bits))));
  range.low >>= shift;
  range.high >>= shift;

  // From lane to lane. Differences of 64-bit numbers may wrap, as they do when they are added up again; those
  // of 32 bits, which are added up in 64, must not.
  Offset step[lanesPerWarp] = {};
  Range<Offset> stepRange;
  for (std::uint32_t i = 1; i < count; ++i) {
    const Unsigned last = i == 1 ? 0 : static_cast<Unsigned>(offset[i - 1] >> shift);
    step[i] = static_cast<Offset>(static_cast<Unsigned>(static_cast<Unsigned>(offset[i] >> shift) - last));
    stepRange.include(step[i]);
  }
  constexpr Offset half = std::numeric_limits<Offset>::max() / 2;
  const bool hasSteps = sizeof(Offset) == 8 || (range.low >= -half && range.high <= half);

  Way way = plain;
  unsigned width = range.width();
  Offset low = range.low, common = 0;
  std::uint32_t exceptions = 0;
  std::size_t best = packedBytes(numbers, width);
  if (hasSteps) {
    const unsigned stepWidth = stepRange.width();
    if (packedBytes(numbers, stepWidth) < best) {
      way = steps;
      width = stepWidth;
      low = stepRange.low;
      best = packedBytes(numbers, width);
    }
    std::uint32_t same[2] = {};
    const Offset candidate[2] = {step[(count + 3) / 4], step[count - 1 - count / 4]};
    for (std::uint32_t i = 1; i < count; ++i) {
      same[0] += step[i] == candidate[0];
      same[1] += step[i] == candidate[1];
    }
    const int choice = same[1] > same[0] ? 1 : 0;
    constexpr std::size_t overhead = 6;  // exceptions and a short step
    if (2 * same[choice] >= numbers && best > overhead) {
      Range<Offset> rest;
      std::uint32_t others = 0;
      for (std::uint32_t i = 1; i < count; ++i) {
        if (step[i] == candidate[choice]) continue;
        others |= std::uint32_t{1} << i;
        rest.include(step[i]);
      }
      const unsigned restWidth = others == 0 ? 0 : rest.width();
      if (overhead + packedBytes(numbers - same[choice], restWidth) < best) {
        way = mostly;
        width = restWidth;
        low = others == 0 ? 0 : rest.low;
        common = candidate[choice];
        exceptions = others;
      }
    }
  }

  out.byte(static_cast<std::uint8_t>(way | shift << wayBits));
  out.byte(static_cast<std::uint8_t>(width));
  out.zigzag(static_cast<std::uint64_t>(std::int64_t{low}));
  if (way == mostly) {
    out.zigzag(static_cast<std::uint64_t>(std::int64_t{common}));
    for (unsigned byte = 0; byte < 4; ++byte) out.byte(static_cast<std::uint8_t>(exceptions >> 8 * byte));
  }
  if (width == 0) return;
  std::array<Unsigned, lanesPerWarp> number;
  std::size_t written = 0;
  if (way == plain) {
    for (; written < numbers; ++written)
      number[written] = static_cast<Unsigned>(offset[written + 1] >> shift);
  } else if (way == steps) {
    for (; written < numbers; ++written) number[written] = static_cast<Unsigned>(step[written + 1]);
  } else {
    for (std::uint32_t rest = exceptions; rest != 0; rest &= rest - 1)
      number[written++] = static_cast<Unsigned>(step[std::countr_zero(rest)]);
  }
  for (std::size_t i = 0; i < written; ++i)
    number[i] = static_cast<Unsigned>(number[i] - static_cast<Unsigned>(low));
  writeBits(out.room(std::size_t{8} * lanesPerWarp + 8), number.data(), written, width);
  out.keep(packedBytes(written, width));
}

}  // namespace

CUI_DB_VECTORIZED void packOffsets(const std::int32_t* offset, std::uint32_t count, ByteBuffer& out) {
  if (count == lanesPerWarp)
    packCounted(offset, lanesPerWarp, out);
  else if (count > 1)
    packCounted(offset, count, out);
}

void packOffsets(const std::int64_t* offset, std::uint32_t count, ByteBuffer& out) {
  if (count > 1) packCounted(offset, count, out);
}

bool unpackOffsets(ColumnCursor& in, std::uint32_t count, std::uint64_t* offset) {
  if (count == 0 || count > lanesPerWarp) return false;
  offset[0] = 0;
  if (count == 1) return true;
  const std::uint8_t head = in.byte();
  const unsigned way = head & ((1u << wayBits) - 1), shift = head >> wayBits, width = in.byte();
  const std::uint64_t low = in.zigzag();
  std::uint64_t common = 0;
  std::uint32_t exceptions = 0;
  if (way == mostly) {
    common = in.zigzag();
    for (unsigned byte = 0; byte < 4; ++byte) exceptions |= std::uint32_t{in.byte()} << 8 * byte;
  }
  if (!in.ok || way > mostly || shift > maxShift || (width > maxWidth && width != 64)) return false;
  const std::size_t numbers = way == mostly ? static_cast<std::size_t>(std::popcount(exceptions)) : count - 1;
  const std::size_t bytes = packedBytes(numbers, width);
  if (bytes > in.left()) return false;
  const std::uint8_t* const data = in.at;
  in.at += bytes;
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  const auto number = [&](std::size_t index) {
    const std::size_t bit = index * width;
    return (load64(data + bit / 8) >> bit % 8 & mask) + low;
  };
  if (way == plain) {
    for (std::uint32_t i = 1; i < count; ++i) offset[i] = number(i - 1) << shift;
    return true;
  }
  std::uint64_t last = 0;
  std::size_t used = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    const bool spelled = way == steps || (exceptions >> i & 1) != 0;
    last += spelled ? number(used) : common;
    used += spelled;
    offset[i] = last << shift;
  }
  return used == numbers;  // else: exceptions of lanes that there are not
}

bool PatternWindow::find(const LanePattern& pattern, std::uint32_t& number) {
  std::array<std::uint64_t, lanesPerWarp / 2> words;
  static_assert(sizeof words == sizeof pattern.offset);
  std::memcpy(words.data(), pattern.offset.data(), sizeof words);
  std::uint64_t hash[4] = {pattern.count, 1, 2, 3};  // four chains: a multiplication takes a while
  for (std::size_t i = 0; i < words.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) hash[k] = (hash[k] ^ words[i + k]) * 0x9e3779b97f4a7c15u;
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < 4; ++k) all = (all ^ hash[k] ^ hash[k] >> 32) * 0x9e3779b97f4a7c15u;
  Place& place = places_[all >> 52];
  static_assert(size == 1u << 12);
  const auto tag = static_cast<std::uint32_t>(all);
  if (place.next != 0 && place.tag == tag && count_ - (place.next - 1) <= size &&
      patterns_[(place.next - 1) % size] == pattern) {
    number = place.next - 1;
    return true;
  }
  number = count_++;
  patterns_[number % size] = pattern;
  place = {tag, number + 1};
  return false;
}

void PatternWindow::clear() {
  if (count_ != 0) std::fill(places_.begin(), places_.end(), Place());
  count_ = 0;
}

}  // namespace cui::db
