// standard: 17 20
// Statements that share no call: the place changes, or may, on the way, other code runs in between, or it is not shown
// that the later access is made whenever the first is. Each `a[i]` would begin a group.
// expect-not: CUI_TOGETHER
// expect: CUI_ACCESS(#, a[i]) = 1, CUI_ACCESS(#, b[i]) = 2;
#define SET(p, v) (p) = (v)
#define NOTHING
__device__ int global;
__device__ void wait();
__device__ float user(float x) { return x; }
struct Own {
  int at;
  float* p;
  __device__ void change() { at = 1; }
};
struct Bits { int low : 4, high : 4; };
__device__ void changed(float* a, float* b, Own own, int i, int j, float* p) {
  a[i] = 1;
  j = 2;
  b[j] = 1;
  wait();
  a[i] = 1;
  ++j;
  b[j] = 1;
  wait();
  a[j = 1] = 1;
  b[j] = 1;
  wait();
  const int k = a[i];
  b[k] = 1;
  wait();
  const float *q = a + (a[i] > 0), t = q[i];
  wait();
  a[i] = 1;
  p = b;
  p[i] = 1;
  wait();
  a[i] = 1;
  p += 4;
  *p = 1;
  wait();
  a[i] = 1;
  own.at = 3;
  b[own.at] = 1;
  wait();
  a[i] = 1;
  own.p = a;
  own.p[i] = 1;
  wait();
  j = a[i];
  b[j] = 1;
}
// One object under another name.
union Either {
  int i, v[2];
};
__device__ void unions(float* a, float* b, Either e, int i) {
  e.v[0] = a[i];
  b[e.i] = 1;
}
// Somebody has its address: who knows where the first store goes.
__device__ void known(int* a, int* b, int i, int n) {
  int at = i, in = i;
  int* there = n > 3 ? a : &at;
  int& other = in;
  there[i] = 1;
  a[at] = 2;
  wait();
  a[i] = 1;
  a[other] = 2;
  wait();
  a[i] = 1;
  a[in] = 2;
  Own own{1, nullptr};
  own.change();
  a[i] = 1;
  b[own.at] = 2;
  auto inside = [&](int k) {
    a[k] = 1;
    b[n] = 2;
  };
  inside(1);
}
__device__ void between(float* a, float* b, int i, volatile float* v, float* w) {
  a[i] = 1;
  wait();
  b[i] = 2;
  a[i] = user(2);
  b[i] = 2;
  wait();
  a[i] = 1;
  __syncthreads();
  b[i] = 2;
  __syncwarp();
  a[i] = 1;
  asm volatile("" ::: "memory");
  b[i] = 2;
  wait();
  a[i] = 1;
  v[i] = 2;
  b[i] = 2;
  wait();
  a[i] = __shfl_sync(~0u, i, 1);
  b[i] = 2;
  wait();
  a[i] = 1;
  if (i > 3) i = 4;
  b[i] = 2;
  wait();
  a[i] = 1;
  for (int k = 0; k < i; ++k) i += k;
  b[i] = 2;
  wait();
  a[i] = 1;
  atomicAdd(w, 1.0f);
  b[i] = 2;
  wait();
  a[i] = 1;
  if (i > 4) b[i] = 2;
  wait();
  a[i] = 1;
  if (i > 4) __trap();
  b[i] = 2;
  wait();
  a[i] = 1;
  static int kept = 2;
  b[i] = 2;
  wait();
  a[i] = 1;
  struct Local { int x; };
  b[i] = 2;
  wait();
  a[i] = 1;
  float& r = b[i];
  r = 2;
}
__device__ void order(float* a, float* b, const int* index, int i) {
  a[index[i]] = 1;
  b[i] = 2;
  wait();
  const float t = i > 2 ? a[i] : 0;
  b[i] = t;
  wait();
  a[i] = 1, b[i] = 2;
}
__device__ void texts(float* a, float* b, int i) {
  SET(a[i], 1);
  b[i] = 2;
  wait();
  a[i] = 1;
  SET(b[i], 1);
  wait();
  a[i] = 1;
  NOTHING
  b[i] = 2;
  wait();
  a[i] = 1;
#if defined(SOME_CHOICE)
  i = 3;
#endif
  b[i] = 2;
  wait();
  a[i] = 1;
#define MORE
  b[i] = 2;
  wait();
  a[i] =
#ifdef SOME_CHOICE
      ++
#endif
      i;
  b[i] = 2;
}
__device__ void blocks(float* a, float* b, int i, int n) {
  a[i] = 1;
  { b[i] = 2; }
  {
    a[i] = 1;
  }
  b[i] = 2;
  wait();
  if (n > 1)
    a[i] = 1;
  b[i] = 2;
  wait();
  while (n > 1)
    a[n--] = 1;
  b[i] = 2;
  wait();
  if (i == 2) goto end;
  a[i] = 1;
end:
  b[i] = 2;
  switch (n) {
    case 1:
      a[i] = 1;
    case 2:
      b[i] = 2;
      break;
    default:
      a[i] = 3;
  }
}
__device__ void objects(Bits* a, float (*arrays)[2], float* b, int i) {
  a[i].low = 1;
  b[i] = 2;
  wait();
  b[i] = 1;
  a[i].high = 2;
  wait();
  auto [x, y] = arrays[i];
  b[i] = x;
}
// In another instance it is no such access, calls something, or changes the place.
struct Checked {
  float* data;
  __device__ float& operator[](int i) const { return data[i < 0 ? 0 : i]; }
};
struct Count {
  int n;
  __device__ operator int() const { return n; }
  __device__ Count& operator=(int) { return *this; }
};
template <class A>
__device__ void of(A a, float* b, int i) {
  a[i] = 1;
  b[i] = 2;
}
template <class A>
__device__ void second(float* a, A b, int i) {
  a[i] = 1;
  b[i] = 2;
}
template <class T>
__device__ void middle(float* a, float* b, T n, int i) {
  a[i] = 1;
  n = 1;
  b[i] = 2;
}
template <bool Is>
__device__ void chosen(float* a, float* b, int i) {
  a[i] = 1;
  if constexpr (Is) i = 2;
  b[i] = 2;
}
template <class T>
__device__ void unused(T* a, T* b, int i) {
  a[i] = 1;
  b[i] = 2;
}
constexpr __device__ void constant(float* a, float* b, int i) {
  a[i] = 1;
  b[i] = 2;
}
__global__ void all(float* a, Checked c) {
  of(a, a, 1);
  of(c, a, 1);
  second(a, a, 1);
  second(a, c, 1);
  middle(a, a, 1, 1);
  middle(a, a, Count{1}, 1);
  chosen<true>(a, a, 1);
  chosen<false>(a, a, 1);
  constant(a, a, 1);
}
// Which lanes come there, numbers in memory decide.
__device__ void someLanes(float* a, float* b, int i, float limit) {
  const float low = a[i];
  wait();
  const float high = b[i];
  const bool swaps = low > high;
  if (swaps) {
    a[i] = high;
    b[i] = low;
  }
  if (limit < high) {
    a[i] = 1;
    b[i] = 2;
  }
  if (a[i] < 1) {
    a[i] = 1;
    b[i] = 2;
  }
}
