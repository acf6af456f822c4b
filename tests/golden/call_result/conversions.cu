// Conversions to a reference: the form makes that of an object of the program's own class, which nothing in the source does,
// where the code can name what it is converted to. As an argument it has a row: another function may take the reference.
// expect: __device__ operator float&() const { return *CUI_ACCESS(#, at); }
// expect: float f = CUI_CONVERTED(#, (float), own);
// expect: f += CUI_CONVERTED(#, (float), all[1]);
// expect: CUI_CONVERTED(#, (float), own) += 2;
// expect: Pair pair = CUI_CONVERTED(#, (const ::Pair), pairs[1]);
// expect: f = fmaxf(own, 1);
// expect: load, generic, skipped, 4, 0, "conversions", "own", "own", "", "float", "", "", "a conversion of its class"
// expect: CUI_ACCESS(#, own.operator float&()) = f;
// expect: change(own);
struct To {
  float* at;
  __device__ operator float&() const { return *at; }
};
struct Pair {
  int first, second;
};
struct Other {
  const Pair* at;
  __device__ operator const Pair&() const { return *at; }
};
__device__ void change(float& f) { f = 1; }
__global__ void conversions(To own, To* all, Other* pairs, float* out) {
  float f = own;
  f += all[1];
  own.operator float&() = f;
  change(own);
  own += 2;
  Pair pair = pairs[1];
  f = fmaxf(own, 1);
  out[0] = f + static_cast<float>(pair.first);
}
