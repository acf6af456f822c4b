// Volatile stays volatile and one access stays one access.
// expect: CUI_ACCESS(#, flag[0]) = 1;
// expect: while (CUI_ACCESS(#, flag[1]) == 0)
__global__ void spin(volatile int* flag) {
  flag[0] = 1;
  while (flag[1] == 0) {
  }
}
