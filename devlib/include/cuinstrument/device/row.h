// Accesses that all threads of a row of the grid (blocks that differ in blockIdx.x only) make alike
// (CUI_BY_ROW): each thread comes there once, if a guard holds for it, and places are sums of what is the
// same in the row and multiples of coordinates. A backend may then account for the whole row at once: other
// threads' places and guards are computed by the same text, in which `threadIdx` and `blockIdx` are others'.
//
// A backend that does so defines CUI_COUNTS_ROWS and provides
//   cui::backend::isOn(unitState)      whether what the calling thread does is recorded now
//   cui::cuiOfRow<Corners>(unitState, guard, places)
//                                      whether what the block's threads access is accounted for: not 0, and
//                                      cuiNothingLeft if that is so at all places they come to
//   cui::cuiOfSameRow(unitState, row, places)
//                                      the same where cuiOfRow() has returned that for the same threads, but
//                                      not cuiNothingLeft
//   cui::cuiOfRowInLoop(unitState, number, places)
//                                      the same, at the time of that number
//   cui::cuiOfLoopRow<Corners, Most>(unitState, number, times, guard, places)
//                                      the same of a loop's accesses, which are so many
//   cui::cuiRowPlace(unitState, place) what of it is accounted for (an Accessed, or a LoopPlace)
// where guard(thread, block) says whether a thread comes there, and places(thread, block, of) writes what it
// accesses to an array (of Accessed, or of LoopPlace), and returns how many they are.
#pragma once

#include "cuinstrument/device/alike.h"
#include "cuinstrument/device/grid_index.h"
#include "cuinstrument/device/loop.h"

#if defined(CUI_COUNTS_ROWS)
namespace cui {

template <class UnitState>
CUI_HD unsigned cuiPlacesOfRow(UnitState&, Accessed*) {
  return 0;
}
template <class UnitState, class Place, class... Rest>
CUI_HD unsigned cuiPlacesOfRow(UnitState& unit, Accessed* of, unsigned site, Place& place, Rest&&... rest) {
  *of = cuiRowPlace(unit, cuiAccessed(unit, site, place));
  return 1 + cuiPlacesOfRow(unit, of + 1, rest...);
}

/// The first of sites and places.
template <class... Rest>
CUI_HD unsigned cuiFirst(unsigned site, Rest&&...) {
  return site;
}

/// Whether a loop from `first` on goes round as often as `count` says, which is not 0; see cuiLoopCount().
template <bool Ascending, bool Equal, class First, class Bound>
CUI_HD bool cuiGoesRound(First first, Bound bound, const LoopCount& count) {
  using Common = decltype(first + bound);
  const long long begin = static_cast<long long>(first);
  long long end = static_cast<long long>(bound);
  if (static_cast<Common>(-1) > static_cast<Common>(0) && (begin < 0 || end < 0)) return false;
  if (Equal) end += Ascending ? 1 : -1;
  const long long distance = Ascending ? end - begin : begin - end;
  const long long size = Ascending ? count.cuiStep : -count.cuiStep;
  return distance > size * (count.cuiTimes - 1ll) && distance <= size * count.cuiTimes;
}

}  // namespace cui

// `shape` is (corners, (declarations), (guard)). Declarations are of what the guard and the places need that
// is not the same in all threads, each as its initialiser says.
#define CUI_BY_ROW(shape, copies, ...) \
  ((void)(CUI_APPLY(CUI_BY_ROW_OF, (CUI_UNWRAP shape, copies))), __VA_ARGS__)
#define CUI_BY_ROW_OF(corners, declarations, guard, copies) \
  CUI_RECORDED_BY_ROW(CUI_OF_ROW(corners, declarations, guard, copies) != 0, copies)
// What is accounted for is recorded; the other way round a kernel would ask which block it is in first.
#define CUI_RECORDED_BY_ROW(isCounted, copies) \
  ((isCounted) || !::cui::cuiIsOn(::cui::unitState) || CUI_NOT_COUNTED(copies))
#define CUI_NOT_COUNTED(copies) (::cui::cuiTogether<false>(::cui::unitState CUI_COPIES copies), false)
#define CUI_OF_ROW(corners, declarations, guard, copies)                       \
  ::cui::cuiOfRow<corners>(                                                    \
      ::cui::unitState,                                                        \
      [&](const ::cui::GridIndex threadIdx, const ::cui::GridIndex blockIdx) { \
        CUI_AS_ANOTHER(declarations);                                          \
        return (CUI_UNWRAP guard) ? true : false;                              \
      },                                                                       \
      CUI_PLACES_OF_ROW(declarations, copies))
// Several places in a kernel that the same threads come to: what the first finds out, the next are told. The
// number is the row's in the kernel, whose variable CUI_ROW declares.
#define CUI_ROW(number)                 \
  ::cui::CuiNatural cuiRow##number = 0; \
  (void)(cuiRow##number)
// `shape` is (number, corners, (declarations), (guard)).
#define CUI_BEGIN_ROW(shape, copies, ...) \
  ((void)(CUI_APPLY(CUI_BEGIN_ROW_OF, (CUI_UNWRAP shape, copies))), __VA_ARGS__)
#define CUI_BEGIN_ROW_OF(number, corners, declarations, guard, copies)                     \
  ((cuiRow##number = CUI_OF_ROW(corners, declarations, guard, copies)) != 0 ||             \
   (!::cui::cuiIsOn(::cui::unitState) && (cuiRow##number = ::cui::cuiNothingLeft) != 0) || \
   CUI_NOT_COUNTED(copies))
// `shape` is (number, (declarations)).
#define CUI_SAME_ROW(shape, copies, ...) \
  ((void)(CUI_APPLY(CUI_SAME_ROW_OF, (CUI_UNWRAP shape, copies))), __VA_ARGS__)
#define CUI_SAME_ROW_OF(number, declarations, copies)                                                \
  (cuiRow##number == ::cui::cuiNothingLeft ||                                                        \
   ::cui::cuiOfSameRow(::cui::unitState, cuiRow##number, CUI_PLACES_OF_ROW(declarations, copies)) || \
   CUI_RECORDED_BY_ROW(false, copies))
#define CUI_PLACES_OF_ROW(declarations, copies)                                                        \
  [&](const ::cui::GridIndex threadIdx, const ::cui::GridIndex blockIdx, ::cui::Accessed* cuiPlaces) { \
    CUI_AS_ANOTHER(declarations);                                                                      \
    return ::cui::cuiPlacesOfRow(::cui::unitState, cuiPlaces CUI_COPIES copies);                       \
  }
// `shape` is ((numbers), (declarations)), of which the first tell the times apart that a block comes there.
#define CUI_BY_ROW_IN_LOOP(shape, copies, ...) \
  ((void)(CUI_APPLY(CUI_OF_ROW_IN_LOOP, (CUI_UNWRAP shape, copies))), __VA_ARGS__)
#define CUI_OF_ROW_IN_LOOP(numbers, declarations, copies)                                        \
  CUI_RECORDED_BY_ROW(                                                                           \
      ::cui::cuiOfRowInLoop(::cui::unitState, ::cui::cuiNumber numbers + ::cui::cuiFirst copies, \
                            CUI_PLACES_OF_ROW(declarations, copies)),                            \
      copies)
// As CUI_LOOP; `shape` is (corners, (declarations), (guard), (numbers)).
#define CUI_LOOP_BY_ROW(loop, shape, count, head, locals, copies, ...)                                       \
  bool cuiLoop##loop = true;                                                                                 \
  if (::cui::cuiIsOn(::cui::unitState)) {                                                                    \
    CUI_APPLY(CUI_LOOP_COUNT, head);                                                                         \
    cuiLoop##loop = cuiCount.cuiTimes == 0 ||                                                                \
                    CUI_APPLY_SHAPE(CUI_OF_LOOP_ROW, (CUI_UNWRAP shape, loop, count, head, locals, copies)); \
    if (!cuiLoop##loop) {                                                                                    \
      CUI_LOOP_RECORD(0u, loop, count, head, locals, copies)                                                 \
    }                                                                                                        \
  }                                                                                                          \
  CUI_LOOP_COPY(loop, __VA_ARGS__)
// As CUI_FIXED_LOOP.
#define CUI_FIXED_LOOP_BY_ROW(loop, shape, count, head, locals, copies, ...)                        \
  if (::cui::cuiIsOn(::cui::unitState)) {                                                           \
    CUI_APPLY(CUI_LOOP_COUNT, head);                                                                \
    if (cuiCount.cuiTimes != 0 &&                                                                   \
        !CUI_APPLY_SHAPE(CUI_OF_LOOP_ROW, (CUI_UNWRAP shape, loop, count, head, locals, copies))) { \
      CUI_FIXED_LOOP_RECORD(0u, count, head, locals, copies)                                        \
    }                                                                                               \
  }                                                                                                 \
  CUI_FIXED_LOOP_COPY(__VA_ARGS__)
#define CUI_AS_ANOTHER(declarations) \
  CUI_UNWRAP declarations;           \
  (void)(threadIdx), (void)(blockIdx)
#define CUI_APPLY_SHAPE(macro, arguments) macro arguments  // what it makes has CUI_APPLY in it
#define CUI_OF_LOOP_ROW(corners, declarations, guard, numbers, loop, count, head, locals, copies)           \
  ::cui::cuiOfLoopRow<corners, (count)>(                                                                    \
      ::cui::unitState, loop + ::cui::cuiNumber numbers, cuiCount.cuiTimes,                                 \
      [&](const ::cui::GridIndex threadIdx, const ::cui::GridIndex blockIdx) {                              \
        CUI_AS_ANOTHER(declarations);                                                                       \
        return ((CUI_UNWRAP guard) ? true : false) && CUI_APPLY(CUI_LOOP_GOES_ROUND, head);                 \
      },                                                                                                    \
      [&](const ::cui::GridIndex threadIdx, const ::cui::GridIndex blockIdx, ::cui::LoopPlace* cuiPlaces) { \
        CUI_AS_ANOTHER(declarations);                                                                       \
        CUI_APPLY(CUI_LOOP_FROM, head);                                                                     \
        CUI_LOOP_PLACES_IN(head, locals, copies)                                                            \
        for (::cui::CuiNatural cuiPlace = 0; cuiPlace < (count); ++cuiPlace)                                \
          cuiPlaces[cuiPlace] = ::cui::cuiRowPlace(::cui::unitState, cuiPlaces[cuiPlace]);                  \
        return ::cui::CuiNatural(count);                                                                    \
      })
#define CUI_LOOP_FROM(type, variable, from, ...) type cuiFrom = (from)
#define CUI_LOOP_GOES_ROUND(type, variable, from, relation, bound, by) \
  ::cui::cuiGoesRound<(1 relation 2), (2 relation 2)>(::cui::cuiOfType<type>(from), (bound), cuiCount)
#else
#define CUI_LOOP_BY_ROW(loop, shape, ...) CUI_LOOP(loop, __VA_ARGS__)
#define CUI_FIXED_LOOP_BY_ROW(loop, shape, ...) CUI_FIXED_LOOP(loop, __VA_ARGS__)
#define CUI_BY_ROW(shape, copies, ...) CUI_TOGETHER(copies, __VA_ARGS__)
#define CUI_ROW(number) (void)(0)
#define CUI_BEGIN_ROW(shape, copies, ...) CUI_TOGETHER(copies, __VA_ARGS__)
#define CUI_SAME_ROW(shape, copies, ...) CUI_TOGETHER(copies, __VA_ARGS__)
#define CUI_BY_ROW_IN_LOOP(shape, copies, ...) CUI_TOGETHER(copies, __VA_ARGS__)
#endif
