// Operands of inline assembly that hold an address: a pointer, or the address as an integer.
#pragma once

#include <cstddef>

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

/// The same of an address in the window of shared memory.
template <class UnitState, class T>
CUI_HD T cuiAssemblyShared(UnitState& unit, unsigned site, std::size_t bytes, std::ptrdiff_t offset,
                           T operand) {
#if defined(__CUDA_ARCH__)
  const std::size_t inWindow = reinterpret_cast<std::size_t>(cuiWindowAddress(operand));
  const char* const address = static_cast<const char*>(__cvta_shared_to_generic(inWindow));
  backend::recordAccess(unit, site, address + offset, bytes);
#else
  (void)unit, (void)site, (void)bytes, (void)offset;  // only a GPU runs PTX
#endif
  return operand;
}

}  // namespace cui

#define CUI_ASSEMBLY(site, bytes, offset, ...) \
  ::cui::cuiAssembly(::cui::unitState, site, bytes, offset, (__VA_ARGS__))
#define CUI_ASSEMBLY_SHARED(site, bytes, offset, ...) \
  ::cui::cuiAssemblyShared(::cui::unitState, site, bytes, offset, (__VA_ARGS__))
#define CUI_MACRO_ASSEMBLY(site, bytes, offset, ...) \
  ::cui::cuiAssembly(::cui::unitState, CUI_SITE_OF_LINE(site), bytes, offset, (__VA_ARGS__))
#define CUI_MACRO_ASSEMBLY_SHARED(site, bytes, offset, ...) \
  ::cui::cuiAssemblyShared(::cui::unitState, CUI_SITE_OF_LINE(site), bytes, offset, (__VA_ARGS__))
