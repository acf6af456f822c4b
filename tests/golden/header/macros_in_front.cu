// What the command line defines is not there for our own headers: `N` is a template's parameter in them. Settings of the system's
// and the toolkit's headers stay.
// compile: -DN=1024 -DBLOCK(x)=x -D_GNU_SOURCE -DNDEBUG -DCUDA_SETTING=1 -include detail/macro_in_front.h
// nvcc: no, all cases of a standard are one file there
// expect: #pragma push_macro("N")
// expect: #undef N
// expect: #pragma push_macro("BLOCK")
// expect: #pragma push_macro("FORCED")
// expect: #pragma pop_macro("N")
// expect: CUI_ACCESS(#, p[BLOCK(N)]) = FORCED;
// expect-not: _GNU_SOURCE")
// expect-not: NDEBUG")
// expect-not: CUDA_SETTING")
__global__ void run(int* p) { p[BLOCK(N)] = FORCED; }
