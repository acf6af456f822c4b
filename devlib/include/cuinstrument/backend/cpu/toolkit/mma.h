// wmma: products of small matrices that a warp holds together. CUDA leaves open which lane has which
// elements; here lane i has those of numbers i, i + 32, … in row order, several times over where a fragment
// has room for more. An operation is done for all lanes at once, when the last of them has come.
#pragma once
#pragma GCC system_header
// Programs test the guard that the toolkit's own header defines.
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if CUI_TK_PARSE
extern "C" __device__ void cuiWarpTogether(unsigned int mask, void (*function)(void* const*), void* argument);
#endif

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

namespace cui_detail {

/// How elements are stored, what products are summed in, and what of an element takes part.
template <class T>
struct Element {
  using Stored = T;
  using Sum = float;
  static __device__ float value(T x) { return static_cast<float>(x); }
};
template <class T>
struct IntegerElement {
  using Stored = T;
  using Sum = int;
  static __device__ int value(T x) { return x; }
};
template <>
struct Element<signed char> : IntegerElement<signed char> {};
template <>
struct Element<unsigned char> : IntegerElement<unsigned char> {};
template <>
struct Element<int> : IntegerElement<int> {};
template <>
struct Element<double> {
  using Stored = double;
  using Sum = double;
  static __device__ double value(double x) { return x; }
};
/// The hardware reads the upper 19 bits of such a float.
template <>
struct Element<precision::tf32> {
  using Stored = float;
  using Sum = float;
  static __device__ float value(float x) {
    unsigned int bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    bits &= ~0x1fffu;
    __builtin_memcpy(&x, &bits, sizeof bits);
    return x;
  }
};

/// The shapes that CUDA has, of a pair of input types: others are no fragments.
template <class T>
constexpr bool isShape(int m, int n, int k) {
  return k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
}
template <>
constexpr bool isShape<precision::tf32>(int m, int n, int k) {
  return m == 16 && n == 16 && k == 8;
}
template <>
constexpr bool isShape<double>(int m, int n, int k) {
  return m == 8 && n == 8 && k == 4;
}

template <class Use, int m, int n, int k>
struct Extent {  // of an accumulator
  static constexpr int rows = m, columns = n;
};
template <int m, int n, int k>
struct Extent<matrix_a, m, n, k> {
  static constexpr int rows = m, columns = k;
};
template <int m, int n, int k>
struct Extent<matrix_b, m, n, k> {
  static constexpr int rows = k, columns = n;
};
/// Elements a lane holds; a half operand's fragment has 16 whatever its shape.
template <class Use, class T>
constexpr int room(int elements) {
  return elements / 32;
}
template <>
constexpr int room<matrix_a, __half>(int) {
  return 16;
}
template <>
constexpr int room<matrix_b, __half>(int) {
  return 16;
}

template <class Layout>
constexpr bool byRow() {
  return true;
}
template <>
constexpr bool byRow<col_major>() {
  return false;
}

}  // namespace cui_detail

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
 public:
  static constexpr int cuiRows = cui_detail::Extent<Use, m, n, k>::rows;
  static constexpr int cuiColumns = cui_detail::Extent<Use, m, n, k>::columns;
  static constexpr int cuiElements = cuiRows * cuiColumns;
  enum { num_elements = cui_detail::room<Use, T>(cuiElements), num_storage_elements = num_elements };
  using element_type = typename cui_detail::Element<T>::Stored;
  using storage_element_type = element_type;
  element_type x[num_elements];
};

namespace cui_detail {

template <class Fragment>
struct Move {
  Fragment* fragment;
  typename Fragment::element_type* memory;
  unsigned int stride;
  bool rows;
  __device__ typename Fragment::element_type& at(int element) const {
    const unsigned int row = element / Fragment::cuiColumns, column = element % Fragment::cuiColumns;
    return rows ? memory[static_cast<size_t>(row) * stride + column]
                : memory[static_cast<size_t>(column) * stride + row];
  }
};

template <class Fragment>
__device__ void load(void* const* moves) {
  for (int lane = 0; lane < 32; ++lane) {
    const auto* move = static_cast<const Move<Fragment>*>(moves[lane]);
    if (!move) continue;
    for (int i = 0; i < Fragment::num_elements; ++i)
      move->fragment->x[i] = move->at((i * 32 + lane) % Fragment::cuiElements);
  }
}
template <class Fragment>
__device__ void store(void* const* moves) {
  for (int lane = 0; lane < 32; ++lane) {
    const auto* move = static_cast<const Move<Fragment>*>(moves[lane]);
    if (!move) continue;
    for (int i = 0; i < Fragment::num_elements; ++i) move->at(i * 32 + lane) = move->fragment->x[i];
  }
}

template <class A, class B, class C, class D>
struct Operands {
  const A* a;
  const B* b;
  const C* c;
  D* d;
  bool saturate;
};

/// Sums saturate in one step: the exact one is computed, which 64 bits hold.
template <class T>
__device__ inline T rounded(T sum, bool) {
  return sum;
}
__device__ inline int rounded(long long sum, bool saturate) {
  if (saturate && sum > 0x7fffffffLL) return 0x7fffffff;
  if (saturate && sum < -0x80000000LL) return -0x7fffffff - 1;
  return static_cast<int>(sum);
}
template <class Sum>
struct Wide {
  using Type = Sum;
};
template <>
struct Wide<int> {
  using Type = long long;
};

template <int m, int n, int k, class Element, class A, class B, class C, class D>
__device__ void multiply(void* const* lanes) {
  using Sum = typename Element::Sum;
  using Total = typename Wide<Sum>::Type;
  Sum a[m * k], b[k * n], sums[m * n] = {};
  for (int lane = 0; lane < 32; ++lane) {
    const auto* own = static_cast<const Operands<A, B, C, D>*>(lanes[lane]);
    for (int i = lane; i < m * k; i += 32) a[i] = own ? Element::value(own->a->x[i / 32]) : Sum();
    for (int i = lane; i < k * n; i += 32) b[i] = own ? Element::value(own->b->x[i / 32]) : Sum();
  }
  for (int row = 0; row < m; ++row)
    for (int inner = 0; inner < k; ++inner)
      for (int column = 0; column < n; ++column)
        sums[row * n + column] += a[row * k + inner] * b[inner * n + column];
  for (int lane = 0; lane < 32; ++lane) {
    const auto* own = static_cast<const Operands<A, B, C, D>*>(lanes[lane]);
    if (!own) continue;
    for (int i = lane; i < m * n; i += 32) {
      const Total total = static_cast<Total>(static_cast<Sum>(own->c->x[i / 32])) + sums[i];
      own->d->x[i / 32] = static_cast<typename D::element_type>(rounded(total, own->saturate));
    }
  }
}

template <class Fragment>
__device__ void move(void (*function)(void* const*), Fragment& fragment,
                     typename Fragment::element_type* memory, unsigned int stride, bool rows) {
  Move<Fragment> own = {&fragment, memory, stride, rows};
  cuiWarpTogether(~0u, function, &own);
}

}  // namespace cui_detail

template <class Use, int m, int n, int k, class T, class Layout, class Value>
__device__ inline void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const Value& value) {
  for (auto& element : f.x)
    element = static_cast<typename fragment<Use, m, n, k, T, Layout>::element_type>(value);
}

template <class Use, int m, int n, int k, class T, class Layout>
__device__ inline void load_matrix_sync(
    fragment<Use, m, n, k, T, Layout>& f,
    const typename fragment<Use, m, n, k, T, Layout>::element_type* memory, unsigned int stride) {
  static_assert(cui_detail::isShape<T>(m, n, k),
                "cuinstrument: wmma has no such shape, or not on the CPU backend");
  using Fragment = fragment<Use, m, n, k, T, Layout>;
  cui_detail::move(cui_detail::load<Fragment>, f, const_cast<typename Fragment::element_type*>(memory),
                   stride, cui_detail::byRow<Layout>());
}
template <int m, int n, int k, class T>
__device__ inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* memory,
                                        unsigned int stride, layout_t layout) {
  using Fragment = fragment<accumulator, m, n, k, T>;
  cui_detail::move(cui_detail::load<Fragment>, f, const_cast<T*>(memory), stride, layout == mem_row_major);
}
template <int m, int n, int k, class T>
__device__ inline void store_matrix_sync(T* memory, const fragment<accumulator, m, n, k, T>& f,
                                         unsigned int stride, layout_t layout) {
  using Fragment = fragment<accumulator, m, n, k, T>;
  cui_detail::move(cui_detail::store<Fragment>, const_cast<Fragment&>(f), memory, stride,
                   layout == mem_row_major);
}
template <int m, int n, int k, class In, class LayoutA, class LayoutB, class C, class D>
__device__ inline void mma_sync(fragment<accumulator, m, n, k, D>& d,
                                const fragment<matrix_a, m, n, k, In, LayoutA>& a,
                                const fragment<matrix_b, m, n, k, In, LayoutB>& b,
                                const fragment<accumulator, m, n, k, C>& c, bool saturate = false) {
  static_assert(cui_detail::isShape<In>(m, n, k),
                "cuinstrument: wmma has no such shape, or not on the CPU backend");
  using A = fragment<matrix_a, m, n, k, In, LayoutA>;
  using B = fragment<matrix_b, m, n, k, In, LayoutB>;
  using FragmentC = fragment<accumulator, m, n, k, C>;
  using FragmentD = fragment<accumulator, m, n, k, D>;
  cui_detail::Operands<A, B, FragmentC, FragmentD> own = {&a, &b, &c, &d, saturate};
  cuiWarpTogether(~0u, cui_detail::multiply<m, n, k, cui_detail::Element<In>, A, B, FragmentC, FragmentD>,
                  &own);
}

/// Rounds to nearest, ties away from zero.
__device__ inline float __float_to_tf32(float value) {
  unsigned int bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7f800000u) != 0x7f800000u) bits = (bits + 0x1000u) & ~0x1fffu;
  __builtin_memcpy(&value, &bits, sizeof bits);
  return value;
}

}  // namespace wmma
}  // namespace nvcuda
