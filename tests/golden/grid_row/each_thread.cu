// What each thread has to see to for itself: it comes there by a way of its own, its place follows no rule, or
// what it needs is not to be had any more.
// expect-not: CUI_BY_ROW((#, (), ((
// expect-not: (true)), (#, b[
// expect: (#, a[i]), a[i]) > 0) CUI_ACCESS(#, b[i]) = 5;
__global__ void ways(const int* a, int* b, int n, unsigned count, unsigned offset, int times) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i != n) b[i] = 1;                    // not all between two for which it holds
  if (i == n) b[i] = 2;                    // one thread
  if (i < n || i > 2 * n) b[i] = 3;
  if (threadIdx.x - offset > 0) b[i] = 4;  // of unsigned numbers also those below zero
  if (a[i] > 0) b[i] = 5;                  // but for the load
  if (i % 2 < 1) b[i] = 6;
  if (i < n) {
    switch (n) {
      case 1:
        b[i] = 7;
    }
  }
  for (int k = i; k < n; k += count) {
    b[k] = a[k];
    __syncthreads();
  }
  while (times-- > 0) {
    b[i] = 9;
    __syncthreads();
  }
  if (i < times) b[i] = 8;  // it was another number then
  for (int k = 0; k < 8; ++k)
    if (a[k] < i) return;
  b[i] = 10;
}

__global__ void places(const int* a, int* b, int* const* rows, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = i, k = 0, m = n;
  if (a[i] > 0) ++k;  // CUI_ACCESS
  for (int step = 0; step < i; ++step) m += 2;
  ++j;
  const int& same = i;
  b[i * i] = 1;
  b[i / 2] = 1;
  b[j] = 1;
  b[k] = 1;
  b[m] = 1;
  b[same] = 1;
  const short narrow = i;
  b[narrow] = 1;
  int last = n;
  const int to = i + last;
  last += 2;
  b[to] = 1;  // `last` is another number now
}

__global__ void names(int* b, int n) {
  const int i = threadIdx.x;
  const int at = i + 1;
  {
    const int i = 7;
    b[at] = i;
  }
  const auto inLambda = [=] { b[i] = 1; };
  inLambda();
  b[i] = 3;
again:
  ++n;
  b[i] = 2;
  if (--n > 0) goto again;
}

__device__ void function(int* b) { b[threadIdx.x] = 1; }
__global__ void calls(int* b) { function(b); }
