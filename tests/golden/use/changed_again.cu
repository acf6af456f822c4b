// What an assignment gives back, and something else changes, is accessed twice; what only reads it has its value already.
// expect: (CUI_ACCESS(#, CUI_ACCESS(#, a[i]) = 3)) += 2;
// expect: ++(CUI_ACCESS(#, ++CUI_ACCESS(#, a[1])));
// expect: (CUI_ACCESS(#, CUI_ACCESS(#, a[2]) += i)) = 4;
// expect: CUI_ACCESS(#, a[3]) = CUI_ACCESS(#, a[4]) = 5;
// expect: i = ++CUI_ACCESS(#, a[5]);
// expect: (own = 3) += 2;
// expect: #define AGAIN(x) (CUI_MACRO_ACCESS(#, (x) = 1)) *= 2
#define AGAIN(x) ((x) = 1) *= 2
__global__ void changed(int* a, int i) {
  (a[i] = 3) += 2;
  ++(++a[1]);
  (a[2] += i) = 4;
  a[3] = a[4] = 5;
  i = ++a[5];
  int own;
  (own = 3) += 2;
  AGAIN(a[6]);
  a[7] = own + i;
}
