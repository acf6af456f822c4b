// The types of PTX: what an instruction's suffix says of the patterns it works on.
#pragma once

#include <cstdint>
#include <string_view>

namespace cui::cpu::ptx {

enum class Type : std::uint8_t {
  none,
#define CUI_PTX_TYPE(name, bits, family) name,
#include "types.def"
};

/// What arithmetic a type has. Packed: two numbers of a real type.
enum class Family : std::uint8_t { none, predicate, pattern, natural, integer, real, packed };

unsigned bitsOf(Type type);
Family familyOf(Type type);
/// Type::none for what is none.
Type typeNamed(std::string_view name);

inline bool isSigned(Type type) {
  return familyOf(type) == Family::integer;
}
inline bool isPacked(Type type) {
  return familyOf(type) == Family::packed;
}
inline bool isFloat(Type type) {
  return familyOf(type) == Family::real || familyOf(type) == Family::packed;
}

/// The lowest `bits` of a pattern, and the same with the sign in front.
inline std::uint64_t zeroExtended(std::uint64_t pattern, unsigned bits) {
  return bits >= 64 ? pattern : pattern & ((std::uint64_t{1} << bits) - 1);
}
inline std::int64_t signExtended(std::uint64_t pattern, unsigned bits) {
  if (bits >= 64) return static_cast<std::int64_t>(pattern);
  return static_cast<std::int64_t>(pattern << (64 - bits)) >> (64 - bits);
}
/// As the type extends it: registers hold 64 bits.
inline std::uint64_t extended(std::uint64_t pattern, Type type) {
  return isSigned(type) ? static_cast<std::uint64_t>(signExtended(pattern, bitsOf(type)))
                        : zeroExtended(pattern, bitsOf(type));
}

}  // namespace cui::cpu::ptx
