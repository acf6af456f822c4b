// Parameters that lead to an array or a variable of the thread's own, whoever calls the function, and those that do not.
// expect: state[0] += state[1];
// expect: CUI_ACCESS(#, p[0]) *= 2;
// expect: for (int i = 0; i < N; ++i) x[i] = -x[i];
// expect: CUI_ACCESS(#, *to) += value;
// expect: CUI_ACCESS(#, p[1]) = 1;
// expect: ++p, CUI_ACCESS(#, p[0]) = 3;
// expect: CUI_ACCESS(#, p[2]) = 4;
// expect: if (n > 0) countDown(p, n - 1);
// expect: p[n] = 5;
// expect: CUI_ACCESS(#, p[6]) = 6;
// expect: low = value;
// expect: (*high) = value;
// expect: CUI_ACCESS(#, pair.to[0]) = 7, pair.own[0] = 8;
// expect: CUI_ACCESS(#, table[0][1]) = 9;
// expect: to[1] = from[1], CUI_ACCESS(#, other[1]) = 1;
// expect: CUI_ACCESS(#, element) = 2;
__device__ void mix(float state[4]) { state[0] += state[1]; }
// Once of a thread's own, once not.
__device__ void twice(float* p) { p[0] *= 2; }
template <int N>
__device__ void negate(float (&x)[N]) {
  for (int i = 0; i < N; ++i) x[i] = -x[i];
}
// Of one instantiation memory, of the other not: one text.
template <class T>
__device__ void add(T* to, T value) { *to += value; }
// Given on.
__device__ void inPlace(float* p) { p[1] = 1; }
__device__ void giveOn(float* p) { inPlace(p); }
// A pointer that changes may lead elsewhere.
__device__ void advance(float* p) { ++p, p[0] = 3; }
// Called through a pointer, too: by whom?
__device__ void anyone(float* p) { p[2] = 4; }
__device__ void countDown(float* p, int n) {
  if (n > 0) countDown(p, n - 1);
  p[n] = 5;
}
// Nobody calls it.
__device__ void unused(float* p) { p[6] = 6; }
__device__ void bounds(float& low, float* high, float value) {
  low = value;
  (*high) = value;
}
// The pair is the thread's own, what its pointer leads to is not.
struct Pair {
  float* to;
  float own[2];
};
__device__ void both(Pair& pair) { pair.to[0] = 7, pair.own[0] = 8; }
__device__ void rows(float** table) { table[0][1] = 9; }

// By way of pointers of the caller's.
__device__ void copy(float* to, const float* from, float* other) { to[1] = from[1], other[1] = 1; }
// What a function returns is not in what it is given by value.
__device__ float constants[4];
__device__ float& constant(const int& i) { return constants[i]; }
__device__ void set(float& element) { element = 2; }

__global__ void parameters(float* out, double* wide) {
  float state[4] = {1, 2, 3, 4};
  mix(state);
  twice(state);
  twice(out);
  negate(state);
  double total = 0;
  add(&total, 1.0);
  add(out, 1.0f);
  giveOn(state);
  giveOn(out + 4);
  advance(state);
  void (*call)(float*) = anyone;
  anyone(state);
  call(out);
  countDown(state, 3);
  bounds(state[0], &state[1], 2);
  Pair pair{out, {0, 0}};
  both(pair);
  float* table[2] = {out, out};
  rows(table);
  float* const middle = state + 1;
  const float4* vector = reinterpret_cast<const float4*>(state);
  float* elsewhere = state;
  elsewhere = out;
  copy(middle, &vector->y, elsewhere);
  set(constant(2));
  out[threadIdx.x] = state[0] + static_cast<float>(total) + pair.own[0];
}
