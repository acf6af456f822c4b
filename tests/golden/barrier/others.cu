// Barriers whose threads the trace does not know are said: those of cuda::barrier, of a pipeline, and in inline
// assembly. A thread's own, a warp's, and an arrival that waits for nobody, order
// nothing between warps.
// expect:   full.arrive_and_wait();
// expect:   full.wait(std::move(token));
// expect:   asm volatile("bar.sync 1, 64;" ::: "memory");
// expect: "full.arrive_and_wait()", "", "", "", "", "", "barrier: of threads that only run time knows"
// expect: "pipe.consumer_wait()", "", "", "", "", "", "barrier: of threads that only run time knows"
// expect: "asm", "", "", "", "", "", "barrier: in inline assembly"
// expect-not: CUI_BARRIER
// expect-not: "token = full.arrive()"
// expect-not: "own.consumer_wait()"
// cpu: no, the library's
// standard: 17
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>
__device__ void meet(cuda::barrier<cuda::thread_scope_block>& full,
                     cuda::pipeline<cuda::thread_scope_block>& pipe,
                     cuda::pipeline<cuda::thread_scope_thread>& own) {
  auto token = full.arrive();
  full.wait(std::move(token));
  full.arrive_and_wait();
  pipe.consumer_wait();
  own.consumer_wait();
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  asm volatile("bar.sync 1, 64;" ::: "memory");
}
