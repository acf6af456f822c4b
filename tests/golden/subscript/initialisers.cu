// Elements as initialisers: of arrays, aggregates, nested ones, constructor calls and returned lists.
// expect: int z[2] = {CUI_ACCESS(#, a[5]), 0};
// expect: Pair t = {CUI_ACCESS(#, a[7]), 1};
// expect: Nested u = {CUI_ACCESS(#, s[0]), {CUI_ACCESS(#, a[11]), CUI_ACCESS(#, a[12])}};
// expect: take({CUI_ACCESS(#, a[13]), CUI_ACCESS(#, a[14])});
// expect: return {CUI_ACCESS(#, a[15]), CUI_ACCESS(#, a[16])};
// expect: Built c{CUI_ACCESS(#, a[17])}, d = {CUI_ACCESS(#, a[18])}, e(CUI_ACCESS(#, a[19]));
// expect: int w[][2] = {{CUI_ACCESS(#, a[20]), CUI_ACCESS(#, a[21])}, {CUI_ACCESS(#, a[22])}};
struct Pair { int x, y; };
struct Nested {
  Pair pair;
  int z[2];
};
struct Built {
  int x;
  __device__ Built(int n) : x(n) {}
};
__device__ int take(Pair p) { return p.x; }
__device__ Pair give(int* a) { return {a[15], a[16]}; }
__global__ void initialisers(int* a, Pair* s) {
  int z[2] = {a[5], 0};
  Pair t = {a[7], 1};
  Nested u = {s[0], {a[11], a[12]}};
  int n = take({a[13], a[14]});
  Built c{a[17]}, d = {a[18]}, e(a[19]);
  int w[][2] = {{a[20], a[21]}, {a[22]}};
  a[0] = z[0] + t.x + u.z[1] + n + give(a).x + c.x + d.x + e.x + w[1][1];
}
