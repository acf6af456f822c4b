// wmma::load_matrix_sync and store_matrix_sync: a warp moves a tile of a matrix. How the hardware divides it
// among the lanes is not specified, so it is recorded by what it touches: lane i has the i-th row (column, of
// a column-major tile), which is contiguous. The function's name is wrapped, as in copy.h.
#pragma once

#include <cstddef>
#include <type_traits>

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

/// Elements of `bits` bits: a row has 16 bytes, and the stride counts elements.
template <class UnitState>
CUI_HD void cuiPackedTile(UnitState& unit, unsigned site, unsigned rows, unsigned bits, const void* tile,
                          unsigned stride) {
#if defined(__CUDA_ARCH__)
  const unsigned lane = cuiOwnLane();
  if ((CUI_RECORDING) && lane < rows)
    backend::recordAccess(
        unit, site, static_cast<const char*>(tile) + static_cast<std::size_t>(lane) * stride * bits / 8, 16);
  cuiReconverge();
#else
  (void)unit, (void)site, (void)rows, (void)bits, (void)tile, (void)stride;
#endif
}

/// Where instantiations have fragments of several shapes, or elements share a byte, the fragment says which.
/// Fragment<Use, m, n, k, T, Layout> and the three names are the library's, which is declared after this
/// file.
template <class MatrixA, class MatrixB, class RowMajor, class Fragment>
struct CuiTileShape;
template <class MatrixA, class MatrixB, class RowMajor,
          template <class, int, int, int, class, class> class Fragment, class Use, int m, int n, int k,
          class T, class Layout>
struct CuiTileShape<MatrixA, MatrixB, RowMajor, Fragment<Use, m, n, k, T, Layout>> {
  static constexpr bool a = std::is_same<Use, MatrixA>::value, b = std::is_same<Use, MatrixB>::value;
  static constexpr bool byRow = (!a && !b) || std::is_same<Layout, RowMajor>::value;
  static constexpr unsigned rows = b ? k : m, columns = a ? k : n;
  static constexpr unsigned segments = byRow ? rows : columns, length = byRow ? columns : rows;
  /// Of an element that shares its byte: only its shapes have so long rows. 0 for others.
  static constexpr unsigned bits = !a && !b ? 0 : k == 128 ? 1 : k == 32 ? 4 : 0;
};

template <class Shape, class UnitState, class... Place>
CUI_HD void cuiShapedTile(std::true_type, UnitState& unit, unsigned site, Place... place) {
  cuiPackedTile(unit, site, unsigned{Shape::segments}, unsigned{Shape::bits}, place...);
}
template <class Shape, class UnitState, class... Place>
CUI_HD void cuiShapedTile(std::false_type, UnitState& unit, unsigned site, Place... place) {
  cuiTile(unit, site, unsigned{Shape::segments}, unsigned{Shape::length}, place...);
}

template <class MatrixA, class MatrixB, class RowMajor, class UnitState, class Fragment, class... Place>
CUI_HD void cuiAnyTile(UnitState& unit, unsigned site, const Fragment&, Place... place) {
  using Shape = CuiTileShape<MatrixA, MatrixB, RowMajor, Fragment>;
  cuiShapedTile<Shape>(std::integral_constant<bool, Shape::bits != 0>(), unit, site, place...);
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
#define CUI_ANY_TILE(...)                                                                           \
  ::cui::cuiAnyTile<::nvcuda::wmma::matrix_a, ::nvcuda::wmma::matrix_b, ::nvcuda::wmma::row_major>( \
      ::cui::unitState, __VA_ARGS__)
#define CUI_ANY_TILE_LOAD(site, ...)                                              \
  [](auto& cuiFragment, auto cuiTilePointer, auto cuiStride, auto... cuiLayout) { \
    CUI_ANY_TILE(site, cuiFragment, cuiTilePointer, cuiStride, cuiLayout...);     \
    __VA_ARGS__(cuiFragment, cuiTilePointer, cuiStride, cuiLayout...);            \
  }
#define CUI_ANY_TILE_STORE(site, ...)                                                   \
  [](auto cuiTilePointer, const auto& cuiFragment, auto cuiStride, auto... cuiLayout) { \
    CUI_ANY_TILE(site, cuiFragment, cuiTilePointer, cuiStride, cuiLayout...);           \
    __VA_ARGS__(cuiTilePointer, cuiFragment, cuiStride, cuiLayout...);                  \
  }
#define CUI_MACRO_TILE_LOAD(site, segments, length, ...) \
  CUI_TILE_LOAD(CUI_SITE_OF_LINE(site), segments, length, __VA_ARGS__)
#define CUI_MACRO_TILE_STORE(site, segments, length, ...) \
  CUI_TILE_STORE(CUI_SITE_OF_LINE(site), segments, length, __VA_ARGS__)
#define CUI_MACRO_ANY_TILE_LOAD(site, ...) CUI_ANY_TILE_LOAD(CUI_SITE_OF_LINE(site), __VA_ARGS__)
#define CUI_MACRO_ANY_TILE_STORE(site, ...) CUI_ANY_TILE_STORE(CUI_SITE_OF_LINE(site), __VA_ARGS__)
