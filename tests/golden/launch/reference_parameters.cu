// Arguments that kernels take by a reference that they may write through: the CPU backend hands on the object, of
// which it would have a copy.
// expect: (CUI_BY_REFERENCE(*total), n));
// expect: (CUI_BY_REFERENCE(totals[1]), CUI_BY_REFERENCE(*total)));
// expect: (CUI_BY_REFERENCE(*word)));
// expect: (n));
#include <cuda_runtime.h>

struct Word {
  int letters[4];
  Word() {}
  Word(const Word& other) { letters[0] = other.letters[0]; }
};

__global__ void add(int& total, int n) {
  total += n;
}
template <class T>
__global__ void exchange(T& a, T& b) {
  const T kept = a;
  a = b;
  b = kept;
}
__global__ void change(Word& word) {
  word.letters[1] = 1;
}
__global__ void read(const int& n) {}
template <class T>
void launchFrom(T* total, T* totals) {
  exchange<<<1, 1>>>(totals[1], *total);
}

void run(int* total, int* totals, Word* word, int n) {
  add<<<1, 1>>>(*total, n);
  launchFrom(total, totals);
  change<<<1, 1>>>(*word);
  read<<<1, 1>>>(n);
}
