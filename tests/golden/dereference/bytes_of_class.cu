// A class of four bytes that is put together and stored where nobody knows which memory that is: cicc 13 makes
// one store of it, and then refused its own code where the recorder asked for the space.
// expect: CUI_ACCESS(#, *pixel) = packed;
// expect: CUI_ACCESS(#, stores[which])(color, &pixels[threadIdx.x]);
struct Pixel {
  unsigned char x, y, z, w;
};
using Store = void (*)(unsigned, Pixel*);

__device__ void store(unsigned color, Pixel* pixel) {
  Pixel packed;
  packed.x = color;
  packed.y = color >> 8;
  packed.z = color >> 16;
  packed.w = 255;
  *pixel = packed;
}

__device__ Store stores[] = {store};

__global__ void paint(Pixel* pixels, unsigned color, unsigned which) {
  stores[which](color, &pixels[threadIdx.x]);
}
