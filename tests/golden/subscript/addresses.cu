// Addresses taken and undone again, chosen pointers, pointers in arrays of pointers.
// expect: CUI_ACCESS(#, (&a[i])[1]) = CUI_ACCESS(#, *&a[2]);
// expect: int* x = &*a, * y = &a[CUI_ACCESS(#, a[3])];
// expect: CUI_ACCESS(#, (i ? a : x)[4]) = CUI_ACCESS(#, *(i ? y : a));
// expect: CUI_ACCESS(#, CUI_ACCESS(#, n[i])->items[1]) = 5;
// expect: int* z = &CUI_ACCESS(#, n[i])->items[2];
// expect: CUI_ACCESS(#, (*CUI_ACCESS(#, n[0])).items[CUI_ACCESS(#, *z)]) = 6;
struct Node { int items[4]; };
__global__ void addresses(int* a, Node** n) {
  int i = threadIdx.x;
  (&a[i])[1] = *&a[2];
  int* x = &*a, * y = &a[a[3]];
  (i ? a : x)[4] = *(i ? y : a);
  n[i]->items[1] = 5;
  int* z = &n[i]->items[2];
  (*n[0]).items[*z] = 6;
}
