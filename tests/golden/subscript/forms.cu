// Spellings of one access: index first, parentheses, pointer arithmetic in the base, commas and blanks.
// expect: CUI_ACCESS(#, i[a]) = 1;
// expect: CUI_ACCESS(#, (a)[i]) = 2;
// expect: CUI_ACCESS(#, (a + 1)[i]) = 3;
// expect: (CUI_ACCESS(#, a[i])) = 4;
// expect: CUI_ACCESS(#, a [ i ]) = 5;
// expect: CUI_ACCESS(#, a[i /* ) */ ]) = 6;
__global__ void forms(int* a) {
  int i = threadIdx.x;
  i[a] = 1;
  (a)[i] = 2;
  (a + 1)[i] = 3;
  (a[i]) = 4;
  a [ i ] = 5;
  a[i /* ) */ ] = 6;
  a[
      i] = 7;
}
