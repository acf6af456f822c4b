// Calls that copy a block whose size is known at run time: memcpy, memset, asynchronous copies by a thread or
// a group. The function's name is wrapped: CUI_COPY_TO(7, memcpy) is a callable with the same parameters that
// records what is written and then calls it, CUI_COPY_FROM the same with what is read.
//
// A record holds at most 2,047 bytes a lane, the same for all of its lanes, so a block is recorded in pieces
// of 1,024 bytes and then of each power of two that is left.
#pragma once

#include <cstddef>

namespace cui {

template <class UnitState, class Bytes>
CUI_HD void cuiCopyBlock(UnitState& unit, unsigned site, const volatile void* block, const Bytes& size) {
  if (!(CUI_RECORDING)) return;
  constexpr std::size_t largest = 1024;
  std::size_t bytes = static_cast<std::size_t>(size);
  const volatile char* at = static_cast<const volatile char*>(block);
  for (; bytes >= largest; bytes -= largest, at += largest) backend::recordAccess(unit, site, at, largest);
  for (std::size_t piece = largest / 2; piece > 0; piece /= 2) {
    if ((bytes & piece) == 0) continue;
    backend::recordAccess(unit, site, at, piece);
    at += piece;
  }
}

template <class Room, class Count>
CUI_HD std::size_t cuiSmaller(const Room& room, const Count& count) {
  const std::size_t left = static_cast<std::size_t>(room), right = static_cast<std::size_t>(count);
  return left < right ? left : right;
}

/// A group copies one block together: its first thread speaks for it.
template <class UnitState, class Group, class Bytes>
CUI_HD void cuiGroupCopyBlock(UnitState& unit, unsigned site, const Group& group, const volatile void* block,
                              const Bytes& size) {
  if (CUI_RECORDING) {
    if (group.thread_rank() == 0) cuiCopyBlock(unit, site, block, size);
  }
}

#if defined(CUI_WITHOUT_AUTO)
typedef std::size_t CopyBytes;
/// An argument of the C library's functions: a pointer, or what memset() writes.
class CopyOperand {
 public:
  CUI_HD CopyOperand(const volatile void* block) : block_(const_cast<void*>(block)) {}
  CUI_HD CopyOperand(int value) : value_(value) {}
  CUI_HD operator void*() const { return block_; }
  CUI_HD operator const void*() const { return block_; }
  CUI_HD operator int() const { return value_; }

 private:
  void* block_ = nullptr;
  int value_ = 0;
};
#endif

}  // namespace cui

#if defined(CUI_WITHOUT_AUTO)
#define CUI_COPY_CALL(pointer, site, ...)                                                  \
  [](::cui::CopyOperand cuiTo, ::cui::CopyOperand cuiFrom, ::cui::CopyBytes cuiBytes) {    \
    ::cui::cuiCopyBlock(::cui::unitState, site, pointer.operator const void*(), cuiBytes); \
    return __VA_ARGS__(cuiTo, cuiFrom, cuiBytes);                                          \
  }
#else
// Pointers and sizes go by value: a constant of the host's may be passed so, but not bound to a reference.
#define CUI_COPY_CALL(pointer, site, ...)                                                       \
  [](auto cuiTo, auto cuiFrom, auto cuiBytes, auto&&... cuiRest) -> decltype(auto) {            \
    ::cui::cuiCopyBlock(::cui::unitState, site, pointer, cuiBytes);                             \
    return __VA_ARGS__(cuiTo, cuiFrom, cuiBytes, static_cast<decltype(cuiRest)&&>(cuiRest)...); \
  }
#endif
/// The last of the bytes are not read: as many as the fourth argument says are zeros.
#define CUI_FILLED_COPY_CALL(pointer, site, ...)                                 \
  [](auto cuiTo, auto cuiFrom, auto cuiBytes, auto cuiZeros) -> decltype(auto) { \
    ::cui::cuiCopyBlock(::cui::unitState, site, pointer, cuiBytes - cuiZeros);   \
    return __VA_ARGS__(cuiTo, cuiFrom, cuiBytes, cuiZeros);                      \
  }
#define CUI_GROUP_COPY_CALL(pointer, site, ...)                                                       \
  [](auto&& cuiGroup, auto cuiTo, auto cuiFrom, auto cuiBytes, auto&&... cuiRest) -> decltype(auto) { \
    ::cui::cuiGroupCopyBlock(::cui::unitState, site, cuiGroup, pointer, cuiBytes);                    \
    return __VA_ARGS__(static_cast<decltype(cuiGroup)&&>(cuiGroup), cuiTo, cuiFrom, cuiBytes,         \
                       static_cast<decltype(cuiRest)&&>(cuiRest)...);                                 \
  }
/// The same with a count of elements for each side, of which the smaller is copied.
#define CUI_ELEMENTS_COPY_CALL(pointer, site, ...)                                                      \
  [](auto&& cuiGroup, auto cuiTo, auto cuiRoom, auto cuiFrom, auto cuiCount) -> decltype(auto) {        \
    ::cui::cuiGroupCopyBlock(::cui::unitState, site, cuiGroup, pointer,                                 \
                             ::cui::cuiSmaller(cuiRoom, cuiCount) * sizeof(*cuiTo));                    \
    return __VA_ARGS__(static_cast<decltype(cuiGroup)&&>(cuiGroup), cuiTo, cuiRoom, cuiFrom, cuiCount); \
  }
/// With tags in front that name the address spaces.
#define CUI_SPACED_COPY_CALL(pointer, site, ...)                                  \
  [](auto cuiToSpace, auto cuiFromSpace, auto cuiTo, auto cuiFrom, auto cuiBytes, \
     auto&&... cuiRest) -> decltype(auto) {                                       \
    ::cui::cuiCopyBlock(::cui::unitState, site, pointer, cuiBytes);               \
    return __VA_ARGS__(cuiToSpace, cuiFromSpace, cuiTo, cuiFrom, cuiBytes,        \
                       static_cast<decltype(cuiRest)&&>(cuiRest)...);             \
  }
#define CUI_COPY_TO(site, ...) CUI_COPY_CALL(cuiTo, site, __VA_ARGS__)
#define CUI_COPY_FROM(site, ...) CUI_COPY_CALL(cuiFrom, site, __VA_ARGS__)
#define CUI_FILLED_COPY_FROM(site, ...) CUI_FILLED_COPY_CALL(cuiFrom, site, __VA_ARGS__)
#define CUI_MACRO_FILLED_COPY_FROM(site, ...) CUI_FILLED_COPY_FROM(CUI_SITE_OF_LINE(site), __VA_ARGS__)
#define CUI_GROUP_COPY_TO(site, ...) CUI_GROUP_COPY_CALL(cuiTo, site, __VA_ARGS__)
#define CUI_GROUP_COPY_FROM(site, ...) CUI_GROUP_COPY_CALL(cuiFrom, site, __VA_ARGS__)
#define CUI_MACRO_COPY_TO(site, ...) CUI_COPY_TO(CUI_SITE_OF_LINE(site), __VA_ARGS__)
#define CUI_MACRO_COPY_FROM(site, ...) CUI_COPY_FROM(CUI_SITE_OF_LINE(site), __VA_ARGS__)
#define CUI_MACRO_GROUP_COPY_TO(site, ...) CUI_GROUP_COPY_TO(CUI_SITE_OF_LINE(site), __VA_ARGS__)
#define CUI_MACRO_GROUP_COPY_FROM(site, ...) CUI_GROUP_COPY_FROM(CUI_SITE_OF_LINE(site), __VA_ARGS__)
#define CUI_ELEMENTS_COPY_TO(site, ...) CUI_ELEMENTS_COPY_CALL(cuiTo, site, __VA_ARGS__)
#define CUI_MACRO_ELEMENTS_COPY_TO(site, ...) CUI_ELEMENTS_COPY_TO(CUI_SITE_OF_LINE(site), __VA_ARGS__)
#define CUI_ELEMENTS_COPY_FROM(site, ...) CUI_ELEMENTS_COPY_CALL(cuiFrom, site, __VA_ARGS__)
#define CUI_MACRO_ELEMENTS_COPY_FROM(site, ...) CUI_ELEMENTS_COPY_FROM(CUI_SITE_OF_LINE(site), __VA_ARGS__)
#define CUI_SPACED_COPY_TO(site, ...) CUI_SPACED_COPY_CALL(cuiTo, site, __VA_ARGS__)
#define CUI_MACRO_SPACED_COPY_TO(site, ...) CUI_SPACED_COPY_TO(CUI_SITE_OF_LINE(site), __VA_ARGS__)
#define CUI_SPACED_COPY_FROM(site, ...) CUI_SPACED_COPY_CALL(cuiFrom, site, __VA_ARGS__)
#define CUI_MACRO_SPACED_COPY_FROM(site, ...) CUI_SPACED_COPY_FROM(CUI_SITE_OF_LINE(site), __VA_ARGS__)
