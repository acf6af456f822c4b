// Textures and surfaces are memory of their own kind: said, and left alone.
// cpu: no, textures are the GPU's
// expect: CUI_ACCESS(#, a[0]) = tex1Dfetch<float>(texture, 3) + tex2D<float>(texture, 0.5f, 0.5f);
// expect: "a texture"
// expect: load, generic, skipped, 0, 0, "skipped", "surf2Dread<float>(surface, 4, 0)"
// expect: store, generic, skipped, 0, 0, "skipped", "surf2Dwrite(1.0f, surface, 8, 0)"
__global__ void skipped(float* a, cudaTextureObject_t texture, cudaSurfaceObject_t surface) {
  a[0] = tex1Dfetch<float>(texture, 3) + tex2D<float>(texture, 0.5f, 0.5f);
  a[1] = surf2Dread<float>(surface, 4, 0);
  surf2Dwrite(1.0f, surface, 8, 0);
}
