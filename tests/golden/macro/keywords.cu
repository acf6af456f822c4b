// Macros named like words of the language, as headers of C's have them: the tables stand behind all of them, and a
// block that is copied needs no `auto`.
// nvcc: no, its macros stay defined
// expect: CUI_COPY_TO(#, CUI_COPY_FROM(#, memcpy))(to + threadIdx.x, from, bytes);
// expect: CUI_COPY_TO(#, memset)(to, 0, bytes);
// expect: #undef auto
// expect: #undef const
// expect: #undef namespace
#define auto __auto_type
#define const
#define namespace inline namespace
#define inline __forceinline__
#define nullptr 0
#define true 1
#define size_t unsigned long
__global__ void keywords(int* to, const int* from, size_t bytes) {
  to[threadIdx.x] = from[1];
  memcpy(to + threadIdx.x, from, bytes);
  memset(to, 0, bytes);
}
#undef inline
#undef nullptr
#undef true
