// No part of a loop is told in front of it where not every time round makes the access, or how often that is differs
// from thread to thread, or where what is called may change a variable; in two times round nothing is gained.
// expect-not: CUI_PART_OF_LOOP
__device__ int last(const int* a, int n) { return a[n]; }
__device__ bool decides(int k) { return k * k % 3 == 1; }
__device__ void advance(int* i) { ++*i; }
__device__ void called(int* out, const int* index, int n) {
  for (int k = 0; k < n; ++k) out[index[k]] = k;
}
__global__ void refused(int* out, const int* index, int n, int which) {
  for (int k = 0; k < n; ++k) { out[k] = 1; if (decides(k)) break; }
  for (int k = 0; k < n; ++k) { if (decides(k)) continue; out[k] = 1; }
  for (int k = 0; k < n; ++k) { if (decides(k)) return; out[k] = 1; }
  for (int k = 0; k < n; ++k) if (decides(k)) out[k] = 1;
  for (int k = 0; k < n; ++k) switch (last(out, k)) { case 0: out[k] = 1; }
  for (int k = 0; k < 2; ++k) out[index[k]] = 1;
  for (int k = 0; k < index[0]; ++k) out[index[k]] = 1;
  for (int k = threadIdx.x; k < n; ++k) out[index[k]] = 1;
  for (int k = 0; k < (int)threadIdx.x; k += 4) out[index[k]] = 1;
  int i = threadIdx.x;
  auto next = [&i] { ++i; };
  for (int k = 0; k < n; ++k) { out[i] = 1; next(); }
  int j = threadIdx.x, *other = &j;
  for (int k = 0; k < n; ++k) { out[j] = 1; advance(other); }
  for (int k = 0; k < n; ++k) out[index[k] + [k] { return k; }()] = 1;
  which = last(index, n);
  for (int k = 0; k < which; ++k) out[k] = 1;
}
