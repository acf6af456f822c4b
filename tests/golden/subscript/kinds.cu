// The kind is in the site table: plain assignment stores, compound assignment and ++ read and write, a
// chained assignment stores twice, a discarded value is no load.
// expect: CUI_ACCESS(#, a[i]) = CUI_ACCESS(#, b[i]) = 0;
// expect: CUI_ACCESS(#, a[i]) += CUI_ACCESS(#, b[i]);
// expect: CUI_ACCESS(#, a[i])++;
// expect: int old = --CUI_ACCESS(#, b[i]);
// expect: store, generic, instrumented, 4, 0, "kinds", "a[i]"
// expect: rmw, generic, instrumented, 4, 0, "kinds", "a[i]"
// expect: rmw, generic, instrumented, 4, 0, "kinds", "b[i]"
// expect: load, generic, instrumented, 4, 0, "kinds", "b[i]"
__global__ void kinds(int* a, int* b) {
  int i = threadIdx.x;
  a[i] = b[i] = 0;
  a[i] += b[i];
  a[i]++;
  int old = --b[i];
  a[i] <<= old;
}
