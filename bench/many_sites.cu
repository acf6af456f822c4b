// A kernel of many sites, whose addresses follow no rule: 20 accesses of tables in a loop that is unrolled 13
// times, as ciphers have them. More sites than one plane has entries for (device_state.h), and, unrolled,
// about as many as make the rewriter choose calls for all of a file's sites. On a machine with a GPU:
//
//   cuinstrument nvcc -O3 -arch=sm_90 bench/many_sites.cu -o many_sites
//   CUINSTRUMENT=off ./many_sites; CUINSTRUMENT_MODE=profile ./many_sites; ./many_sites
//
// prints the median time of seven launches, in microseconds, and exits 1 if one fails.
#include <algorithm>
#include <cstdio>
#include <vector>

__constant__ unsigned keys[64];

struct Tables {
  const unsigned* of[4];
};

__global__ void cipher(Tables tables, unsigned* out, unsigned count) {
  const unsigned *t0 = tables.of[0], *t1 = tables.of[1], *t2 = tables.of[2], *t3 = tables.of[3];
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    unsigned s0 = i, s1 = i * 3, s2 = i * 5, s3 = i * 7;
#pragma unroll
    for (int r = 1; r <= 13; ++r) {
      const unsigned* const key = keys + 4 * r;
      const unsigned a = t0[s0 & 255] ^ t1[(s1 >> 8) & 255] ^ t2[(s2 >> 16) & 255] ^ t3[s3 >> 24] ^ key[0];
      const unsigned b = t0[s1 & 255] ^ t1[(s2 >> 8) & 255] ^ t2[(s3 >> 16) & 255] ^ t3[s0 >> 24] ^ key[1];
      const unsigned c = t0[s2 & 255] ^ t1[(s3 >> 8) & 255] ^ t2[(s0 >> 16) & 255] ^ t3[s1 >> 24] ^ key[2];
      const unsigned d = t0[s3 & 255] ^ t1[(s0 >> 8) & 255] ^ t2[(s1 >> 16) & 255] ^ t3[s2 >> 24] ^ key[3];
      s0 = a, s1 = b, s2 = c, s3 = d;
    }
    out[i] = s0 ^ s1 ^ s2 ^ s3;
  }
}

int main() {
  constexpr unsigned count = 1u << 17;
  unsigned *tables = nullptr, *out = nullptr;
  cudaMalloc(&tables, 4 * 256 * sizeof(unsigned));
  cudaMalloc(&out, count * sizeof(unsigned));
  std::vector<unsigned> host(4 * 256);
  for (unsigned i = 0; i < host.size(); ++i) host[i] = i * 2654435761u;
  cudaMemcpy(tables, host.data(), host.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(keys, host.data(), sizeof keys);
  const Tables all = {{tables, tables + 256, tables + 512, tables + 768}};
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times(7);
  for (float& time : times) {
    cudaEventRecord(begin);
    cipher<<<count / 256, 256>>>(all, out, count);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&time, begin, end);
  }
  std::sort(times.begin(), times.end());
  std::printf("%.1f\n", static_cast<double>(times[3]) * 1000);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
