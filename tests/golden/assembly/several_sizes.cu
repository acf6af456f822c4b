// Assembly that accesses as many bytes as an operand says, or as the address points to: a template with several
// sizes, a macro with several types. What nothing in the source says is a row.
// expect: "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(CUI_ASSEMBLY_SHARED(0, (N), 0, to)), "l"(CUI_ASSEMBLY(1, (N), 0, from)), "n"(N)
// expect: CUI_ASSEMBLY_TIMES_SHARED(2, (sizeof(T)), 0, (static_cast<int>(go) != 0), to)
// expect: CUI_ASSEMBLY(5, 4, 0, from)
// expect: "l"(CUI_MACRO_ASSEMBLY(6, (sizeof(*(to))), 4, to)), constraint(value)
// expect: "its size or place differs between instantiations"
template <int N> __device__ void copy(unsigned to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(N));
}
template <class T> __device__ void copyOne(unsigned to, const T* from, int go) {
  asm volatile("{.reg .pred p; setp.ne.s32 p, %3, 0; @p cp.async.ca.shared.global [%0], [%1], %2;}" ::"r"(to), "l"(from), "n"(sizeof(T)), "r"(go));
}
template <int N> __device__ void copySame(unsigned to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(4 * N));
}

#define FETCH_ADD(type, suffix, constraint)                                                    \
  __device__ inline type fetchAdd(type* to, type value) {                                      \
    type old;                                                                                  \
    asm volatile("atom.add.global.relaxed.gpu." suffix " %0, [%1 + 4], %2;"                    \
                 : "=" constraint(old)                                                         \
                 : "l"(to), constraint(value)                                                  \
                 : "memory");                                                                  \
    return old;                                                                                \
  }
FETCH_ADD(float, "f32", "f")
FETCH_ADD(double, "f64", "d")

#define LOAD_BYTES(name, suffix, type, constraint)                                           \
  __device__ inline type name(const void* from) {                                            \
    type value;                                                                              \
    asm volatile("ld.global." suffix " %0, [%1];" : "=" constraint(value) : "l"(from));     \
    return value;                                                                            \
  }
LOAD_BYTES(loadFloat, "f32", float, "f")
LOAD_BYTES(loadDouble, "f64", double, "d")

__global__ void sizes(float* p, double* q) {
  extern __shared__ float room[];
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(room));
  copy<4>(to, p);
  copy<16>(to, p);
  copyOne(to, p, 1);
  copyOne(to, q, 1);
  copySame<1>(to, p);
  fetchAdd(p, loadFloat(p));
  fetchAdd(q, loadDouble(q));
}
