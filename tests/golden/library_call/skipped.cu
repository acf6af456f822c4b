// Textures and surfaces: a GPU does not tell where their texels are, so there they are said, and left alone.
// expect: CUI_ACCESS(#, a[0]) = tex1Dfetch<float>(texture, 3) + tex2D<float>(texture, 0.5f, 0.5f);
// expect: "a texture: a GPU does not tell its addresses (the CPU backend records it)"
// expect: load, texture, skipped, 4, 0, "skipped", "surf2Dread<float>(surface, 4, 0)", "surface", "4, 0", "float"
// expect: store, texture, skipped, 4, 0, "skipped", "surf2Dwrite(1.0f, surface, 8, 0)", "surface", "8, 0", "float"
// expect: surf2Dread(CUI_POINTER(#, &a[2]), surface, 4, 0);
__global__ void skipped(float* a, cudaTextureObject_t texture, cudaSurfaceObject_t surface) {
  a[0] = tex1Dfetch<float>(texture, 3) + tex2D<float>(texture, 0.5f, 0.5f);
  a[1] = surf2Dread<float>(surface, 4, 0);
  surf2Dread(&a[2], surface, 4, 0);
  surf2Dwrite(1.0f, surface, 8, 0);
}
