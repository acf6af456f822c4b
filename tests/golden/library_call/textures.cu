// Textures and surfaces on the CPU backend, where a fetch has an address: the function's name is wrapped.
// rewrite: --backend=cpu
// nvcc: no, written for the CPU backend
// expect: CUI_ACCESS(#, a[0]) = CUI_TEXTURE(#, tex1Dfetch<float>)(texture, 3) + CUI_TEXTURE(#, ::tex2D<float>)(texture, 0.5f, 0.5f);
// expect: CUI_TEXTURE(#, surf2Dwrite)(1.0f, surface, 8, 0);
// expect: load, texture, instrumented, 16, 0, "textures", "tex3DLod(&texel, texture, x, y, 0.0f, 2.0f)", "texture", "x, y, 0.0f, 2.0f", "float4"
// expect: CUI_TEXTURE(#, surf2Dread)(CUI_POINTER(#, &a[5]), surface, 4, 0);
// expect: CUI_TEXTURE(#, tex1Dfetch)(CUI_POINTER(#, a + 6), texture, 3);
// expect: store, generic, instrumented, 4, 0, "textures", "tex1Dfetch(a + 6, texture, 3)", "a", "6", "float"
// expect: #define FETCH(t, i) CUI_MACRO_TEXTURE(#, tex1Dfetch<int>)(t, i)
// expect: return CUI_TEXTURE(#, tex2DLayered<T>)(texture, 0, 0, layer);
#define FETCH(t, i) tex1Dfetch<int>(t, i)
template <class T>
__device__ T layerOf(cudaTextureObject_t texture, int layer) { return tex2DLayered<T>(texture, 0, 0, layer); }
__global__ void textures(float* a, cudaTextureObject_t texture, cudaSurfaceObject_t surface, float x, float y) {
  a[0] = tex1Dfetch<float>(texture, 3) + ::tex2D<float>(texture, 0.5f, 0.5f);
  a[1] = surf2Dread<float>(surface, 4, 0) + layerOf<float>(texture, 1);
  surf2Dwrite(1.0f, surface, 8, 0);
  float4 texel;
  tex3DLod(&texel, texture, x, y, 0.0f, 2.0f);
  a[2] = texel.x;
  a[3] = FETCH(texture, 0);
  a[4] = FETCH(texture, 1);
  surf2Dread(&a[5], surface, 4, 0);
  tex1Dfetch(a + 6, texture, 3);
}
