// The last line has no end, and is a comment.
// expect: CUI_ACCESS(#, a[0]) = 1;
__global__ void unfinished(int* a) { a[0] = 1; }
// the end