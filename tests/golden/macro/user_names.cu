// Programs define macros with any name. The forms and tables must survive them.
// expect: CUI_ACCESS(#, p[i]) = CUI_ACCESS(#, p[i + 1]);
#define access(x) x
#define load(x) x
#define store other
#define site 3
#define table(i) i
#define value 5
#define generic 6
#define skipped
#define instrumented
#define format(x) x
#define lane 8
#define api 9
#define Call(x) x
#define grid 10
#define block 11
#define stream 12
#define backend 13
#define N 1024
#define T 7
#define min(a, b) ((a) < (b) ? (a) : (b))
__global__ void userNames(int* p) {
  __shared__ int s[4];
  int i = min((int)threadIdx.x, 4);
  p[i] = p[i + 1];
  s[i] = site;
  p[i] += s[i];
}
void userNamesLaunch(int* p, cudaStream_t s) { userNames<<<grid, block, 0, s>>>(p); }
#undef access
#undef load
#undef store
#undef site
#undef table
#undef value
#undef generic
#undef skipped
#undef instrumented
#undef format
#undef lane
#undef grid
#undef block
#undef stream
#undef backend
#undef N
#undef T
#undef min
