// The brackets come out of a macro, which several launches share (as editors want them that do not know CUDA), and the whole of
// a configuration does. The launch is wrapped where it is written, the brackets where they are.
// expect: #define ARGUMENTS2(grid, block)  CUI_LAUNCH_OPEN(<<<)CUI_GRID(grid), CUI_BLOCK(block)CUI_LAUNCH_CLOSE(>>>)
// expect: #define LIST(...)  CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(__VA_ARGS__)CUI_LAUNCH_CLOSE(>>>)
// expect: #define WHOLE  CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)
// expect: CUI_LAUNCH(#, move ARGUMENTS2(dim3(1, 2), 32)(p, 3));
// expect: if (p) CUI_LAUNCH(#, NAME(ve) LIST(dim3(1), dim3(2, 3))(p, 3)); else CUI_LAUNCH(#, set<int, 3> LIST(1, 2, 0, stream)(p, 3));
// expect: CUI_LAUNCH(#, move WHOLE VALUES);
// expect: CUI_LAUNCH(#, move CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(SIZES)CUI_LAUNCH_CLOSE(>>>)VALUES);
// expect: CUI_CONFIGURATION(dim3(1, 2), REST)
// expect: #define RUN(kernel, ...) CUI_LAUNCH(CUI_LINE(#), kernel CUI_LAUNCH_OPEN(<<<)CUI_CONFIGURATION(__VA_ARGS__)CUI_LAUNCH_CLOSE(>>>)VALUES)
#define ARGUMENTS2(grid, block) <<<grid, block>>>
#define LIST(...) <<<__VA_ARGS__>>>
#define WHOLE <<<1, 32>>>
#define SIZES 1, 32
#define REST 64, 0, stream
#define OPEN <<<
#define CLOSE >>>
#define VALUES (p, 0)
#define NAME(part) mo##part
#define RUN(kernel, ...) kernel<<<__VA_ARGS__>>>VALUES
__global__ void move(int* p, int n) { p[n] = 1; }
template <class T, int N> __global__ void set(T* p, int n) { p[n] = N; }
void launch(int* p, cudaStream_t stream) {
  move ARGUMENTS2(dim3(1, 2), 32)(p, 3);
  if (p) NAME(ve) LIST(dim3(1), dim3(2, 3))(p, 3); else set<int, 3> LIST(1, 2, 0, stream)(p, 3);
  move ARGUMENTS2(1, 64) (p, 4);
  move WHOLE VALUES;
  move<<<SIZES>>>VALUES;
  move<<<dim3(1, 2), REST>>>(p, 5);
  move OPEN 1, 2 CLOSE (p, 6);
  RUN(move, 1, 2);
  RUN((set<int, 4>), dim3(1), dim3(2), 0, stream);
}
#undef ARGUMENTS2
#undef LIST
#undef WHOLE
#undef SIZES
#undef REST
#undef OPEN
#undef CLOSE
#undef VALUES
#undef NAME
#undef RUN
