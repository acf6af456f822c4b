// Kernel templates that only their arguments' namespaces have, with template arguments of their own.
// standard: 20
// expect: CUI_LAUNCH(#, scale<float> CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(1)CUI_LAUNCH_CLOSE(>>>)(field, 2.0));
// expect: template <class F> void all(F field) { CUI_LAUNCH(#, shift<3, 1> CUI_LAUNCH_OPEN(<<<)
// expect: CUI_LAUNCH_ENTRY("flat::scale<float>", "flat::scale", "use"
// expect-not: Clang
namespace flat {
struct Field { float* cells; };
template <class T> __global__ void scale(Field field, T factor) { field.cells[threadIdx.x] *= factor; }
template <int n, int m> __global__ void shift(Field field) { field.cells[threadIdx.x + m] += n; }
}
namespace box {
struct Field { float* cells; };
template <int n, int m> __global__ void shift(Field field) { field.cells[threadIdx.x + m] -= n; }
}
template <class F> void all(F field) { shift<3, 1><<<1, 1>>>(field); }
void use(flat::Field field, box::Field other) {
  if (field.cells) scale<float><<<1, 1>>>(field, 2.0);
  all(field), all(other);
}
