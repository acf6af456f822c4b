// What Clang warns of by an error, and nvcc takes.
// expect: if (0 < n <= 28) CUI_ACCESS(#, p[0]) = CUI_ACCESS(#, p[1]) < CUI_ACCESS(#, p[2]) < CUI_ACCESS(#, p[3]);
// expect: alignas(64) const Map map = CUI_ACCESS(#, maps[n]);
struct alignas(128) Map {
  int words[32];
};
__global__ void chained(int* p, int n) {
  if (0 < n <= 28) p[0] = p[1] < p[2] < p[3];
}
__global__ void under(const Map* maps, int* out, int n) {
  alignas(64) const Map map = maps[n];
  out[n] = map.words[n];
}
