// The atomic functions of CUDA 12.8 with an order and a scope. Here all are sequentially consistent and of
// the system's scope, which is at least what is asked for.
#pragma once
#pragma GCC system_header

#include <type_traits>

#include "host_defines.h"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

template <class T>
CUI_TK_DEVICE void __nv_atomic_load(const T* address, T* value, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_load(const_cast<T*>(address), value, __ATOMIC_SEQ_CST);
}
template <class T>
CUI_TK_DEVICE typename std::remove_cv<T>::type __nv_atomic_load_n(T* address, int,
                                                                  int = __NV_THREAD_SCOPE_SYSTEM) {
  return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}
template <class T>
CUI_TK_DEVICE void __nv_atomic_store(T* address, T* value, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_store(address, value, __ATOMIC_SEQ_CST);
}
template <class T, class U>
CUI_TK_DEVICE void __nv_atomic_store_n(T* address, U value, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_store_n(address, static_cast<T>(value), __ATOMIC_SEQ_CST);
}
template <class T>
CUI_TK_DEVICE void __nv_atomic_exchange(T* address, T* value, T* old, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_exchange(address, value, old, __ATOMIC_SEQ_CST);
}
template <class T, class U>
CUI_TK_DEVICE T __nv_atomic_exchange_n(T* address, U value, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  return __atomic_exchange_n(address, static_cast<T>(value), __ATOMIC_SEQ_CST);
}
template <class T, class U>
CUI_TK_DEVICE bool __nv_atomic_compare_exchange(T* address, T* expected, U* desired, bool, int, int,
                                                int = __NV_THREAD_SCOPE_SYSTEM) {
  T value = static_cast<T>(*desired);
  return __atomic_compare_exchange(address, expected, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
template <class T, class U>
CUI_TK_DEVICE bool __nv_atomic_compare_exchange_n(T* address, T* expected, U desired, bool, int, int,
                                                  int = __NV_THREAD_SCOPE_SYSTEM) {
  T value = static_cast<T>(desired);
  return __atomic_compare_exchange(address, expected, &value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

#define CUI_TK_NV_ATOMIC(name, ...)                                                                      \
  template <class T, class U>                                                                            \
  CUI_TK_DEVICE T __nv_atomic_fetch_##name(T* address, U operand, int, int = __NV_THREAD_SCOPE_SYSTEM) { \
    const T value = static_cast<T>(operand);                                                             \
    T old, desired;                                                                                      \
    __atomic_load(address, &old, __ATOMIC_SEQ_CST);                                                      \
    do {                                                                                                 \
      desired = static_cast<T>(__VA_ARGS__);                                                             \
    } while (                                                                                            \
        !__atomic_compare_exchange(address, &old, &desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
    return old;                                                                                          \
  }                                                                                                      \
  template <class T, class U>                                                                            \
  CUI_TK_DEVICE void __nv_atomic_##name(T* address, U operand, int order,                                \
                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {                          \
    __nv_atomic_fetch_##name(address, operand, order, scope);                                            \
  }
CUI_TK_NV_ATOMIC(add, old + value)
CUI_TK_NV_ATOMIC(sub, old - value)
CUI_TK_NV_ATOMIC(and, old& value)
CUI_TK_NV_ATOMIC(or, old | value)
CUI_TK_NV_ATOMIC(xor, old ^ value)
CUI_TK_NV_ATOMIC(min, value < old ? value : old)
CUI_TK_NV_ATOMIC(max, old < value ? value : old)
#undef CUI_TK_NV_ATOMIC

CUI_TK_DEVICE void __nv_atomic_thread_fence(int, int = __NV_THREAD_SCOPE_SYSTEM) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
