// A backslash in front of a comment: nvcc takes the comment away first, and goes on in the next line. Not in what is
// an argument of a macro, so that nothing is wrapped over several such lines.
// cpu: no, to GCC such a backslash is a token
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, in[i]) + \ // this one
// expect:            CUI_ACCESS(#, in[i + n]); // and that one
// expect: "a backslash in front of a comment is inside the expression"
// expect-not: Clang rejects
__global__ void sums(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + \ /* the block's */
                threadIdx.x;
  out[i] = in[i] + \ // this one
           in[i + n]; // and that one
  out[i] += in[i + \ // shifted
               1];
}
int main() {
  const int n = 64;
  const int blocks = n / 32 + \ // whole ones
                     (n % 32 > 0 ? 1 : 0); // and the rest
  sums<<<blocks, 32>>>(nullptr, nullptr, n);
}
