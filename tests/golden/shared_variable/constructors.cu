// Objects whose constructor does something: nvcc calls none of them, and takes the declarations, which Clang rejects. Their
// uses are accesses as of any object; so they are in templates, where a macro declares them, and at file scope.
// expect: __shared__ Level fileScope;
// expect: __shared__ T first; CUI_SHARED(#, first); __shared__ static Counter second[2]; CUI_SHARED(#, second);
// expect: CUI_ACCESS(#, first.value) = CUI_ACCESS(#, second[1].value) + CUI_ACCESS(#, fileScope.value);
// expect: OBJECT(Counter, byMacro); CUI_SHARED(#, byMacro); OBJECT(float, plain); CUI_SHARED(#, plain);
// expect: CUI_ACCESS(#, byMacro.value) = byMacro.next() + CUI_ACCESS(#, plain);
// expect: store, shared, instrumented, 4, 0, "constructors", "first.value", "first", "", "int", "", "T=Counter"
// expect: store, shared, instrumented, 4, 0, "constructors", "byMacro.value", "byMacro", "", "int"
// expect: load, shared, instrumented, 4, 0, "constructors", "plain", "plain", "", "float"
// expect: CUI_VARIABLE_ENTRY("second", "constructors", "Counter[2]", "Counter", 4, 8, shared
// expect-not: "Clang cannot tell what it is"
struct Counter {
  int value;
  __device__ Counter() : value(7) {}
  __device__ int next() { return ++value; }
};
struct Level {
  int value = 7;
};
#define OBJECT(T, name) __shared__ T name

__shared__ Level fileScope;

template <class T>
__global__ void constructors(int* out) {
  __shared__ T first; __shared__ static Counter second[2];
  first.value = second[1].value + fileScope.value;
  out[0] = first.value;
}
__global__ void constructors(float* out) {
  OBJECT(Counter, byMacro); OBJECT(float, plain);
  byMacro.value = byMacro.next() + plain;
  out[0] = byMacro.value;
}
void launch(int* out) { constructors<Counter><<<1, 32>>>(out); }
#undef OBJECT
