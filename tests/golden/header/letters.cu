// Macros on the command line by the names of parameters in headers that nvcc does not read unasked: Clang's of textures and the
// toolkit's of random numbers.
// expect: CUI_ACCESS(#, out[0]) = N + V + Y;
// expect-not: Clang rejects
// compile: -DN=4 -DV=2 -DY=1
// nvcc: no, it needs -D
__global__ void letters(int* out) {
  out[0] = N + V + Y;
}
