// What a macro joins to its argument with ## is joined to the argument's ends: what is in parentheses within it is wrapped, and
// what is at an end that something is joined to is left.
// expect: GUARDED((CUI_ACCESS(#, p[0]) = 1;))
// expect: GUARDED((CUI_ACCESS(#, p[1]) = CUI_ACCESS(#, p[2]); if (int x = CUI_ACCESS(#, p[3])) CUI_ACCESS(#, p[x]) = n;))
// expect: CALLED(p[4] = CUI_ACCESS(#, p[5]))
// expect: FREED((CUI_ACCESS(#, p[1]) = n; if (int x = CUI_ACCESS(#, p[2])) CUI_ACCESS(#, p[3]) = x; CUI_BARRIER(__syncthreads());))
// expect: from different places */ CUI_ACCESS(#, p[6]) = 1;))
// expect: "partly in a macro's text"
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define IN_PARENTHESES(...) YES
#define _YES 1
#define TRY(...) JOIN(_, IN_PARENTHESES __VA_ARGS__)
#define OPENED(...) __VA_ARGS__
#define OPEN(...) OPENED __VA_ARGS__
#define GUARDED(...) { if (TRY(__VA_ARGS__)) { OPEN(__VA_ARGS__) } }
#define CALLED(call) { JOINED(first_, call); }
// What takes away the parentheses of its argument.
#define BARE(x) FREE(BARE_ARGUMENT x)
#define BARE_ARGUMENT(...) BARE_ARGUMENT __VA_ARGS__
#define FREE(...) FREE_(__VA_ARGS__)
#define FREE_(...) NO_##__VA_ARGS__
#define NO_BARE_ARGUMENT
#define FREED(code) { BARE(code) }
__global__ void run(int* p, int n, int* first_p) {
  GUARDED((p[0] = 1;))
  GUARDED((p[1] = p[2]; if (int x = p[3]) p[x] = n;))
  FREED((p[1] = n; if (int x = p[2]) p[3] = x; __syncthreads();))
  GUARDED((n + 1; /* tokens that are far apart: they are expanded as if they had come from different places */ p[6] = 1;))
  CALLED(p[4] = p[5])
}
