// Dereferences: plain, walking, of arithmetic, double.
// expect: CUI_ACCESS(#, *p) = CUI_ACCESS(#, *(q + i));
// expect: CUI_ACCESS(#, *p++) = CUI_ACCESS(#, *q--);
// expect: CUI_ACCESS(#, *++p) += 1;
// expect: ++CUI_ACCESS(#, *p);
// expect: (CUI_ACCESS(#, *p))--;
// expect: CUI_ACCESS(#, *CUI_ACCESS(#, *r)) = 4;
// expect: CUI_ACCESS(#, *(int*)q) = 5;
__global__ void dereferences(int* p, int* q, int** r, int i) {
  *p = *(q + i);
  *p++ = *q--;
  *++p += 1;
  ++*p;
  (*p)--;
  **r = 4;
  *(int*)q = 5;
}
