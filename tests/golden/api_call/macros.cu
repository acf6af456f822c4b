// A call in the argument of a checking macro is wrapped where it is written; its text is not stringised
// into something else.
// expect: CHECK(CUI_API(#, cudaMalloc)(&p, n));
// expect: #define FREE(x) CUI_API(#, cudaFree)(x)
// A name that is pasted together is another in each expansion: what is none of those that are recorded stays as it is.
// expect: #define RUNTIME(call) CHECK(CUI_PASTED_API(CUI_LINE(#), cuda##call))
// expect: #define NAMED(name) CUI_PASTED_API(#, cuda##name##Host)
// expect: #define ONE_LINE(call) if (cudaError_t error = CUI_PASTED_API(CUI_LINE(#), cuda ## call)) report(#call, error)
// expect-not: token pasting
#define RUNTIME(call) CHECK(cuda##call)
#define CHECK(call) do { if ((call) != cudaSuccess) fail(__LINE__); } while (0)
#define FREE(x) cudaFree(x)
#define NAMED(name) cuda##name##Host
#define ONE_LINE(call) if (cudaError_t error = cuda ## call) report(#call, error)
void fail(int line);
void report(const char* text, cudaError_t error);
void checked(int n) {
  int* p;
  CHECK(cudaMalloc(&p, n));
  CHECK(FREE(p));
  RUNTIME(Free(p));
  RUNTIME(GetDevice(&n));
  RUNTIME(Malloc(&p, n < 3 ? 3 : n));
  RUNTIME(Memcpy(p,
                 &n, sizeof n, cudaMemcpyDefault));
  RUNTIME(DeviceSynchronize());
  CHECK(NAMED(Malloc)(&p, n));
  ONE_LINE(MallocManaged(&p, n * sizeof(int)));
  ONE_LINE(SetDevice(0));
  ONE_LINE(Free(0));
}
#undef CHECK
#undef FREE
#undef RUNTIME
#undef NAMED
#undef ONE_LINE
