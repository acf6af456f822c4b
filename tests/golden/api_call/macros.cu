// A call in the argument of a checking macro is wrapped where it is written; its text is not stringised
// into something else.
// expect: CHECK(CUI_API(#, cudaMalloc)(&p, n));
// expect: #define FREE(x) CUI_API(#, cudaFree)(x)
// A name that is pasted together is another in each expansion.
// expect: #define RUNTIME(call) CHECK(cuda##call)
// expect: skipped, 0, 0, "checked", "cudaFree", "", "", "", "RUNTIME", "", "made by token pasting"
#define RUNTIME(call) CHECK(cuda##call)
#define CHECK(call) do { if ((call) != cudaSuccess) fail(__LINE__); } while (0)
#define FREE(x) cudaFree(x)
void fail(int line);
void checked(int n) {
  int* p;
  CHECK(cudaMalloc(&p, n));
  CHECK(FREE(p));
  RUNTIME(Free(p));
  RUNTIME(GetDevice(&n));
}
#undef CHECK
#undef FREE
#undef RUNTIME
