// wmma::load_matrix_sync and store_matrix_sync: a warp moves a tile of a matrix. How the hardware divides it
// among the lanes is not specified, so it is recorded by what it touches: lane i has the i-th row (column, of
// a column-major tile), which is contiguous. The function's name is wrapped, as in copy.h.
#pragma once

#include <cstddef>

#include "cuinstrument/device/lane.h"

namespace cui {

/// `segments` contiguous runs of `length` elements, `stride` elements apart.
template <class UnitState, class T>
CUI_HD void cuiTile(UnitState& unit, unsigned site, unsigned segments, unsigned length, const T* tile,
                    unsigned stride) {
#if defined(__CUDA_ARCH__)
  const unsigned lane = cuiOwnLane();
  if ((CUI_RECORDING) && lane < segments)
    backend::recordAccess(unit, site, tile + static_cast<std::size_t>(lane) * stride, length * sizeof(T));
  cuiReconverge();
#else
  (void)unit, (void)site, (void)segments, (void)length, (void)tile, (void)stride;
#endif
}

/// An accumulator's layout is an argument: 0 is wmma::mem_row_major.
template <class UnitState, class T, class Layout>
CUI_HD void cuiTile(UnitState& unit, unsigned site, unsigned rows, unsigned columns, const T* tile,
                    unsigned stride, Layout layout) {
  const bool byRow = static_cast<int>(layout) == 0;
  cuiTile(unit, site, byRow ? rows : columns, byRow ? columns : rows, tile, stride);
}

}  // namespace cui

#define CUI_TILE_LOAD(site, segments, length, ...)                                                     \
  [](auto& cuiFragment, auto cuiTilePointer, auto cuiStride, auto... cuiLayout) {                      \
    ::cui::cuiTile(::cui::unitState, site, segments, length, cuiTilePointer, cuiStride, cuiLayout...); \
    __VA_ARGS__(cuiFragment, cuiTilePointer, cuiStride, cuiLayout...);                                 \
  }
#define CUI_TILE_STORE(site, segments, length, ...)                                                    \
  [](auto cuiTilePointer, const auto& cuiFragment, auto cuiStride, auto... cuiLayout) {                \
    ::cui::cuiTile(::cui::unitState, site, segments, length, cuiTilePointer, cuiStride, cuiLayout...); \
    __VA_ARGS__(cuiTilePointer, cuiFragment, cuiStride, cuiLayout...);                                 \
  }
#define CUI_MACRO_TILE_LOAD(site, segments, length, ...) \
  CUI_TILE_LOAD(CUI_SITE_OF_LINE(site), segments, length, __VA_ARGS__)
#define CUI_MACRO_TILE_STORE(site, segments, length, ...) \
  CUI_TILE_STORE(CUI_SITE_OF_LINE(site), segments, length, __VA_ARGS__)
