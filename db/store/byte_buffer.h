// Columns of a chunk while they are written, and while they are read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace cui::db {

class ByteBuffer {
 public:
  std::size_t size() const { return size_; }
  std::span<const std::uint8_t> bytes() const { return {data_.data(), size_}; }
  void clear() { size_ = 0; }
  void byte(std::uint8_t value) {
    reserve(1);
    data_[size_++] = value;
  }
  void varint(std::uint64_t value) {
    reserve(10);
    while (value >= 0x80) {
      data_[size_++] = static_cast<std::uint8_t>(value | 0x80);
      value >>= 7;
    }
    data_[size_++] = static_cast<std::uint8_t>(value);
  }
  void zigzag(std::uint64_t difference) {  // of two numbers, modulo 2^64
    varint(difference << 1 ^ (difference >> 63 ? ~std::uint64_t{0} : 0));
  }
  void append(const std::uint8_t* data, std::size_t count) {
    reserve(count);
    std::copy(data, data + count, data_.data() + size_);
    size_ += count;
  }
  /// Room for `count` bytes at the end, to be written by the caller; then keep() says how many there are.
  std::uint8_t* room(std::size_t count) {
    reserve(count);
    return data_.data() + size_;
  }
  void keep(std::size_t count) { size_ += count; }

 private:
  void reserve(std::size_t count) {
    if (data_.size() - size_ < count) data_.resize(data_.size() * 2 + count + 256);
  }
  std::vector<std::uint8_t> data_;
  std::size_t size_ = 0;
};

/// Reads a column; every read past the end is noticed, none is made.
struct ColumnCursor {
  const std::uint8_t* at = nullptr;
  const std::uint8_t* end = nullptr;
  bool ok = true;

  std::uint8_t byte() {
    if (at != end) return *at++;
    ok = false;
    return 0;
  }
  std::uint64_t varint() {
    if (at != end && *at < 0x80) return *at++;
    return longVarint();
  }
  std::uint64_t zigzag() {
    const std::uint64_t value = varint();
    return value >> 1 ^ (0 - (value & 1));
  }
  std::size_t left() const { return static_cast<std::size_t>(end - at); }

 private:
  std::uint64_t longVarint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= std::uint64_t{next & 0x7fu} << shift;
      if (next < 0x80) return value;
    }
    ok = false;
    return 0;
  }
};

}  // namespace cui::db
