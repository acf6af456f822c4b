// Barriers in memory (mbarrier), bulk copies that they wait for, named barriers at which some threads only arrive, and
// threads that end in inline assembly.
#include "check.h"

constexpr int side = 32;

__device__ unsigned windowed(const void* shared) {
  return (unsigned)__cvta_generic_to_shared(shared);
}

// Two blocks of numbers, one after the other into the same array: each is 32 arrivals and 128 bytes of a copy.
__global__ void phases(const unsigned* in, unsigned* out) {
  __shared__ alignas(128) unsigned tile[side];
  __shared__ unsigned long long arrived;
  const unsigned object = windowed(&arrived);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(object), "r"(blockDim.x) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned phase = 0; phase < 2; ++phase) {
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(object), "r"(128) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" ::"r"(windowed(tile)), "l"(in + phase * side), "r"(object)
                   : "memory");
    } else {
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(object) : "memory");
    }
    asm volatile(
        "{\n\t.reg .pred done;\n"
        "again:\n\tmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t@!done bra again;\n\t}" ::"r"(object),
        "r"(phase)
        : "memory");
    sum += tile[side - 1 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// The second warp writes and goes on, the first waits for it; barrier 2 the other way round.
__global__ void named(unsigned* out) {
  __shared__ unsigned given[side], taken[side];
  const unsigned lane = threadIdx.x % side;
  if (threadIdx.x >= side) {
    given[lane] = lane + 7;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[lane] = taken[side - 1 - lane];
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    taken[lane] = 2 * given[side - 1 - lane];
    asm volatile("bar.arrive 2, 64;" ::: "memory");
  }
}

// Half of the threads end before the barrier, which is then one of the others.
__global__ void ended(unsigned* out) {
  if (threadIdx.x % 2 != 0) asm volatile("exit;");
  __syncthreads();
  out[threadIdx.x] = 5;
}

int main() {
  unsigned *in, *out;
  CUDA_CHECK(cudaMallocManaged(&in, 2 * side * sizeof *in));
  CUDA_CHECK(cudaMallocManaged(&out, 2 * side * sizeof *out));
  for (unsigned i = 0; i < 2 * side; ++i) in[i] = i * i, out[i] = 0;

  phases<<<1, side>>>(in, out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < side; ++i) EXPECT(out[i] == in[side - 1 - i] + in[2 * side - 1 - i]);

  named<<<1, 2 * side>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < side; ++i) EXPECT(out[i] == 2 * (i + 7));

  for (unsigned i = 0; i < 2 * side; ++i) out[i] = 0;
  ended<<<2, 2 * side>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 2 * side; ++i) EXPECT(out[i] == (i % 2 == 0 ? 5u : 0u));
  return verdict();
}
