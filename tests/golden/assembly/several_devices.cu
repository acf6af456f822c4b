// Instructions on memory that several devices share, and bulk copies to several blocks and to where they are added up: what has
// an address of its own is recorded.
// standard: 17 20
// expect: "l"(CUI_ASSEMBLY(#, 4, 0, p))
// expect: "l"(CUI_ASSEMBLY(#, 16, 16, sums))
// expect: "l"(CUI_ASSEMBLY(#, 16, 0, sums + 8))
// expect: atomic, global, instrumented, 4, 0, "several", "asm multimem.red.release.sys.global.add.u32", "p"
// expect: "to the shared memory of several blocks"
// expect: atomic, global, instrumented, 0, 0, "blocks", "asm cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32", "p"
__global__ void several(unsigned* p, float* sums) {
  float x, y, z, w;
  asm volatile("multimem.red.release.sys.global.add.u32 [%0], %1;" ::"l"(p), "r"(1) : "memory");
  asm volatile("multimem.ld_reduce.weak.global.add.v4.f32 {%0, %1, %2, %3}, [%4 + 16];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(sums));
  asm volatile("multimem.st.weak.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(sums + 8), "f"(x), "f"(y), "f"(z), "f"(w));
}
__global__ void blocks(unsigned* p, unsigned at, int bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(p), "r"(at), "r"(bytes));
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 16, [%0], %2;" ::"r"(at), "l"(p), "h"((short)3));
}
