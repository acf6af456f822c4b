// With values: an argument says which one it is to loads and stores in the macro's text.
// rewrite: --values
// compile: -Werror -Wextra
// expect: { auto t = CUI_ARGUMENT_LOAD(#, x); CUI_ARGUMENT_STORE(#, x) = CUI_ARGUMENT_LOAD(#, y); CUI_ARGUMENT_STORE(#, y) = t; }
// expect: SWAP(CUI_ARGUMENT(#, p[0]), CUI_ARGUMENT(#, p[1])); SWAP(CUI_ARGUMENT(#, p[2]), CUI_ARGUMENT(#, p[3]));
#define SWAP(x, y) { auto t = x; x = y; y = t; }
__global__ void swap(int* p) { SWAP(p[0], p[1]); SWAP(p[2], p[3]); }
