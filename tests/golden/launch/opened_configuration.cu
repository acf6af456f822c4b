// The configuration is a macro's argument in parentheses, and another macro's name in front of it takes them away.
// expect: #define OPENED(k, config, arguments) CUI_LAUNCH(CUI_LINE(#), k CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(OPEN config)CUI_LAUNCH_CLOSE(>>>)arguments)
// expect: #define SPACED(k, config) CUI_LAUNCH(#, k CUI_LAUNCH_OPEN(<<<) CUI_CONFIGURATION(OPEN  config) CUI_LAUNCH_CLOSE(>>>)(OPEN (p)))
// expect-not: skipped
__global__ void k(int* p) { p[threadIdx.x] = 1; }
__global__ void other(int* p, int n) { p[n] = 1; }
namespace inner {
__global__ void third(int* p) { p[0] = 1; }
}  // namespace inner

#define OPEN(...) __VA_ARGS__
#define BLOCKS(n) ((n) + 127) / 128, 128
#define OPENED(k, config, arguments) k<<<OPEN config>>>arguments
#define SPACED(k, config) k<<< OPEN  config >>>(OPEN (p))
#define CHECKED(k, config, arguments) do { OPENED(k, config, arguments); } while (0)

void launches(int* p, int n) {
  OPENED(k, (1, 32), (p));
  OPENED(other, (dim3(1, 2), n, 0), (p, n));
  CHECKED(k, (BLOCKS(n)), (p));
  CHECKED(inner::third, (BLOCKS(n), 0, 0), (p));
  SPACED(k, (n, 1));
}
#undef OPEN
#undef BLOCKS
#undef OPENED
#undef SPACED
#undef CHECKED
