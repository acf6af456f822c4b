// Accesses of consecutive statements of a block share a call, up to three: nothing that the statements in front do
// changes the place, and no other code runs in between. A statement's own accesses stay together.
// expect: CUI_TOGETHER((#, values[i], #, values[i + distance]), values[i] = high);
// expect-not: CUI_ACCESS(#, values[
// expect: int low = CUI_TOGETHER((#, values[i], #, values[i + distance]), values[i]), high = values[i + distance];
// expect: CUI_TOGETHER((#, s.vx[i], #, s.vy[i], #, s.vz[i]), s.vx[i] += ax * dt);
// expect: CUI_TOGETHER((#, s.in[i], #, s.out[i]), s.out[i] = s.in[i]);
// expect: CUI_TOGETHER((#, s.in[i + 1], #, s.out[i + 1]), s.out[i + 1] = s.in[i + 1]);
// expect: CUI_TOGETHER((#, s.in[i], #, s.out[i], #, s.x[i]), s.out[i] = s.in[i]);
// expect: CUI_TOGETHER((#, a[0], #, a[1]), CUI_TOGETHER((#, a[2], #, a[3]), sum = a[0] + a[1] + a[2] + a[3]));
// What is assigned to or declared in between is in none of the places.
// expect: float t = CUI_TOGETHER((#, a[i], #, b[i], #, c[i]), a[i]);
// expect: CUI_TOGETHER((#, g[i], #, a[i + 1], #, b[i + 1]), g[i] = p);
// Behind a comment, an empty statement, on one line.
// expect: CUI_TOGETHER((#, a[0], #, b[0], #, c[0]), a[0] = 1);  // the first
// Several lines are one here.
// expect: CUI_TOGETHER((#, a[i], #, b[i + n]), a[i] = 1);
// What is not always made, or has a place that is itself loaded, stays; before it loads of the last statement are taken
// forward.
// expect: CUI_TOGETHER((#, a[i], #, index[i], #, b[i]), a[i] = 1);
// expect: CUI_ACCESS(#, c[index[i]]) = b[i];
// expect: CUI_TOGETHER((#, a[i], #, b[i + 1]), a[i] = 2);
// expect: t = b[i + 1] > 0 ? CUI_ACCESS(#, c[i]) : 0;
// What is constant stays what it is, whoever has its address; so does what a reference is bound to.
// expect: CUI_TOGETHER((#, there[i], #, a[fixed], #, there[fixed]), there[i] = 1);
// expect: CUI_TOGETHER((#, first, #, r.other, #, r.other), first = 1);
// Where an array or an object in memory is does not change with what is in it.
// expect: CUI_TOGETHER((#, tile[i], #, tile[i + 1], #, point.x), tile[i] = 1);
// expect: CUI_TOGETHER((#, point.v[i], #, first, #, first), point.v[i] = 3);
// Templates: where it is right for all instances.
// expect: CUI_TOGETHER((#, a[i], #, b[i]), a[i] = 1);  // of all
// expect: CUI_TOGETHER((#, other[k], #, other[k + N]), other[k] = 1);
// In a kernel.
// expect: CUI_TOGETHER((#, values[mixed], #, values[mixed ^ 1]), values[mixed] = 1);
struct Arrays { const float* in; float *out, *x, *vx, *vy, *vz; };
__device__ void exchange(int* values, int i, int distance, bool ascending) {
  const int low = values[i], high = values[i + distance];
  if (ascending) {
    values[i] = high;
    values[i + distance] = low;
  }
}
__device__ void arrays(Arrays s, int i, float ax, float ay, float az, float dt) {
  s.vx[i] += ax * dt;
  s.vy[i] += ay * dt;
  s.vz[i] += az * dt;
  s.out[i] = s.in[i];
  s.out[i + 1] = s.in[i + 1];
  if (i > 4) {
    s.out[i] = s.in[i];
    s.x[i] = 1;
  }
}
__device__ float several(float* a, float* b, float* c, const int* index, const float4* f, float4* g, int i, int n) {
  float sum;
  sum = a[0] + a[1] + a[2] + a[3];
  a[4] = sum;
  float4 p = f[i];
  p.x += 1;
  float t = a[i];
  float u = b[i], v = t * u;
  c[i] = v;
  g[i] = p;
  n = 1;
  sum = a[i + 1];
  n = i;
  float w;
  w = sqrtf(sum);
  b[i + 1] = w;
  if (n > 1) {
    a[0] = 1;  // the first
    ;          /* nothing */
    b[0] = 2; c[0] = 3;
  }
  if (n > 2) {
    a[i] = 1;
    b[i +
      n] = 2;
  }
  if (n > 3) {
    a[i] = 1;
    c[index[i]] = b[i];
  }
  if (n > 4) {
    a[i] = 2;
    t = b[i + 1] > 0 ? c[i] : 0;
  }
  return sum + t;
}
struct Point { float x, v[3]; };
__device__ void objects(float& first, int i) {
  __shared__ float tile[32];
  __shared__ Point point;
  tile[i] = 1;
  tile[i + 1] = 2;
  point.x = 2;
  point.v[i] = 3;
  first = 4;
  first += 5;
}
__device__ void constants(int* a, int n, int i) {
  const int fixed = i + 1;
  int* there = n > 3 ? const_cast<int*>(&fixed) : a;
  there[i] = 1;
  a[fixed] = 2;
  there[fixed] = 3;
}
struct Reference { float& other; };
__device__ void references(float& first, Reference r) {
  first = 1;
  r.other = 2;
  r.other += 3;
}
template <class T>
__device__ void both(T* a, T* b, int i) {
  a[i] = 1;  // of all
  b[i] = 2;
}
template <class T, int N>
struct Block {
  T* data;
  __device__ void set(T* other, int k) {
    other[k] = 1;
    other[k + N] = 2;
  }
};
__global__ void all(float* x, double* y, int* values) {
  exchange(values, threadIdx.x, 1, true);
  arrays({x, x, x, x, x, x}, 1, 2, 3, 4, 5);
  several(x, x, x, values, reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(x), 1, 1);
  both(x, x + 1, 0);
  both(y, y + 1, 0);
  Block<float, 4>{x}.set(x, 1);
  Block<double, 8>{y}.set(y, 1);
  const unsigned mixed = threadIdx.x * 7 % 32;
  if (mixed > 3) {
    values[mixed] = 1;
    values[mixed ^ 1] = 2;
  }
}
