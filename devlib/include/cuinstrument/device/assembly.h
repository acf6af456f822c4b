// Operands of inline assembly that hold an address: a pointer, or the address as an integer.
#pragma once

#include <cstddef>

#include "cuinstrument/device/copy.h"
#include "cuinstrument/device/lane.h"

namespace cui {

template <class T>
CUI_HD const volatile char* cuiWindowAddress(T* pointer) {
  return reinterpret_cast<const volatile char*>(pointer);
}
template <class T>
CUI_HD const volatile char* cuiWindowAddress(T number) {
  return reinterpret_cast<const volatile char*>(static_cast<std::size_t>(number));
}

/// Records `bytes` bytes at `offset` from a generic or global address, which are the same number; returns the
/// operand.
template <class UnitState, class T>
CUI_HD T cuiAssembly(UnitState& unit, unsigned site, std::size_t bytes, std::ptrdiff_t offset, T operand) {
  if (CUI_RECORDING) backend::recordAccess(unit, site, cuiWindowAddress(operand) + offset, bytes);
  return operand;
}

/// The address in the window of shared memory as a generic one.
template <class T>
CUI_HD const volatile char* cuiSharedAddress(T operand) {
#if defined(__CUDA_ARCH__)
  const std::size_t inWindow = reinterpret_cast<std::size_t>(cuiWindowAddress(operand));
  return static_cast<const char*>(__cvta_shared_to_generic(inWindow));
#else
  return cuiWindowAddress(operand);  // only a GPU runs PTX
#endif
}

/// As cuiAssembly(), of an address in the window of shared memory.
template <class UnitState, class T>
CUI_HD T cuiAssemblyShared(UnitState& unit, unsigned site, std::size_t bytes, std::ptrdiff_t offset,
                           T operand) {
  if (CUI_RECORDING) backend::recordAccess(unit, site, cuiSharedAddress(operand) + offset, bytes);
  return operand;
}

/// As these two, of an operand that the assembly also writes.
template <class UnitState, class T>
CUI_HD T& cuiAssemblyChanged(UnitState& unit, unsigned site, std::size_t bytes, std::ptrdiff_t offset,
                             T& operand) {
  cuiAssembly(unit, site, bytes, offset, operand);
  return operand;
}
template <class UnitState, class T>
CUI_HD T& cuiAssemblyChangedShared(UnitState& unit, unsigned site, std::size_t bytes, std::ptrdiff_t offset,
                                   T& operand) {
  cuiAssemblyShared(unit, site, bytes, offset, operand);
  return operand;
}

/// `bytes` bytes if `made`.
template <class UnitState>
CUI_HD void cuiRecordTimes(UnitState& unit, unsigned site, std::size_t bytes, const volatile char* address,
                           bool made) {
  if (CUI_RECORDING) {
    if (made) backend::recordAccess(unit, site, address, bytes);
  }
}
/// A block of `count` times `bytes`.
template <class UnitState, class Count>
CUI_HD void cuiRecordTimes(UnitState& unit, unsigned site, std::size_t bytes, const volatile char* address,
                           Count count) {
  cuiCopyBlock(unit, site, address, bytes * static_cast<std::size_t>(count));
}
/// As cuiAssembly() and cuiAssemblyShared(), of a predicated instruction and of one that copies a block.
template <class UnitState, class Count, class T>
CUI_HD T cuiAssemblyTimes(UnitState& unit, unsigned site, std::size_t bytes, std::ptrdiff_t offset,
                          Count count, T operand) {
  cuiRecordTimes(unit, site, bytes, cuiWindowAddress(operand) + offset, count);
  return operand;
}
template <class UnitState, class Count, class T>
CUI_HD T cuiAssemblyTimesShared(UnitState& unit, unsigned site, std::size_t bytes, std::ptrdiff_t offset,
                                Count count, T operand) {
  cuiRecordTimes(unit, site, bytes, cuiSharedAddress(operand) + offset, count);
  return operand;
}

/// ldmatrix and stmatrix: the first `lanes` lanes of the warp, all of which are here, give the addresses of
/// rows of 16 bytes.
template <class UnitState>
CUI_HD void cuiMatrixRow(UnitState& unit, unsigned site, unsigned lanes, const volatile char* row) {
#if defined(__CUDA_ARCH__)
  if ((CUI_RECORDING) && cuiOwnLane() < lanes) backend::recordAccess(unit, site, row, 16);
  cuiReconverge();
#else
  (void)unit, (void)site, (void)lanes, (void)row;
#endif
}
template <class UnitState, class T>
CUI_HD T cuiAssemblyRows(UnitState& unit, unsigned site, unsigned lanes, std::ptrdiff_t offset, T operand) {
  cuiMatrixRow(unit, site, lanes, cuiWindowAddress(operand) + offset);
  return operand;
}
template <class UnitState, class T>
CUI_HD T cuiAssemblyRowsShared(UnitState& unit, unsigned site, unsigned lanes, std::ptrdiff_t offset,
                               T operand) {
  cuiMatrixRow(unit, site, lanes, cuiSharedAddress(operand) + offset);
  return operand;
}

}  // namespace cui

#define CUI_ASSEMBLY(site, bytes, offset, ...) \
  ::cui::cuiAssembly(::cui::unitState, site, bytes, offset, (__VA_ARGS__))
#define CUI_ASSEMBLY_SHARED(site, bytes, offset, ...) \
  ::cui::cuiAssemblyShared(::cui::unitState, site, bytes, offset, (__VA_ARGS__))
#define CUI_ASSEMBLY_CHANGED(site, bytes, offset, ...) \
  ::cui::cuiAssemblyChanged(::cui::unitState, site, bytes, offset, (__VA_ARGS__))
#define CUI_ASSEMBLY_CHANGED_SHARED(site, bytes, offset, ...) \
  ::cui::cuiAssemblyChangedShared(::cui::unitState, site, bytes, offset, (__VA_ARGS__))
#define CUI_MACRO_ASSEMBLY(site, bytes, offset, ...) \
  ::cui::cuiAssembly(::cui::unitState, CUI_SITE_OF_LINE(site), bytes, offset, (__VA_ARGS__))
#define CUI_MACRO_ASSEMBLY_SHARED(site, bytes, offset, ...) \
  ::cui::cuiAssemblyShared(::cui::unitState, CUI_SITE_OF_LINE(site), bytes, offset, (__VA_ARGS__))
#define CUI_ASSEMBLY_TIMES(site, bytes, offset, count, ...) \
  ::cui::cuiAssemblyTimes(::cui::unitState, site, bytes, offset, count, (__VA_ARGS__))
#define CUI_ASSEMBLY_TIMES_SHARED(site, bytes, offset, count, ...) \
  ::cui::cuiAssemblyTimesShared(::cui::unitState, site, bytes, offset, count, (__VA_ARGS__))
#define CUI_MACRO_ASSEMBLY_TIMES(site, bytes, offset, count, ...) \
  ::cui::cuiAssemblyTimes(::cui::unitState, CUI_SITE_OF_LINE(site), bytes, offset, count, (__VA_ARGS__))
#define CUI_MACRO_ASSEMBLY_TIMES_SHARED(site, bytes, offset, count, ...) \
  ::cui::cuiAssemblyTimesShared(::cui::unitState, CUI_SITE_OF_LINE(site), bytes, offset, count, (__VA_ARGS__))
#define CUI_ASSEMBLY_ROWS(site, lanes, offset, ...) \
  ::cui::cuiAssemblyRows(::cui::unitState, site, lanes, offset, (__VA_ARGS__))
#define CUI_ASSEMBLY_ROWS_SHARED(site, lanes, offset, ...) \
  ::cui::cuiAssemblyRowsShared(::cui::unitState, site, lanes, offset, (__VA_ARGS__))
#define CUI_MACRO_ASSEMBLY_ROWS(site, lanes, offset, ...) \
  ::cui::cuiAssemblyRows(::cui::unitState, CUI_SITE_OF_LINE(site), lanes, offset, (__VA_ARGS__))
#define CUI_MACRO_ASSEMBLY_ROWS_SHARED(site, lanes, offset, ...) \
  ::cui::cuiAssemblyRowsShared(::cui::unitState, CUI_SITE_OF_LINE(site), lanes, offset, (__VA_ARGS__))
