// What the algorithms share: operators, keys as bits, memory for values of any type. These headers have CUB's
// interface, as its documentation has it, and stand in for it on the CPU backend. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include <cfloat>  // programs count on this and the next, which CUB's own headers include
#include <climits>
#include <type_traits>

#include "../cooperative_groups.h"

#define CUB_RUNTIME_FUNCTION __host__
#define CUB_PTX_WARP_THREADS 32
#define CUB_MIN(a, b) (((a) > (b)) ? (b) : (a))
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CubDebug(e) ::cub::Debug((e), __FILE__, __LINE__)
#define CubDebugExit(e)                                           \
  do {                                                            \
    if (::cub::Debug((e), __FILE__, __LINE__)) __builtin_exit(1); \
  } while (false)

namespace cub {

struct NullType {
  template <class T>
  __host__ __device__ NullType& operator=(const T&) {
    return *this;
  }
};

template <class Key_, class Value_>
struct KeyValuePair {
  using Key = Key_;
  using Value = Value_;
  Key key;
  Value value;
  KeyValuePair() = default;
  __host__ __device__ KeyValuePair(const Key& k, const Value& v) : key(k), value(v) {}
  __host__ __device__ bool operator!=(const KeyValuePair& b) const {
    return value != b.value || key != b.key;
  }
};

#define CUI_CUB_OPERATOR(name, ...)                                               \
  struct name {                                                                   \
    template <class A, class B>                                                   \
    __host__ __device__ constexpr auto operator()(const A& a, const B& b) const { \
      return __VA_ARGS__;                                                         \
    }                                                                             \
  };
CUI_CUB_OPERATOR(Sum, a + b)
CUI_CUB_OPERATOR(Difference, a - b)
CUI_CUB_OPERATOR(Division, a / b)
CUI_CUB_OPERATOR(Equality, a == b)
CUI_CUB_OPERATOR(Inequality, a != b)
CUI_CUB_OPERATOR(Max, a < b ? b : a)
CUI_CUB_OPERATOR(Min, b < a ? b : a)
#undef CUI_CUB_OPERATOR
/// Of equal values the one of the lower key.
struct ArgMax {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

__host__ __device__ inline cudaError_t Debug(cudaError_t error, const char* file, int line) {
  if (error != cudaSuccess) printf("CUDA error %d [%s, %d]\n", static_cast<int>(error), file, line);
  return error;
}
template <class N, class D>
__host__ __device__ constexpr N DivideAndRoundUp(N n, D d) {
  return (n + d - 1) / d;
}
__device__ inline unsigned int LaneId() {
  return cooperative_groups::cui_detail::lane();
}
__device__ inline int RowMajorTid(int x, int y, int) {
  return static_cast<int>((threadIdx.z * y + threadIdx.y) * x + threadIdx.x);
}

/// Values of a type whose constructors must not run in shared memory.
template <class T>
struct alignas(alignof(T)) Uninitialized {
  unsigned char cuiBytes[sizeof(T)];
  __host__ __device__ T& Alias() { return *reinterpret_cast<T*>(cuiBytes); }
};

namespace cui_detail {

template <class T, int count>
struct Values {
  alignas(T) unsigned char bytes[sizeof(T) * count];
  __device__ T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};
/// A class that may be used without memory of the caller's has some of its own.
template <class Storage>
__device__ Storage& ownStorage() {
  static __shared__ Storage storage;
  return storage;
}
__device__ inline int thread() {
  return static_cast<int>(cooperative_groups::cui_detail::threadRank());
}

/// The unsigned integer of a size.
template <size_t bytes>
struct Unsigned;
template <>
struct Unsigned<1> {
  using Type = unsigned char;
};
template <>
struct Unsigned<2> {
  using Type = unsigned short;
};
template <>
struct Unsigned<4> {
  using Type = unsigned int;
};
template <>
struct Unsigned<8> {
  using Type = unsigned long long;
};

}  // namespace cui_detail

/// A key as bits that sort as it does.
template <class T>
struct Traits {
  using UnsignedBits = typename cui_detail::Unsigned<sizeof(T)>::Type;
  static constexpr UnsignedBits cuiHigh = static_cast<UnsignedBits>(UnsignedBits(1) << (sizeof(T) * 8 - 1));
  static constexpr bool cuiFloating = !std::is_integral<T>::value;
  static constexpr bool cuiSigned = std::is_signed<T>::value;
  static __host__ __device__ UnsignedBits TwiddleIn(UnsignedBits key) {
    if (cuiFloating) return static_cast<UnsignedBits>((key & cuiHigh) != 0 ? ~key : key ^ cuiHigh);
    return cuiSigned ? static_cast<UnsignedBits>(key ^ cuiHigh) : key;
  }
  static __host__ __device__ UnsignedBits TwiddleOut(UnsignedBits key) {
    if (cuiFloating) return static_cast<UnsignedBits>((key & cuiHigh) != 0 ? key ^ cuiHigh : ~key);
    return TwiddleIn(key);
  }
  /// The bits [begin, end) of one.
  static __host__ __device__ UnsignedBits cuiDigits(const T& key, int begin, int end) {
    UnsignedBits bits;
    __builtin_memcpy(&bits, &key, sizeof bits);
    bits = TwiddleIn(bits);
    const int above = static_cast<int>(sizeof(T)) * 8 - end;
    return static_cast<UnsignedBits>(static_cast<UnsignedBits>(bits << above) >> above >> begin);
  }
};

}  // namespace cub
