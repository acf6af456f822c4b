// A chunk's columns (db/store/chunk_codec.h), for tests that change them behind the checksums.
#pragma once

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cui::db::test {

/// A chunk's columns, unpacked.
inline std::vector<std::vector<std::uint8_t>> columnsOf(const std::vector<std::uint8_t>& chunk) {
  const std::size_t count = chunk[1];
  const auto number = [&chunk](std::size_t at) {
    std::size_t value = 0;
    for (std::size_t byte = 0; byte < 4; ++byte) value |= std::size_t{chunk[at + byte]} << 8 * byte;
    return value;
  };
  std::vector<std::vector<std::uint8_t>> columns(count);
  std::size_t at = 2 + 8 * count;
  for (std::size_t i = 0; i < count; ++i) {
    columns[i].resize(number(2 + 8 * i));
    const std::size_t packed = number(6 + 8 * i);
    if (packed != 0) {
      EXPECT_EQ(ZSTD_decompress(columns[i].data(), columns[i].size(), chunk.data() + at, packed),
                columns[i].size());
    }
    at += packed;
  }
  return columns;
}
/// A chunk of such columns, each a valid frame.
inline std::vector<std::uint8_t> chunkOf(std::uint32_t version,
                                         const std::vector<std::vector<std::uint8_t>>& columns) {
  std::vector<std::uint8_t> chunk(2 + 8 * columns.size());
  chunk[0] = static_cast<std::uint8_t>(version);
  chunk[1] = static_cast<std::uint8_t>(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::vector<std::uint8_t> packed(ZSTD_compressBound(columns[i].size()));
    packed.resize(columns[i].empty()
                      ? 0
                      : ZSTD_compress(packed.data(), packed.size(), columns[i].data(), columns[i].size(), 1));
    for (std::size_t byte = 0; byte < 4; ++byte) {
      chunk[2 + 8 * i + byte] = static_cast<std::uint8_t>(columns[i].size() >> 8 * byte);
      chunk[6 + 8 * i + byte] = static_cast<std::uint8_t>(packed.size() >> 8 * byte);
    }
    chunk.insert(chunk.end(), packed.begin(), packed.end());
  }
  return chunk;
}

}  // namespace cui::db::test
