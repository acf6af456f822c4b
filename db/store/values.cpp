// See values.h.
#include "db/store/values.h"

#include <cmath>
#include <cstring>
#include <string>

namespace cui::db {

namespace {

struct NamedType {
  std::string_view name;
  ValueType type;
};
constexpr NamedType namedTypes[] = {
    {"float", ValueType::real},
    {"double", ValueType::real},
    {"half", ValueType::half},
    {"__half", ValueType::half},
    {"__nv_bfloat16", ValueType::bfloat16},
    {"nv_bfloat16", ValueType::bfloat16},
    {"bool", ValueType::unsignedInteger},
    {"char", ValueType::signedInteger},
    {"signed char", ValueType::signedInteger},
    {"short", ValueType::signedInteger},
    {"int", ValueType::signedInteger},
    {"signed int", ValueType::signedInteger},
    {"signed", ValueType::signedInteger},
    {"long", ValueType::signedInteger},
    {"long int", ValueType::signedInteger},
    {"long long", ValueType::signedInteger},
    {"long long int", ValueType::signedInteger},
    {"int8_t", ValueType::signedInteger},
    {"int16_t", ValueType::signedInteger},
    {"int32_t", ValueType::signedInteger},
    {"int64_t", ValueType::signedInteger},
    {"ptrdiff_t", ValueType::signedInteger},
    {"unsigned char", ValueType::unsignedInteger},
    {"unsigned short", ValueType::unsignedInteger},
    {"unsigned int", ValueType::unsignedInteger},
    {"unsigned", ValueType::unsignedInteger},
    {"unsigned long", ValueType::unsignedInteger},
    {"unsigned long long", ValueType::unsignedInteger},
    {"uint8_t", ValueType::unsignedInteger},
    {"uint16_t", ValueType::unsignedInteger},
    {"uint32_t", ValueType::unsignedInteger},
    {"uint64_t", ValueType::unsignedInteger},
    {"size_t", ValueType::unsignedInteger},
    {"uchar", ValueType::unsignedInteger},
    {"ushort", ValueType::unsignedInteger},
    {"uint", ValueType::unsignedInteger},
    {"ulong", ValueType::unsignedInteger},
};

std::string_view unqualified(std::string_view type) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string_view word : {"const ", "volatile ", "std::", " "}) {
      if (type.starts_with(word)) {
        type.remove_prefix(word.size());
        changed = true;
      }
    }
    while (type.ends_with(' ')) type.remove_suffix(1);
  }
  return type;
}

/// The argument of template parameter `name` if every instantiation has the same one, else "".
std::string_view argumentOf(std::string_view name, std::string_view context) {
  std::string_view found;
  while (!context.empty()) {
    const std::size_t bar = context.find(" | ");
    const std::string_view instance = context.substr(0, bar);
    context.remove_prefix(bar == std::string_view::npos ? context.size() : bar + 3);
    std::string_view argument;
    for (std::size_t at = 0; at < instance.size();) {
      const std::size_t comma = std::min(instance.find(", ", at), instance.size());
      const std::string_view item = instance.substr(at, comma - at);
      if (item.size() > name.size() && item.starts_with(name) && item[name.size()] == '=')
        argument = item.substr(name.size() + 1);
      at = comma + 2;
    }
    if (argument.empty() || (!found.empty() && found != argument)) return {};
    found = argument;
  }
  return found;
}

template <class T>
T load(const std::uint8_t* data) {
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

const char* nameOf(format::Space space) {
  static constexpr const char* names[] = {"generic", "global", "shared", "constant", "local", "texture"};
  const auto index = static_cast<std::size_t>(space);
  return index < std::size(names) ? names[index] : "generic";
}
const char* nameOf(format::Kind kind) {
  static constexpr const char* names[] = {"load", "store", "rmw", "atomic", "copy"};
  const auto index = static_cast<std::size_t>(kind);
  return index < std::size(names) ? names[index] : "load";
}
const char* nameOf(format::Status status) {
  return status == format::Status::skipped ? "skipped" : "instrumented";
}

ValueType valueTypeOf(std::string_view type, std::string_view templateContext) {
  type = unqualified(type);
  for (const NamedType& known : namedTypes)
    if (known.name == type) return known.type;
  const std::string_view argument = unqualified(argumentOf(type, templateContext));
  for (const NamedType& known : namedTypes)
    if (known.name == argument) return known.type;
  return ValueType::bytes;
}

Value valueOf(ValueType type, const std::uint8_t* data, std::uint32_t count) {
  const bool word = count == 1 || count == 2 || count == 4 || count == 8;
  if (type == ValueType::real && count == 4) return realValue(double{load<float>(data)});
  if (type == ValueType::real && count == 8) return realValue(load<double>(data));
  if (type == ValueType::half && count == 2) return realValue(halfToDouble(load<std::uint16_t>(data)));
  if (type == ValueType::bfloat16 && count == 2) {
    const std::uint32_t bits = std::uint32_t{load<std::uint16_t>(data)} << 16;
    return realValue(double{load<float>(reinterpret_cast<const std::uint8_t*>(&bits))});
  }
  if (word && (type == ValueType::signedInteger || type == ValueType::unsignedInteger))
    return integerOf(data, count, type == ValueType::signedInteger);
  return Bytes{{data, count}};
}

}  // namespace cui::db
