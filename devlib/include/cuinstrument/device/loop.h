// Loops whose accesses can be recorded in front of them (CUI_LOOP): where they are the first time round, the
// second and the last, the backend is asked to record them all at once. If it cannot, or the addresses do not
// advance evenly, each access is recorded when it is made (CUI_IN_LOOP, CUI_LOOP_ACCESS), as elsewhere.
//
// A backend provides:
//   CUI_RECORDS_LOOPS    true in code that can record loops, else false
//   cui::backend::isOn(unitState)               whether what the calling thread does is recorded now
//   cui::backend::recordLoop(unitState, const LoopPlace (&)[n], unsigned times)
//                        false if nothing was done
//   cui::backend::recordFixedLoop(unitState, LoopPlace (&)[n], unsigned times)
//                        of places that surely advance evenly; it may change them
//   cui::backend::besideLoop()
//                        says that the accesses that follow are seldom recorded here
//   cui::backend::isProfiledNow(unitState)
//                        whether only sums are kept of what the calling thread does now
#pragma once

#include "cuinstrument/device/access.h"

namespace cui {

/// Words and a cast for texts of forms, which stand behind the program's macros: some have `#define long`.
typedef long long CuiWide;
typedef unsigned CuiNatural;
template <class T, class Value>
CUI_HD constexpr T cuiOfType(Value value) {
  return static_cast<T>(value);
}

/// How often a loop goes round, and how its variable advances.
struct LoopCount {
  unsigned cuiTimes;  ///< 1 also where it could not be found out
  long long cuiStep;
};

/// Of `for (k = first; k < bound; k += step)`, or with another of `<`, `<=`, `>`, `>=`, `!=`, which
/// `Ascending`, `Equal` and `Descending` tell apart: whether 1, 2 and 3 stand in that relation to 2.
template <bool Ascending, bool Equal, bool Descending, class First, class Bound>
CUI_HD LoopCount cuiLoopCount(First first, Bound bound, long long step) {
  constexpr LoopCount none = {1, 0};
  using Common = decltype(first + bound);
  const long long begin = static_cast<long long>(first);
  long long end = static_cast<long long>(bound);
  // A comparison of unsigned values, one of which was negative, and values beyond a long long.
  if (static_cast<Common>(-1) > static_cast<Common>(0) && (begin < 0 || end < 0)) return none;
  if (!(Ascending ? step > 0 : step < 0) && !(Ascending && Descending)) return none;
  if (step == 0) return none;
  if (Equal) end += Ascending ? 1 : -1;
  const long long distance = step > 0 ? end - begin : begin - end;
  const long long size = step > 0 ? step : -step;
  if (distance <= 0) return {Ascending && Descending && distance != 0 ? 1u : 0u, step};
  // 32 bits only: a division of 64 takes registers.
  if (distance > 0xffffffffll - size) return none;
  const unsigned times = static_cast<unsigned>(distance + size - 1) / static_cast<unsigned>(size);
  const long long behind = begin + static_cast<long long>(times) * step;
  if (Ascending && Descending && behind != end) return none;
  if (static_cast<long long>(static_cast<First>(behind)) != behind) return none;
  return {times, step};
}

/// What `variable += step` has made of a variable after so many times; of times that are negative,
/// `variable -= step`.
template <class T, class Step>
CUI_HD T cuiAhead(T variable, Step step, long long times) {
  return static_cast<T>(static_cast<unsigned long long>(variable) +
                        static_cast<unsigned long long>(static_cast<long long>(step) * times));
}
template <class T, class Step>
CUI_HD T* cuiAhead(T* variable, Step step, long long times) {
  return variable + static_cast<long long>(step) * times;
}

/// What a variable below zero is, in a text that has it instead: no constant, as the variable is none.
template <class T>
CUI_HD T cuiMinus(T value) {
  return static_cast<T>(-value);
}

template <const volatile void* LoopPlace::*>
CUI_HD void cuiPlaces(LoopPlace*) {}
template <const volatile void* LoopPlace::* Time, class Place, class... Rest>
CUI_HD void cuiPlaces(LoopPlace* places, unsigned site, Place& place, Rest&&... rest) {
  places->*Time = backend::addressOf(place);
  places->site = site;
  places->bytes = static_cast<unsigned>(sizeof(Place));
  cuiPlaces<Time>(places + 1, rest...);
}
/// With a bit that all sites get (forAllBlocks).
template <std::size_t Count>
CUI_HD void cuiPlacesOf(LoopPlace (&places)[Count], unsigned blocks) {
  for (LoopPlace& place : places) place.site |= blocks;
}
#if CUI_RECORDS_LOOPS
CUI_HD inline void cuiBesideLoop() {
  backend::besideLoop();
}
CUI_HD inline void cuiNotTold() {
  backend::unlessTold();
}
template <class UnitState>
CUI_HD bool cuiIsProfiled(const UnitState& unit) {
  return backend::isProfiledNow(unit);
}
#else
CUI_HD inline void cuiBesideLoop() {}
CUI_HD inline void cuiNotTold() {}
#endif
/// Unless its sums have been told in front of the loop.
template <class UnitState, class T>
CUI_HD T& cuiUnlessTold(UnitState& unit, bool told, unsigned site, T& reference) {
  if (told) return reference;
  cuiNotTold();
  cuiTogether(unit, site, reference);
  return reference;
}
template <class UnitState, class T>
CUI_HD T& cuiLoopAccess(UnitState& unit, unsigned site, T& reference) {
  cuiBesideLoop();
  cuiTogether<!CUI_RECORDS_LOOPS>(unit, site, reference);
  return reference;
}

// Programs have macros called `backend`.
#if CUI_RECORDS_LOOPS
template <class UnitState>
CUI_HD bool cuiIsOn(const UnitState& unit) {
  return backend::isOn(unit);
}
template <class UnitState, std::size_t Count>
CUI_HD bool cuiRecordLoop(const UnitState& unit, const LoopPlace (&places)[Count], const LoopCount& count) {
  return backend::recordLoop(unit, places, count.cuiTimes);
}
template <class UnitState, std::size_t Count>
CUI_HD void cuiRecordFixedLoop(const UnitState& unit, LoopPlace (&places)[Count], const LoopCount& count) {
  backend::recordFixedLoop(unit, places, count.cuiTimes);
}
#endif

}  // namespace cui

#define CUI_UNWRAP(...) __VA_ARGS__
#define CUI_APPLY(macro, arguments) macro arguments

// In front of a loop, of which `...` is a copy: the copy runs if all its accesses have been recorded, or if
// nothing is. So compilers see a plain loop there, and unroll it as ever. The loop itself, whose accesses are
// calls, they are asked not to unroll; a pragma of the program's own comes later, and counts. `head` is
// (type, variable, first value, relation, bound, step), `count` of places, `locals` declarations of the body
// that the places need, `copies` sites and places. They are evaluated in blocks of their own.
#if CUI_RECORDS_LOOPS
// The first value is no constant: what a place computes with it would be one as well, and nvcc would warn of
// `threadIdx.x + k` of a `k` that begins below zero.
#define CUI_LOOP_COUNT(type, variable, from, relation, bound, by) \
  type cuiFrom = (from);                                          \
  const ::cui::LoopCount cuiCount =                               \
      ::cui::cuiLoopCount<(1 relation 2), (2 relation 2), (3 relation 2)>(cuiFrom, (bound), 0ll by)
#define CUI_LOOP_FIRST(type, variable, ...) \
  constexpr ::cui::CuiWide cuiTime = 0;     \
  const type variable = cuiFrom;            \
  (void)(variable), (void)(cuiTime)
#define CUI_LOOP_SECOND(type, variable, ...)                                \
  constexpr ::cui::CuiWide cuiTime = 1;                                     \
  const type variable = ::cui::cuiOfType<type>(cuiFrom + cuiCount.cuiStep); \
  (void)(variable), (void)(cuiTime)
#define CUI_LOOP_LAST(type, variable, ...)                                                            \
  const ::cui::CuiWide cuiTime = cuiCount.cuiTimes - 1ll;                                             \
  const type variable = ::cui::cuiOfType<type>(cuiFrom + cuiCount.cuiStep * (cuiCount.cuiTimes - 1)); \
  (void)(variable), (void)(cuiTime)
#define CUI_LOOP_PLACES(count, head, locals, copies) \
  ::cui::LoopPlace cuiPlaces[count];                 \
  CUI_LOOP_PLACES_IN(head, locals, copies)
#define CUI_LOOP_PLACES_IN(head, locals, copies)                                  \
  {                                                                               \
    CUI_APPLY(CUI_LOOP_FIRST, head);                                              \
    CUI_UNWRAP locals;                                                            \
    ::cui::cuiPlaces<&::cui::LoopPlace::cuiFirst>(cuiPlaces, CUI_UNWRAP copies);  \
  }                                                                               \
  {                                                                               \
    CUI_APPLY(CUI_LOOP_SECOND, head);                                             \
    CUI_UNWRAP locals;                                                            \
    ::cui::cuiPlaces<&::cui::LoopPlace::cuiSecond>(cuiPlaces, CUI_UNWRAP copies); \
  }                                                                               \
  {                                                                               \
    CUI_APPLY(CUI_LOOP_LAST, head);                                               \
    CUI_UNWRAP locals;                                                            \
    ::cui::cuiPlaces<&::cui::LoopPlace::cuiLast>(cuiPlaces, CUI_UNWRAP copies);   \
  }
// In front of it, as the blocks' bit says (device/alike.h).
#define CUI_LOOP_RECORD(blocks, loop, count, head, locals, copies)               \
  if (cuiCount.cuiTimes > 1) {                                                   \
    CUI_LOOP_PLACES(count, head, locals, copies)                                 \
    ::cui::cuiPlacesOf(cuiPlaces, blocks);                                       \
    cuiLoop##loop = ::cui::cuiRecordLoop(::cui::unitState, cuiPlaces, cuiCount); \
  }
#define CUI_LOOP_COPY(loop, ...) \
  if (cuiLoop##loop) {           \
    __VA_ARGS__                  \
  } else                         \
    _Pragma("unroll 1")
// `blocks`: whether the calling block records it for all blocks, for itself, or not at all.
#define CUI_LOOP_OF(blocks, loop, count, head, locals, copies, ...) \
  bool cuiLoop##loop = true;                                        \
  if (::cui::cuiIsOn(::cui::unitState)) {                           \
    const ::cui::CuiNatural cuiBlocks = (blocks);                   \
    if (cuiBlocks != ::cui::cuiNobody) {                            \
      CUI_APPLY(CUI_LOOP_COUNT, head);                              \
      cuiLoop##loop = cuiCount.cuiTimes == 0;                       \
      CUI_LOOP_RECORD(cuiBlocks, loop, count, head, locals, copies) \
    }                                                               \
  }                                                                 \
  CUI_LOOP_COPY(loop, __VA_ARGS__)
#define CUI_LOOP(...) CUI_LOOP_OF(0u, __VA_ARGS__)
// Of a loop that goes round a few times, as its source shows, and whose places surely advance evenly: all is
// recorded here, whatever the lanes do. So nothing is left of the loop itself, which is unrolled into as many
// accesses otherwise.
#define CUI_FIXED_LOOP_OF(blocks, loop, count, head, locals, copies, ...) \
  if (::cui::cuiIsOn(::cui::unitState)) {                                 \
    const ::cui::CuiNatural cuiBlocks = (blocks);                         \
    if (cuiBlocks != ::cui::cuiNobody) {                                  \
      CUI_APPLY(CUI_LOOP_COUNT, head);                                    \
      if (cuiCount.cuiTimes != 0) {                                       \
        CUI_FIXED_LOOP_RECORD(cuiBlocks, count, head, locals, copies)     \
      }                                                                   \
    }                                                                     \
  }                                                                       \
  CUI_FIXED_LOOP_COPY(__VA_ARGS__)
#define CUI_FIXED_LOOP_RECORD(blocks, count, head, locals, copies) \
  CUI_LOOP_PLACES(count, head, locals, copies)                     \
  ::cui::cuiPlacesOf(cuiPlaces, blocks);                           \
  ::cui::cuiRecordFixedLoop(::cui::unitState, cuiPlaces, cuiCount);
#define CUI_FIXED_LOOP_COPY(...) \
  if (true) {                    \
    __VA_ARGS__                  \
  } else
#define CUI_FIXED_LOOP(...) CUI_FIXED_LOOP_OF(0u, __VA_ARGS__)
// Of a loop that is recorded as it goes, since others of its accesses cannot be told, or something happens in
// between: sums have no order, and what is told of them here is left out there.
#define CUI_PART_OF_LOOP(loop, count, head, locals, copies) \
  bool cuiLoop##loop = false;                               \
  if (::cui::cuiIsProfiled(::cui::unitState)) {             \
    CUI_APPLY(CUI_LOOP_COUNT, head);                        \
    CUI_LOOP_RECORD(0u, loop, count, head, locals, copies)  \
  }
#define CUI_TOLD(loop) cuiLoop##loop
#else
#define CUI_LOOP(...)
#define CUI_FIXED_LOOP(...)
#define CUI_PART_OF_LOOP(...)
#define CUI_TOLD(loop) false
#endif

// In the loop itself, whose accesses are recorded as they are made.
#define CUI_IN_LOOP(copies, ...)                                                                       \
  (::cui::cuiBesideLoop(), ::cui::cuiTogether<!CUI_RECORDS_LOOPS>(::cui::unitState CUI_COPIES copies), \
   __VA_ARGS__)
// In a loop that goes by the number `told`.
#define CUI_BESIDE_LOOP(told, copies, ...)                                                      \
  ((void)(CUI_APPLY(CUI_TOLD, told) ||                                                          \
          (::cui::cuiNotTold(), ::cui::cuiTogether(::cui::unitState CUI_COPIES copies), true)), \
   __VA_ARGS__)
#define CUI_BESIDE_LOOP_ACCESS(site, told, ...) \
  ::cui::cuiUnlessTold(::cui::unitState, CUI_APPLY(CUI_TOLD, told), site, (__VA_ARGS__))
#define CUI_LOOP_ACCESS(site, ...) ::cui::cuiLoopAccess(::cui::unitState, site, (__VA_ARGS__))
