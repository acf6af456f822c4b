// The builtin behind std::bit_cast reads its operand, a class or a number; what it is given of a thread's own
// is none.
// expect: return __builtin_bit_cast(To, CUI_ACCESS(#, from));
// expect: return __builtin_bit_cast(To, CUI_ACCESS(#, from[i]));
// expect: CUI_ACCESS(#, bits[0]) = __builtin_bit_cast(int, CUI_ACCESS(#, values[1]));
// expect: __builtin_bit_cast(int, CUI_ACCESS(#, pairs[3]));
// expect: __builtin_bit_cast(Pair, CUI_ACCESS(#, bits[4])).b;
// expect: __builtin_bit_cast(int, CUI_ACCESS(#, shared));
// expect: __builtin_bit_cast(int, own);
// expect: copy, generic, instrumented, 4, 0, "numbers", "pairs[3]"
// expect: load, generic, instrumented, 4, 0, "numbers", "values[1]"
struct Pair {
  short a, b;
};
template <class To, class From>
__device__ To bitCast(const From& from) {
  return __builtin_bit_cast(To, from);
}
template <class To, class From>
__device__ To loaded(const From* from, int i) {
  return __builtin_bit_cast(To, from[i]);
}
__global__ void numbers(int* bits, const float* values, Pair* pairs) {
  __shared__ float shared;
  shared = 1;
  float own = 2;
  bits[0] = __builtin_bit_cast(int, values[1]);
  bits[1] = __builtin_bit_cast(int, pairs[3]);
  bits[2] = __builtin_bit_cast(Pair, bits[4]).b;
  bits[3] = __builtin_bit_cast(int, shared);
  bits[5] = __builtin_bit_cast(int, own);
  bits[6] = bitCast<int>(values[2]) + loaded<int>(values, 3) + loaded<int>(pairs, 4);
}
