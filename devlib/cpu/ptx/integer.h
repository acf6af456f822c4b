// Integers of all types of PTX as one type that holds their values.
#pragma once

#include "frame.h"

namespace cui::cpu::ptx {

__extension__ using Wide = __int128;
__extension__ using WidePattern = unsigned __int128;

inline Wide valueOf(std::uint64_t pattern, Type type) {
  const std::uint64_t bits = extended(pattern, type);
  return isSigned(type) ? Wide{static_cast<std::int64_t>(bits)} : Wide{bits};
}
inline Wide wideOf(const Operand& operand, Type type, const Frame& frame) {
  return valueOf(frame.read(operand, type), type);
}

/// u32 of u16, and so on.
inline Type widened(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return type;
  }
}

}  // namespace cui::cpu::ptx
