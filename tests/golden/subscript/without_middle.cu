// `a ?: b` reads `a` as the condition, whatever is done with the result, which is `a` itself or `b`.
// expect: CUI_ACCESS(#, out[0]) = CUI_ACCESS(#, in[0]) ?: CUI_ACCESS(#, in[1]);
// expect: CUI_ACCESS(#, out[1]) = CUI_ACCESS(#, in[2]) ?: 1;
// expect: (CUI_ACCESS(#, out[2]) ?: CUI_ACCESS(#, out[3])) = 5;
// expect: CUI_ACCESS(#, in[3]) ?: in[4];
// expect: own ?: CUI_ACCESS(#, in[5]);
// expect: load, generic, instrumented, 4, 0, "withoutMiddle", "in[0]", "in", "0", "int"
// expect: load, generic, instrumented, 4, 0, "withoutMiddle", "in[1]", "in", "1", "int"
// expect: rmw, generic, instrumented, 4, 0, "withoutMiddle", "out[2]", "out", "2", "int"
// expect: store, generic, instrumented, 4, 0, "withoutMiddle", "out[3]", "out", "3", "int"
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, in[i]) ?: CUI_ACCESS(#, in[i + 1]);
__global__ void withoutMiddle(int* out, int* in) {
  out[0] = in[0] ?: in[1];
  out[1] = in[2] ?: 1;
  (out[2] ?: out[3]) = 5;
  in[3] ?: in[4];
  int own = 2;
  out[4] = own ?: in[5];
}
template <class T> __global__ void inTemplate(T* out, T* in, int i) {
  out[i] = in[i] ?: in[i + 1];
}
template __global__ void inTemplate<int>(int*, int*, int);
