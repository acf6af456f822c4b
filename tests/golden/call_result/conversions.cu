// Conversions to a reference: what an object of the program's own class is converted to has a row, as only its class can say where
// that is. Called by name it is recorded where it is used.
// expect: __device__ operator float&() const { return *CUI_ACCESS(#, at); }
// expect: float f = own;
// expect: load, generic, skipped, 4, 0, "conversions", "own", "own", "", "float", "", "", "a conversion of its class"
// expect: f += all[1];
// expect: CUI_ACCESS(#, own.operator float&()) = f;
// expect: change(own);
struct To {
  float* at;
  __device__ operator float&() const { return *at; }
};
__device__ void change(float& f) { f = 1; }
__global__ void conversions(To own, To* all, float* out) {
  float f = own;
  f += all[1];
  own.operator float&() = f;
  change(own);
  out[0] = f;
}
