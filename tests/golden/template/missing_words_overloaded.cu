// The word `template`, as in missing_words.cu, in front of a static member that has overloads, where the program has an operator < of its own
// (so has cuda_fp16.h): it is asked which of the functions is compared.
// cpu: no, GCC wants it
// expect: CUI_ACCESS(#, *place) = tile.advance<lanes>(*place) + lanes;
// expect: CUI_ACCESS(#, *place) = tile->advance<4>(CUI_ACCESS(#, *place) - lanes);
// expect-not: Clang
struct Half { short bits; };
__device__ inline bool operator<(const Half& a, const Half& b) { return a.bits - b.bits < 0; }
template <int mode, unsigned stride> struct Tile {
  template <unsigned step> static __device__ unsigned advance(const unsigned& offset) { return offset + step * stride; }
  template <unsigned step> static __device__ unsigned advance(const unsigned& offset, const unsigned& i) { return offset + step * i; }
};
template <unsigned lanes, int mode, unsigned stride>
__device__ void walk(unsigned* place, const Tile<mode, stride>& tile) {
  *place = tile.advance<lanes>(*place) + lanes;
}
template <unsigned lanes, int mode, unsigned stride>
__device__ void walk(unsigned* place, const Tile<mode, stride>* tile) {
  *place = tile->advance<4>(*place - lanes);
}
__global__ void walks(unsigned* places) {
  Tile<1, 4> tile;
  walk<8>(places, tile);
  walk<8>(places, &tile);
}
