// Macros that use macros: the innermost body that holds the whole access is wrapped.
// expect: #define OFFSET(i, j) ((i) * 8 + (j))
// expect: #define CELL(i, j) CUI_MACRO_ACCESS(#, grid[OFFSET(i, j)])
// expect: #define LEFT(i, j) CELL(i, (j) - 1)
#define OFFSET(i, j) ((i) * 8 + (j))
#define CELL(i, j) grid[OFFSET(i, j)]
#define LEFT(i, j) CELL(i, (j) - 1)
__global__ void nested(float* grid) {
  int i = threadIdx.x;
  CELL(i, 1) =
      LEFT(i, 1);
  CELL(i, 2) =
      LEFT(i, 2) +
      CELL(i, 1);
}
#undef OFFSET
#undef CELL
#undef LEFT
