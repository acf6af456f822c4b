// Kernels that only their arguments' namespaces have, also by a macro and in templates, where they come later; and one that
// is told from a namesake so.
// expect: void all(F field) { CUI_LAUNCH(#, clear CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(1)CUI_LAUNCH_CLOSE(>>>)(field)); }
// expect: #define RUN(k, ...) CUI_LAUNCH(#, k CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)(__VA_ARGS__))
// expect: CUI_LAUNCH_ENTRY("clear", "", "all"
// expect: CUI_LAUNCH_ENTRY("flat::finish", "flat::finish", "end"
// expect: CUI_LAUNCH_ENTRY("flat::scale<float>", "flat::scale", "use"
// expect: CUI_LAUNCH_ENTRY("flat::clear", "flat::clear", "use"
// expect: CUI_LAUNCH_ENTRY("box::clear", "box::clear", "own::Row::wipe"
// expect-not: Clang
namespace flat {
struct Field { float* cells; };
__global__ void clear(Field field) { field.cells[threadIdx.x] = 0; }
template <class T> __global__ void scale(Field field, T factor) { field.cells[threadIdx.x] *= factor; }
}
namespace box {
struct Field { float* cells; };
__global__ void clear(Field field) { field.cells[threadIdx.x] = 1; }
}
template <class F> void all(F field) { clear<<<1, 1>>>(field); }
template <class F> void end(F field) { finish<<<1, 1>>>(field); }
namespace flat { __global__ void finish(Field field) { field.cells[0] += 1; } }
#define RUN(k, ...) k<<<1, 32>>>(__VA_ARGS__)
namespace own {
__global__ void clear(int* p) { *p = 0; }
__global__ void clear(float* p) { *p = 0; }
struct Row {
  int values[4];
  void wipe(box::Field field) { if (values[0]) clear<<<1, 1>>>(field); }  // neither of these
};
}
void use(flat::Field field, box::Field other) {
  // What is in front does not matter.
  scale<<<1, 32>>>(field, 2.0f);
  RUN(clear, field);
  all(field), all(other);
  end(field);
}
