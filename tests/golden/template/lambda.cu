// Lambdas in device code: captures by value are private, what they point at is not; generic ones too.
// expect: auto load = [=](int j) { return CUI_ACCESS(#, a[j]); };
// expect: auto store = [&](auto x) { CUI_ACCESS(#, a[i]) = x; };
__global__ void lambdas(float* a) {
  int i = threadIdx.x;
  auto load = [=](int j) { return a[j]; };
  auto store = [&](auto x) { a[i] = x; };
  store(load(i + 1));
  store(1);
}
