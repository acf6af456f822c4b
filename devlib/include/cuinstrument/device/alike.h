// Accesses to shared memory that all blocks make alike (CUI_ALIKE): each thread comes there as often as its
// twins in the other blocks, and finds the same place in its block's memory. A backend may then record them
// of one block, for all of them. Or all tiles are alike, which the blocks share out (CUI_TILE); then one
// tile's are recorded.
//
// A backend that does so defines CUI_COUNTS_ALIKE and provides
//   cui::backend::allOrOwn(unitState)            forAllBlocks if one block stands for all, else 0
//   cui::backend::isOfBlock(number)              whether the calling block does, at the time of that number
//   cui::backend::tilesOrOwn(unitState, tiles)   for how many tiles one stands, of so many in each row, or 0
//   cui::backend::isOfTile(number, tile, tiles, all)
//                                                whether the calling block's does, which stands for all
//   cui::backend::recordOfTiles(unitState, all, Accessed...)
//                                                records what it accesses, for all, or 0: for itself
#pragma once

#include "cuinstrument/device/loop.h"

namespace cui {

/// In place of forAllBlocks or 0: the calling block has nothing to record.
constexpr unsigned cuiNobody = ~0u;

/// In a loop over tiles, of which the blocks of a row have some each: which one it is, of how many.
struct Tile {
  unsigned long long cuiIndex, cuiCount;
};
template <class Index, class Count>
CUI_HD constexpr Tile cuiTileOf(Index index, Count count) {
  return {static_cast<unsigned long long>(index), static_cast<unsigned long long>(count)};
}
/// What tells times apart in it.
struct TileNumber {
  Tile cuiTile;
  unsigned cuiRest;
};

/// One number for those that tell times apart.
CUI_HD constexpr unsigned cuiNumber() {
  return 0;
}
template <class Number, class... Rest>
CUI_HD constexpr unsigned cuiNumber(Number first, Rest... rest) {
  return static_cast<unsigned>(first) + 31 * cuiNumber(rest...);
}
template <class... Rest>
CUI_HD constexpr TileNumber cuiNumber(Tile tile, Rest... rest) {
  return {tile, cuiNumber(rest...)};
}

#if defined(CUI_COUNTS_ALIKE)
template <class UnitState>
CUI_HD unsigned cuiAllOrOwn(UnitState& unit) {
  return backend::allOrOwn(unit);
}
template <class UnitState>
CUI_HD unsigned cuiBlocksFor(UnitState& unit, unsigned site, unsigned number) {
  const unsigned blocks = backend::allOrOwn(unit);
  return blocks == 0 || backend::isOfBlock(site + number) ? blocks : cuiNobody;
}
template <class UnitState, class A>
CUI_HD void cuiRecordOfTiles(UnitState& unit, unsigned long long all, unsigned siteA, A& a) {
  backend::recordOfTiles(unit, all, cuiAccessed(unit, siteA, a));
}
template <class UnitState, class A, class B>
CUI_HD void cuiRecordOfTiles(UnitState& unit, unsigned long long all, unsigned siteA, A& a, unsigned siteB,
                             B& b) {
  backend::recordOfTiles(unit, all, cuiAccessed(unit, siteA, a), cuiAccessed(unit, siteB, b));
}
template <class UnitState, class A, class B, class C>
CUI_HD void cuiRecordOfTiles(UnitState& unit, unsigned long long all, unsigned siteA, A& a, unsigned siteB,
                             B& b, unsigned siteC, C& c) {
  backend::recordOfTiles(unit, all, cuiAccessed(unit, siteA, a), cuiAccessed(unit, siteB, b),
                         cuiAccessed(unit, siteC, c));
}
template <class UnitState, class A, class... Rest>
CUI_HD void cuiOfTile(UnitState& unit, const TileNumber& number, unsigned siteA, A& a, Rest&&... rest) {
  const Tile& tile = number.cuiTile;
  const unsigned int all = backend::tilesOrOwn(unit, tile.cuiCount);
  if (all == 0 || backend::isOfTile(siteA + number.cuiRest, tile.cuiIndex, tile.cuiCount, all))
    cuiRecordOfTiles(unit, all, siteA, a, rest...);
}
#else
template <class UnitState>
CUI_HD unsigned cuiAllOrOwn(UnitState&) {
  return 0;
}
template <class UnitState, class... Places>
CUI_HD void cuiOfTile(UnitState& unit, const TileNumber&, Places&&... places) {
  cuiTogether<false>(unit, places...);
}
template <class UnitState>
CUI_HD unsigned cuiBlocksFor(UnitState&, unsigned, unsigned) {
  return 0;
}
#endif

template <bool Asks, class UnitState, class A>
CUI_HD void cuiOfBlocks(UnitState& unit, unsigned blocks, unsigned siteA, A& a) {
  cuiTogether<Asks>(unit, siteA | blocks, a);
}
template <bool Asks, class UnitState, class A, class B>
CUI_HD void cuiOfBlocks(UnitState& unit, unsigned blocks, unsigned siteA, A& a, unsigned siteB, B& b) {
  cuiTogether<Asks>(unit, siteA | blocks, a, siteB | blocks, b);
}
template <bool Asks, class UnitState, class A, class B, class C>
CUI_HD void cuiOfBlocks(UnitState& unit, unsigned blocks, unsigned siteA, A& a, unsigned siteB, B& b,
                        unsigned siteC, C& c) {
  cuiTogether<Asks>(unit, siteA | blocks, a, siteB | blocks, b, siteC | blocks, c);
}

#if CUI_RECORDS_LOOPS
template <class UnitState, class A, class... Rest>
CUI_HD void cuiAlike(UnitState& unit, unsigned number, unsigned siteA, A& a, Rest&&... rest) {
  if (!cuiIsOn(unit)) return;
  const unsigned blocks = cuiBlocksFor(unit, siteA, number);
  // One bit, which is not in the key: that is a number for the compiler then, as kernels with tallies want
  // it.
  if (blocks != cuiNobody) cuiOfBlocks<false>(unit, blocks & forAllBlocks, siteA, a, rest...);
}
template <class UnitState, class A, class... Rest>
CUI_HD void cuiAlike(UnitState& unit, const TileNumber& number, unsigned siteA, A& a, Rest&&... rest) {
  if (cuiIsOn(unit)) cuiOfTile(unit, number, siteA, a, rest...);
}
#else
template <class UnitState, class... Rest>
CUI_HD void cuiAlike(UnitState&, unsigned, Rest&&...) {}
#endif
template <class UnitState, class Number, class T>
CUI_HD T& cuiAlikeAccess(UnitState& unit, unsigned site, const Number& number, T& reference) {
  cuiAlike(unit, number, site, reference);
  return reference;
}
template <class UnitState, class T>
CUI_HD T& cuiAlikeLoopAccess(UnitState& unit, unsigned site, T& reference) {
  cuiOfBlocks<!CUI_RECORDS_LOOPS>(unit, cuiAllOrOwn(unit), site, reference);
  return reference;
}

}  // namespace cui

// `numbers` tell the times apart that a block comes there, in parentheses: in a loop over tiles, which blocks
// go round unequally often, first of all the tile.
#define CUI_TILE(index, count) ::cui::cuiTileOf(index, count)
#define CUI_ALIKE(numbers, copies, ...) \
  (::cui::cuiAlike(::cui::unitState, ::cui::cuiNumber numbers CUI_COPIES copies), __VA_ARGS__)
#define CUI_ALIKE_ACCESS(site, numbers, ...) \
  ::cui::cuiAlikeAccess(::cui::unitState, site, ::cui::cuiNumber numbers, (__VA_ARGS__))
#if CUI_RECORDS_LOOPS
#define CUI_ALIKE_LOOP(loop, numbers, count, head, locals, copies, ...)                                 \
  CUI_LOOP_OF(::cui::cuiBlocksFor(::cui::unitState, loop, ::cui::cuiNumber numbers), loop, count, head, \
              locals, copies, __VA_ARGS__)
#define CUI_FIXED_ALIKE_LOOP(loop, numbers, count, head, locals, copies, ...)                           \
  CUI_FIXED_LOOP_OF(::cui::cuiBlocksFor(::cui::unitState, loop, ::cui::cuiNumber numbers), loop, count, \
                    head, locals, copies, __VA_ARGS__)
#else
#define CUI_ALIKE_LOOP(...)
#define CUI_FIXED_ALIKE_LOOP(...)
#endif
// In the loop itself, which only a block comes to that records it.
#define CUI_IN_ALIKE_LOOP(copies, ...)                                                             \
  (::cui::cuiOfBlocks<!CUI_RECORDS_LOOPS>(::cui::unitState,                                        \
                                          ::cui::cuiAllOrOwn(::cui::unitState) CUI_COPIES copies), \
   __VA_ARGS__)
#define CUI_ALIKE_LOOP_ACCESS(site, ...) ::cui::cuiAlikeLoopAccess(::cui::unitState, site, (__VA_ARGS__))
