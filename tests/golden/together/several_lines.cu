// Accesses whose text goes over several lines are recorded together like others: there they stand on one line.
// expect: (#, in[i * n + 1], #, in[i], #, out[i]), out[i] = in[i *
// expect: return CUI_TOGETHER((#, in[i + 1], #, in[i + 2]), in[i +
__device__ float two(const float* in, int i) {
  return in[i +  // the next
            1] *
         in[i + 2];
}
__global__ void several_lines(float* out, const float* in, int n) {
  const int i = threadIdx.x;
  out[i] = in[i *
                  n +
              1] +
           in[i];
  out[i + 1] = two(in, i);
}
