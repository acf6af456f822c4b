// A reference bound to a private variable right where it is declared is private too.
// expect: int& r = x;
// expect: r += 1;
__global__ void privateReferences(int* a) {
  int x = a[0];
  int& r = x;
  r += 1;
  a[1] = x;
}
