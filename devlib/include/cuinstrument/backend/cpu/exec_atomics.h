// CUDA's atomic functions on real memory: correct between lanes, between blocks on several worker
// threads, and against the host. Every scope is the system's; every operation relaxed, as CUDA's are.
#pragma once
#pragma GCC system_header  // it spells CUDA's own names

#include "toolkit/vector_types.h"

extern "C" {
/// An atomic that a thread may spin on: now and then lets other threads run.
void cuiSpinPoint(void);
}

namespace cui {
namespace backend {

template <class T, class Update>
T atomicUpdate(T* address, Update update) {
  T old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  for (;;) {
    T desired = update(old);
    if (__atomic_compare_exchange(address, &old, &desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return old;
  }
}

}  // namespace backend
}  // namespace cui

/// One function for the device's, the block's and the system's scope. `body` sees address and value.
#define CUI_EXEC_ATOMIC(name, T, ...)           \
  inline T name(T* address, T value) {          \
    __VA_ARGS__                                 \
  }                                             \
  inline T name##_block(T* address, T value) {  \
    return name(address, value);                \
  }                                             \
  inline T name##_system(T* address, T value) { \
    return name(address, value);                \
  }
#define CUI_EXEC_INTEGERS(name, ...)               \
  CUI_EXEC_ATOMIC(name, int, __VA_ARGS__)          \
  CUI_EXEC_ATOMIC(name, unsigned int, __VA_ARGS__) \
  CUI_EXEC_ATOMIC(name, unsigned long long, __VA_ARGS__)
#define CUI_EXEC_UPDATE(T, expression) \
  return ::cui::backend::atomicUpdate(address, [value](T old) { return static_cast<T>(expression); });

CUI_EXEC_INTEGERS(atomicAdd, return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);)
CUI_EXEC_ATOMIC(atomicAdd, float, CUI_EXEC_UPDATE(float, old + value))
CUI_EXEC_ATOMIC(atomicAdd, double, CUI_EXEC_UPDATE(double, old + value))
CUI_EXEC_ATOMIC(atomicSub, int, return __atomic_fetch_sub(address, value, __ATOMIC_RELAXED);)
CUI_EXEC_ATOMIC(atomicSub, unsigned int, return __atomic_fetch_sub(address, value, __ATOMIC_RELAXED);)
CUI_EXEC_INTEGERS(atomicAnd, return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);)
CUI_EXEC_INTEGERS(atomicOr, return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);)
CUI_EXEC_INTEGERS(atomicXor, return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);)
CUI_EXEC_INTEGERS(atomicExch, cuiSpinPoint(); return __atomic_exchange_n(address, value, __ATOMIC_RELAXED);)
CUI_EXEC_ATOMIC(atomicExch, float, cuiSpinPoint(); float old;
                __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED); return old;)

#define CUI_EXEC_EXTREMES(T)                                                   \
  CUI_EXEC_ATOMIC(atomicMin, T, CUI_EXEC_UPDATE(T, old < value ? old : value)) \
  CUI_EXEC_ATOMIC(atomicMax, T, CUI_EXEC_UPDATE(T, old > value ? old : value))
CUI_EXEC_EXTREMES(int)
CUI_EXEC_EXTREMES(unsigned int)
CUI_EXEC_EXTREMES(long long)
CUI_EXEC_EXTREMES(unsigned long long)
#undef CUI_EXEC_EXTREMES

CUI_EXEC_ATOMIC(atomicInc, unsigned int, CUI_EXEC_UPDATE(unsigned int, old >= value ? 0u : old + 1u))
CUI_EXEC_ATOMIC(atomicDec, unsigned int,
                CUI_EXEC_UPDATE(unsigned int, old == 0u || old > value ? value : old - 1u))

#define CUI_EXEC_CAS(T)                                                                               \
  inline T atomicCAS(T* address, T compare, T value) {                                                \
    cuiSpinPoint();                                                                                   \
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return compare;                                                                                   \
  }                                                                                                   \
  inline T atomicCAS_block(T* address, T compare, T value) {                                          \
    return atomicCAS(address, compare, value);                                                        \
  }                                                                                                   \
  inline T atomicCAS_system(T* address, T compare, T value) {                                         \
    return atomicCAS(address, compare, value);                                                        \
  }
CUI_EXEC_CAS(int)
CUI_EXEC_CAS(unsigned int)
CUI_EXEC_CAS(unsigned long long)
CUI_EXEC_CAS(unsigned short)
#undef CUI_EXEC_CAS

// The vector forms are atomic per element, as CUDA's are.
inline float2 atomicAdd(float2* address, float2 value) {
  return float2{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
inline float4 atomicAdd(float4* address, float4 value) {
  return float4{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
                atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};
}
#undef CUI_EXEC_UPDATE
#undef CUI_EXEC_INTEGERS
