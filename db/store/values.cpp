// See values.h.
#include "db/store/values.h"

#include <cmath>
#include <cstring>
#include <iterator>

#include "cuinstrument/format/site_rows.h"

namespace cui::db {

namespace {

template <class T>
T valueAt(const std::uint8_t* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

double halfToDouble(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = 0;
  if (exponent == 31)
    value = fraction != 0 ? NAN : INFINITY;
  else
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

Value realValue(double value) {
  using namespace std::string_view_literals;
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN"sv : value > 0 ? "Inf"sv : "-Inf"sv;
}

std::int64_t integerOf(const std::uint8_t* data, std::uint32_t count, bool isSigned) {
  std::uint64_t value = 0;
  std::memcpy(&value, data, count);  // little-endian, as every machine this runs on
  const unsigned unused = 64 - 8 * count;
  return isSigned ? static_cast<std::int64_t>(value << unused) >> unused : static_cast<std::int64_t>(value);
}

}  // namespace

// A damaged trace can have any number.
const char* nameOf(format::Space space) {
  const auto index = static_cast<std::size_t>(space);
  return format::spaceWords[index < std::size(format::spaceWords) ? index : 0];
}
const char* nameOf(format::Kind kind) {
  const auto index = static_cast<std::size_t>(kind);
  return format::kindWords[index < std::size(format::kindWords) ? index : 0];
}
const char* nameOf(format::Status status) {
  return format::statusWords[status == format::Status::skipped ? 1 : 0];
}

Value valueOf(ValueType type, const std::uint8_t* data, std::uint32_t count) {
  const bool word = count == 1 || count == 2 || count == 4 || count == 8;
  if (type == ValueType::real && count == 4) return realValue(double{valueAt<float>(data)});
  if (type == ValueType::real && count == 8) return realValue(valueAt<double>(data));
  if (type == ValueType::half && count == 2) return realValue(halfToDouble(valueAt<std::uint16_t>(data)));
  if (type == ValueType::bfloat16 && count == 2) {
    const std::uint32_t bits = std::uint32_t{valueAt<std::uint16_t>(data)} << 16;
    return realValue(double{valueAt<float>(reinterpret_cast<const std::uint8_t*>(&bits))});
  }
  if (word && (type == ValueType::signedInteger || type == ValueType::unsignedInteger))
    return integerOf(data, count, type == ValueType::signedInteger);
  return Bytes{{data, count}};
}

}  // namespace cui::db
