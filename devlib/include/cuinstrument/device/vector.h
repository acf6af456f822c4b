// CUI_VECTOR(n, d): a container of a library's, `thrust::device_vector<float> d(n)`, holds memory that the
// library allocated; hostlib gives its row the name d. Nothing of the container is changed or evaluated but
// const members, and what has none of these (in another instantiation of a template) is left alone.
#pragma once

#include "cuinstrument/host/abi.h"

namespace cui {
namespace vector {

template <class T>
uint64_t addressOf(const T* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}
/// `thrust::device_ptr` and its kin.
template <class Pointer>
auto addressOf(const Pointer& pointer) -> decltype(reinterpret_cast<uint64_t>(pointer.get())) {
  return reinterpret_cast<uint64_t>(pointer.get());
}

template <class T>
constexpr uint64_t elementBytes(const volatile T*) {
  return sizeof(T);
}
constexpr uint64_t elementBytes(const volatile void*) {
  return 1;
}
template <class Pointer>
auto elementBytes(const Pointer& pointer) -> decltype(elementBytes(pointer.get())) {
  return elementBytes(pointer.get());
}

// The last parameter prefers the first of those that exist.
template <class Container>
auto dataOf(const Container& container, int) -> decltype(addressOf(container.data())) {
  return addressOf(container.data());
}
template <class Pointer>
auto dataOf(const Pointer& pointer, long) -> decltype(addressOf(pointer)) {
  return addressOf(pointer);
}
template <class Other>
uint64_t dataOf(const Other&, ...) {
  return 0;
}

template <class Container>
auto bytesOf(const Container& container, int)
    -> decltype(container.capacity() * elementBytes(container.data())) {
  return container.capacity() * elementBytes(container.data());
}
template <class Container>
auto bytesOf(const Container& container, long)
    -> decltype(container.size() * elementBytes(container.data())) {
  return container.size() * elementBytes(container.data());
}
template <class Other>
uint64_t bytesOf(const Other&, ...) {
  return 0;
}

template <class Calls, class Container>
void cuiNamed(unsigned int call, const Container& container) {
  if (cuiRecording()) cuiHolds(&Calls::Unit::table(), call, dataOf(container, 0), bytesOf(container, 0));
}

}  // namespace vector

using vector::cuiNamed;

}  // namespace cui

#define CUI_VECTOR(n, ...) ::cui::cuiNamed<::cui::CuiCall>(n, __VA_ARGS__)
