// Predicated instructions whose predicate an operand decides, copies that may read less than they write, and bulk copies: the
// address is recorded so often, or so many bytes of it, as a copy of the other operand says.
// expect: "l"(CUI_ASSEMBLY_TIMES(#, 16, 0, (static_cast<unsigned int>((int)guard) != 0), p)), "r"((int)guard)
// expect: "r"(CUI_ASSEMBLY_TIMES_SHARED(#, 4, 8, (!(static_cast<int>(n - i) <= 2)), at)), "r"(n - i)
// expect: "r"(CUI_ASSEMBLY_SHARED(#, 16, 0, at)), "l"(CUI_ASSEMBLY_TIMES(#, 1, 0, (guard ? 16 : 0), CUI_ACCESS(#, source[i]))), "r"(guard ? 16 : 0)
// expect: "r"(CUI_ASSEMBLY_TIMES_SHARED(#, 1, 0, (bytes), at)), "l"(CUI_ASSEMBLY_TIMES(#, 1, 0, (bytes), p)), "r"(bytes)
// expect: "l"(CUI_ASSEMBLY_TIMES(#, 1, 0, (static_cast<int>(threadIdx.x) == 0 ? 256 : 0), p))
// expect: "l"(CUI_ASSEMBLY_TIMES(#, 4, 0, (static_cast<unsigned int>(N) != 0), q))
// expect: load, global, instrumented, 16, 0, "predicated", "asm ld.global.nc.v4.u32", "p"
// expect: store, global, instrumented, 256, 0, "predicated", "asm cp.async.bulk.global.shared::cta.bulk_group", "p"
// expect: "its predicate is no plain value"
// expect: "its size is no plain value"
// expect: STORE_IF(CUI_ASSEMBLY_TIMES(#, 4, 0, (static_cast<unsigned int>(n) != 0), CUI_ACCESS(#, q[i])), n);
// expect: STORE_TWICE_IF(CUI_ASSEMBLY_TIMES(#, 4, 0, (static_cast<unsigned int>(n - i) != 0), p), n - i);
// Partly in a macro's text, as it would be called in front of the macro, or in that text; not if it names what the macro itself has.
// expect: STORE_FIRST_IF(guard) STORE_IF(CUI_MACRO_ASSEMBLY_TIMES(#, 4, 0, (static_cast<unsigned int>(guard) != 0), p), guard)
// expect: STORE_UNLESS(CUI_ASSEMBLY_TIMES(#, 4, 0, (static_cast<unsigned int>(~(i)) != 0), p + n), i);
// expect: "l"(CUI_MACRO_ASSEMBLY_TIMES(#, 4, 0, (static_cast<unsigned int>((int)(guard)) != 0), (p) + (i))), "r"((int)(guard)))
// expect: COPY_IF(CUI_ASSEMBLY_TIMES_SHARED(#, 16, 0, (static_cast<unsigned int>((int)(i < n)) != 0), at), CUI_ASSEMBLY_TIMES(#, 16, 0, (static_cast<unsigned int>((int)(i < n)) != 0), CUI_ACCESS(#, source[i])), 16, i < n);
// expect: COPY_LINE_IF(CUI_ASSEMBLY_TIMES_SHARED(#, 16, 0, (static_cast<unsigned int>((int)((i < n || n == 2) && COPIES)) != 0), at), CUI_ASSEMBLY_TIMES(#, 16, 0, (static_cast<unsigned int>((int)((i < n || n == 2) && COPIES)) != 0), p), i < n ||
// expect: STORE_ODD(CUI_ACCESS(#, q[i]), n);
// expect: "a predicate or size in a macro's text"
#define STORE_IF(p, guard)                                                                                   \
  asm volatile("{.reg .pred go; setp.ne.b32 go, %1, 0; @go st.global.u32 [%0], 1;}" ::"l"(p), "r"(guard))
#define STORE_TWICE_IF(p, guard) STORE_IF(p, guard)
#define STORE_FIRST_IF(guard) STORE_IF(p, guard)
#define STORE_UNLESS(p, guard) STORE_IF(p, ~(guard))
#define STORE_AT(p, i, guard)                                                                                \
  asm volatile("{.reg .pred go; setp.ne.b32 go, %1, 0; @go st.global.u32 [%0], 1;}" ::"l"((p) + (i)), "r"((int)(guard)))
// As products of matrices have it.
#define COPY_IF(to, from, bytes, guard)                                                                      \
  asm volatile(                                                                                              \
      "{.reg .pred p;\n"                                                                                     \
      " setp.ne.b32 p, %3, 0;\n"                                                                             \
      " @p cp.async.cg.shared.global.L2::128B [%0], [%1], %2; }\n" ::"r"(to),                                \
      "l"(from), "n"(bytes), "r"((int)(guard)))
#define COPY_LINE_IF(to, from, guard) COPY_IF(to, from, 16, (guard) && COPIES)
#define COPIES 3
// What the macro calls so is not known where its arguments stand.
#define STORE_ODD(p, n)               \
  {                                   \
    const int odd = (n) & 1;          \
    STORE_IF(p, odd | (n));           \
  }

template <int N>
__device__ void copy(unsigned* q) {
  asm volatile("{.reg .pred go; setp.ne.b32 go, %1, 0; @go red.global.add.u32 [%0], 1;}" ::"l"(q), "n"(N));
}
__global__ void predicated(unsigned* p, const float** source, const int* flags, int n, unsigned bytes,
                           unsigned** q) {
  __shared__ alignas(128) unsigned tile[64];
  __shared__ unsigned long long arrived;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  const unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(&arrived));
  const int i = threadIdx.x;
  const bool guard = i < n;
  unsigned x = 0, y = 0, z = 0, w = 0;
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %5, 0;\n\t@p ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];\n\t}"
               : "+r"(x), "+r"(y), "+r"(z), "+r"(w)
               : "l"(p), "r"((int)guard));
  asm volatile("{.reg .pred late; setp.le.s32 late, %1, 2; @!late st.shared.u32 [%0+8], 1;}" ::"r"(at), "r"(n - i));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(source[i]), "r"(guard ? 16 : 0));
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at), "l"(p), "r"(bytes), "r"(bar)
               : "memory");
  asm volatile("{.reg .pred one; setp.eq.s32 one, %2, 0;\n"
               "@one cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;}" ::"l"(p), "r"(at), "r"(threadIdx.x));
  asm volatile("{.reg .pred go; setp.ne.b32 go, %1, 0; @go st.global.u32 [%0], 1;}" ::"l"(p), "r"(flags[i]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(p), "r"(flags[i]));
  STORE_IF(q[i], n);
  STORE_TWICE_IF(p, n - i);
  STORE_FIRST_IF(n);
  STORE_UNLESS(p, n);
  STORE_UNLESS(p + n, i);
  STORE_AT(p, i, i < n);
  STORE_AT(p, n, guard);
  COPY_IF(at, source[i], 16, i < n);
  COPY_LINE_IF(at, p, i < n ||
               n == 2);
  STORE_ODD(q[i], n);
  copy<3>(p);
  p[0] = x + y + z + w + tile[0];
}
#undef STORE_IF
#undef STORE_TWICE_IF
#undef STORE_FIRST_IF
#undef STORE_UNLESS
#undef STORE_AT
#undef STORE_ODD
#undef COPY_IF
#undef COPY_LINE_IF
#undef COPIES
