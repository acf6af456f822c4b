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

/// By the calling warp, of so many blocks of the row from the first one on. All its lanes come here, if not
/// at the same time.
template <class Places>
CUI_HD void cuiCountRow(unsigned first, unsigned blocks, const Places& places) {
  __syncwarp(0xffffffffu);
  backend::RowState state = backend::beginRow(blocks);
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
  if (backend::isFirstWarp()) cuiCountRow(blockIdx.x, backend::blocksFromHere<Corners>(guard), places);
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
  if (backend::isOfRowsBlock(number) && backend::isFirstWarp()) cuiCountRow(0, gridDim.x, places);
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
         CUI_UNWRAP declarations;                                               \
         static_cast<void>(threadIdx), static_cast<void>(blockIdx);             \
         return static_cast<bool>(CUI_UNWRAP guard);                            \
       },                                                                       \
       CUI_PLACES_OF_ROW(declarations, copies)) ||                              \
   (::cui::cuiTogether<false>(::cui::unitState CUI_COPIES copies), false))
#define CUI_PLACES_OF_ROW(declarations, copies)                             \
  [&](const ::cui::GridIndex threadIdx, const ::cui::GridIndex blockIdx,    \
      ::cui::backend::RowState& cuiState) {                                 \
    CUI_UNWRAP declarations;                                                \
    static_cast<void>(threadIdx), static_cast<void>(blockIdx);              \
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
#else
#define CUI_BY_ROW(shape, copies, ...) CUI_TOGETHER(copies, __VA_ARGS__)
#define CUI_BY_ROW_IN_LOOP(shape, copies, ...) CUI_TOGETHER(copies, __VA_ARGS__)
#endif
