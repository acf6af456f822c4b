// Accesses that all threads of a row of the grid (blocks that differ in blockIdx.x only) make alike
// (CUI_BY_ROW): each thread comes there once, if a guard holds for it, and places are sums of what is the
// same in the row and multiples of coordinates. A backend may then account for the whole row at once: other
// threads' places and guards are computed by the same text, in which `threadIdx` and `blockIdx` are others'.
//
// A backend that does so defines CUI_COUNTS_ROWS and provides
//   cui::backend::isOn(unitState)        whether what the calling thread does is recorded now
//   cui::backend::countsRows(unitState)  whether rows are accounted for as a whole
//   cui::backend::holdsForBlock<Corners>(guard, block)
//                                        whether guard(thread, block) is true of all its threads
//   cui::backend::blocksFromHere<Corners>(guard)
//                                        of how many blocks it is, from this one on
//   cui::backend::isFirstWarp(), RowState, beginRow(blocks)
//   cui::backend::isOfRowsBlock(number)  whether the block accounts for its row at the time of that number
//   cui::backend::rowPoint(&state), threadOf(point), blockOf(point, first)
//                                        whose places are wanted next
//   cui::backend::stepOfRow(unitState, &state, Accessed...)
//                                        false if nothing is left to be done
#pragma once

#include "cuinstrument/device/alike.h"
#include "cuinstrument/device/grid_index.h"
#include "cuinstrument/device/loop.h"

#if defined(CUI_COUNTS_ROWS)
namespace cui {

template <class UnitState, class A>
CUI_HD bool cuiRowStep(UnitState& unit, backend::RowState& state, unsigned siteA, A& a) {
  return backend::stepOfRow(unit, &state, cuiAccessed(unit, siteA, a));
}
template <class UnitState, class A, class B>
CUI_HD bool cuiRowStep(UnitState& unit, backend::RowState& state, unsigned siteA, A& a, unsigned siteB,
                       B& b) {
  return backend::stepOfRow(unit, &state, cuiAccessed(unit, siteA, a), cuiAccessed(unit, siteB, b));
}
template <class UnitState, class A, class B, class C>
CUI_HD bool cuiRowStep(UnitState& unit, backend::RowState& state, unsigned siteA, A& a, unsigned siteB, B& b,
                       unsigned siteC, C& c) {
  return backend::stepOfRow(unit, &state, cuiAccessed(unit, siteA, a), cuiAccessed(unit, siteB, b),
                            cuiAccessed(unit, siteC, c));
}

/// By the calling warp, of blocks of the row from the first one on. All its lanes come here, if not at the
/// same time.
template <class Places>
CUI_HD void cuiCountRow(unsigned first, backend::RowState state, const Places& places) {
  __syncwarp(0xffffffffu);
  bool more = true;
#pragma unroll 1
  while (more) {
    const backend::RowPoint point = backend::rowPoint(&state);
    more = places(backend::threadOf(point), backend::blockOf(point, first), state);
  }
}

/// True if what the block's threads access here is accounted for, by a warp of the first block of the row for
/// all of whose threads the guard holds; false if each has to see to its own, which all threads of the block
/// are told alike.
template <unsigned Corners, class UnitState, class Guard, class Places>
CUI_HD bool cuiOfRow(UnitState& unit, const Guard& guard, const Places& places) {
  if (!backend::countsRows(unit) || !backend::holdsForBlock<Corners>(guard, blockIdx.x)) return false;
  if (blockIdx.x != 0 && backend::holdsForBlock<Corners>(guard, blockIdx.x - 1)) return true;
  if (backend::isFirstWarp())
    cuiCountRow(blockIdx.x, backend::beginRow(backend::blocksFromHere<Corners>(guard)), places);
  return true;
}

/// The first of sites and places.
template <class... Rest>
CUI_HD unsigned cuiFirst(unsigned site, Rest&&...) {
  return site;
}

/// The same each time round a loop, to which all threads of the row come: another block accounts for each.
template <class UnitState, class Places>
CUI_HD bool cuiOfRowInLoop(UnitState& unit, unsigned number, const Places& places) {
  if (!backend::countsRows(unit)) return false;
  if (backend::isOfRowsBlock(number) && backend::isFirstWarp())
    cuiCountRow(0, backend::beginRow(gridDim.x), places);
  return true;
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

/// The same as cuiOfRow(), in front of a loop, all times round which are accounted for by the warps of one
/// block. The guard holds for threads that go round as often as the calling one.
template <unsigned Corners, class UnitState, class Guard, class Places>
CUI_HD bool cuiOfLoopRow(UnitState& unit, unsigned number, unsigned times, const Guard& guard,
                         const Places& places) {
  if (!backend::countsRows(unit)) return false;
  if (Corners == 0) {
    if (backend::isOfRowsBlock(number)) cuiCountRow(0, backend::beginLoopRow(gridDim.x, times), places);
    return true;
  }
  if (!backend::holdsForBlock<Corners>(guard, blockIdx.x)) return false;
  if (blockIdx.x == 0 || !backend::holdsForBlock<Corners>(guard, blockIdx.x - 1))
    cuiCountRow(blockIdx.x, backend::beginLoopRow(backend::blocksFromHere<Corners>(guard), times), places);
  return true;
}

}  // namespace cui

// `shape` is (corners, (declarations), (guard)). Declarations are of what the guard and the places need that
// is not the same in all threads, each as its initialiser says.
#define CUI_BY_ROW(shape, copies, ...) \
  (static_cast<void>(CUI_APPLY(CUI_OF_ROW, (CUI_UNWRAP shape, copies))), __VA_ARGS__)
#define CUI_OF_ROW(corners, declarations, guard, copies)                        \
  (!::cui::cuiIsOn(::cui::unitState) ||                                         \
   ::cui::cuiOfRow<corners>(                                                    \
       ::cui::unitState,                                                        \
       [&](const ::cui::GridIndex threadIdx, const ::cui::GridIndex blockIdx) { \
         CUI_AS_ANOTHER(declarations);                                          \
         return static_cast<bool>(CUI_UNWRAP guard);                            \
       },                                                                       \
       CUI_PLACES_OF_ROW(declarations, copies)) ||                              \
   (::cui::cuiTogether<false>(::cui::unitState CUI_COPIES copies), false))
#define CUI_PLACES_OF_ROW(declarations, copies)                             \
  [&](const ::cui::GridIndex threadIdx, const ::cui::GridIndex blockIdx,    \
      ::cui::backend::RowState& cuiState) {                                 \
    CUI_AS_ANOTHER(declarations);                                           \
    return ::cui::cuiRowStep(::cui::unitState, cuiState CUI_COPIES copies); \
  }
// `shape` is ((numbers), (declarations)), of which the first tell the times apart that a block comes there.
#define CUI_BY_ROW_IN_LOOP(shape, copies, ...) \
  (static_cast<void>(CUI_APPLY(CUI_OF_ROW_IN_LOOP, (CUI_UNWRAP shape, copies))), __VA_ARGS__)
#define CUI_OF_ROW_IN_LOOP(numbers, declarations, copies)                                     \
  (!::cui::cuiIsOn(::cui::unitState) ||                                                       \
   ::cui::cuiOfRowInLoop(::cui::unitState, ::cui::cuiNumber numbers + ::cui::cuiFirst copies, \
                         CUI_PLACES_OF_ROW(declarations, copies)) ||                          \
   (::cui::cuiTogether<false>(::cui::unitState CUI_COPIES copies), false))
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
#define CUI_AS_ANOTHER(declarations) \
  CUI_UNWRAP declarations;           \
  static_cast<void>(threadIdx), static_cast<void>(blockIdx)
#define CUI_APPLY_SHAPE(macro, arguments) macro arguments  // what it makes has CUI_APPLY in it
#define CUI_OF_LOOP_ROW(corners, declarations, guard, numbers, loop, count, head, locals, copies) \
  ::cui::cuiOfLoopRow<corners>(                                                                   \
      ::cui::unitState, loop + ::cui::cuiNumber numbers, cuiCount.cuiTimes,                       \
      [&](const ::cui::GridIndex threadIdx, const ::cui::GridIndex blockIdx) {                    \
        CUI_AS_ANOTHER(declarations);                                                             \
        return static_cast<bool>(CUI_UNWRAP guard) && CUI_APPLY(CUI_LOOP_GOES_ROUND, head);       \
      },                                                                                          \
      [&](const ::cui::GridIndex threadIdx, const ::cui::GridIndex blockIdx,                      \
          ::cui::backend::RowState& cuiState) {                                                   \
        CUI_AS_ANOTHER(declarations);                                                             \
        CUI_APPLY(CUI_LOOP_FROM, head);                                                           \
        CUI_LOOP_PLACES(count, head, locals, copies)                                              \
        return ::cui::backend::stepOfLoopRow(::cui::unitState, &cuiState, cuiPlaces);             \
      })
#define CUI_LOOP_FROM(type, variable, from, ...) const type cuiFrom = (from)
#define CUI_LOOP_GOES_ROUND(type, variable, from, relation, bound, by) \
  ::cui::cuiGoesRound<(1 relation 2), (2 relation 2)>(static_cast<type>(from), (bound), cuiCount)
#else
#define CUI_LOOP_BY_ROW(loop, shape, ...) CUI_LOOP(loop, __VA_ARGS__)
#define CUI_BY_ROW(shape, copies, ...) CUI_TOGETHER(copies, __VA_ARGS__)
#define CUI_BY_ROW_IN_LOOP(shape, copies, ...) CUI_TOGETHER(copies, __VA_ARGS__)
#endif
