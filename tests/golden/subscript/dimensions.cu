// Only the element is an access: the inner steps of an array of arrays compute an address. A step through a
// pointer loads that pointer, which is one.
// expect: CUI_ACCESS(#, grid[i][1]) = 1;
// expect: CUI_ACCESS(#, CUI_ACCESS(#, rows[i])[2]) = 2;
// expect: CUI_ACCESS(#, (*block)[i][3]) = 3;
__global__ void dimensions(float (*grid)[4], float** rows, float (*block)[8][8]) {
  int i = threadIdx.x;
  grid[i][1] = 1;
  rows[i][2] = 2;
  (*block)[i][3] = 3;
}
