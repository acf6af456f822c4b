// A function of the program's by a name that Clang has built in, and GCC and nvcc only from a header: it is the program's.
// expect-not: Clang rejects
// expect: CUI_API(0, cudaMalloc)(&p, ticks());
typedef unsigned long long Ticks;
static inline Ticks __rdtsc() {
  unsigned low, high;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  return (Ticks(high) << 32) | low;
}
static inline unsigned ticks() { return unsigned(__rdtsc() & 1) + 1; }
void launch() {
  int* p;
  cudaMalloc(&p, ticks());
}
