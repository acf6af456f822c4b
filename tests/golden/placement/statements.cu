// Accesses and launches as unbraced statements, in conditions, initialisers, labels and returns; device code in
// nested classes of namespaces.
// expect: if (CUI_ACCESS(#, a[i])) CUI_ACCESS(#, a[i]) = 0; else CUI_ACCESS(#, a[i])--;
// expect: for (int j = CUI_ACCESS(#, a[0]); j < CUI_ACCESS(#, a[1]); j += CUI_ACCESS(#, a[2]))
// expect: int x(CUI_ACCESS(#, a[3])), y{CUI_ACCESS(#, a[4])}, z[2] = {CUI_ACCESS(#, a[5]), 0};
// expect: "space::Outer::Inner::method"
namespace space {
struct Outer {
  struct Inner {
    __device__ static int method(int* a) { return a[6]; }
  };
};
}
__global__ void statements(int* a) {
  int i = threadIdx.x;
  if (a[i]) a[i] = 0; else a[i]--;
  for (int j = a[0]; j < a[1]; j += a[2])
    a[j] = 1;
  int x(a[3]), y{a[4]}, z[2] = {a[5], 0};
again:
  if (x + y + z[0] < space::Outer::Inner::method(a)) goto again;
}
