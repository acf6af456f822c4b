// A byte order mark stays the first thing in the file, and names may use UTF-8.
// expect: CUI_ACCESS(#, größe[0]) = 1;
__global__ void mark(int* größe) { größe[0] = 1; }
