// Relocatable machine code as ptxas writes it (ELF): its sections, symbols, and what it says of functions.
// All of these throw Error (no) where a file has anything that is not known here.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cui::cli {

[[noreturn]] void refuseCode(const std::string& what);

template <class T>
T valueAt(std::string_view data, std::size_t at) {
  if (at > data.size() || data.size() - at < sizeof(T)) refuseCode("a table ends too early");
  T value;
  std::memcpy(&value, data.data() + at, sizeof value);
  return value;
}
template <class T>
void put(std::string& data, std::size_t at, const T& value) {
  std::memcpy(data.data() + at, &value, sizeof value);
}
template <class T>
void add(std::string& data, const T& value) {
  data.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The text that begins at `at`, of texts that end with a null character each.
std::string_view textAt(std::string_view strings, std::size_t at);

/// What stands behind `begin`; nothing for other names.
std::optional<std::string_view> behind(std::string_view name, std::string_view begin);

/// One file's tables, which refer to its bytes.
class Cubin {
 public:
  explicit Cubin(std::string_view code);

  std::string_view contents(std::size_t section) const;
  /// 0: there is none.
  std::size_t find(std::string_view name) const;
  std::size_t need(std::string_view name) const;
  std::string_view nameOf(const Elf64_Sym& symbol) const;

  std::string_view bytes;
  Elf64_Ehdr header;
  std::vector<Elf64_Shdr> sections;
  std::vector<std::string_view> names;
  std::vector<Elf64_Sym> symbols;
};

// Attributes of functions (.nv.info): a format, a number, and a size of what follows, or a value.
constexpr unsigned char sizedFormat = 4;
constexpr unsigned char stackNeeded = 0x11, registersAllowed = 0x1b, frame = 0x23, registersUsed = 0x2f;

/// Calls `visit(attribute, where its value is, how long it is)` for each.
template <class Visit>
void forEachAttribute(std::string_view info, const Visit& visit) {
  constexpr std::size_t headBytes = 4;
  for (std::size_t at = 0; at < info.size();) {
    const auto format = valueAt<unsigned char>(info, at), attribute = valueAt<unsigned char>(info, at + 1);
    const auto value = valueAt<std::uint16_t>(info, at + 2);
    if (format == 0 || format > sizedFormat) refuseCode("an unknown attribute");
    const bool sized = format == sizedFormat;
    if (sized && info.size() - at - headBytes < value) refuseCode("an attribute ends too late");
    visit(attribute, sized ? at + headBytes : at + 2, sized ? value : std::size_t{2});
    at += headBytes + (sized ? value : 0);
  }
}

}  // namespace cui::cli
