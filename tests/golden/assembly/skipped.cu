// What cannot be recorded of inline assembly is said: computed predicates and addresses, tiles, branches.
// expect: "its predicate is computed in the assembly"
// expect: "its address is computed in the assembly"
// expect: "a tile: many addresses in one instruction"
// expect: "the assembly has branches"
// expect: "its address is also an output"
// expect: "a barrier object in shared memory"
// expect: "an address in the constant window"
// expect: "a tensor copy: its addresses are in the tensor's map"
// expect: "to the shared memory of several blocks"
// expect-not: "asm cp.async.bulk.prefetch
// expect: "a tensor's map: where its fields lie is not told"
// expect-not: "asm prefetch
// expect-not: "asm fence
// expect-not: uid
// expect: "a macro's argument that is used several times"
#define ADD_TWICE(p) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p), "r"((p)[1]))
template <int dimension> __device__ void resize(unsigned map, int size) {  // of sm_90a; nothing calls it
  asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(map), "r"(size));
}
__global__ void skipped(int* p, unsigned at, int go) {
  int x = 0, y = 0;
  asm volatile("{.reg .pred ok; setp.ne.s32 ok, %2, 0; and.pred ok, ok, ok; @ok ld.global.s32 %0, [%1];}" : "+r"(x) : "l"(p), "r"(go));
  asm volatile("{.reg .u64 t; add.u64 t, %1, 8; ld.global.s32 %0, [t];}" : "=r"(y) : "l"(p));
  asm volatile("wmma.load.a.sync.aligned.row.m8n8k32.shared.s4 {%0}, [%1];" : "=r"(x) : "r"(at));
  asm volatile("{.reg .pred q; again: atom.global.cas.b32 %0, [%1], 0, 1; setp.ne.s32 q, %0, 0; @q bra again;}"
               : "=r"(y) : "l"(p));
  int* walk = p;
  asm volatile("ld.global.s32 %0, [%1]; add.u64 %1, %1, 4;" : "=r"(x), "+l"(walk));
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at));
  asm volatile("ld.const.s32 %0, [%1];" : "=r"(y) : "l"(0ll));
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], 16;" ::"l"(p));
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(p), "r"(go), "r"(at));
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 16, [%0], %2;" ::"r"(at), "l"(p), "h"((short)3));
  asm volatile("{.reg .pred q; wait_%=: mbarrier.try_wait.parity.shared::cta.b64 q, [%0], 1; @q bra done_%=; bra wait_%=; done_%=: }" ::"r"(at));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(p));
  asm volatile("membar.gl; // [%0] is only a comment");
  ADD_TWICE(p);
  p[0] = x + y;
}
