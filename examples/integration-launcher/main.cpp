#include <cstdio>

bool cube(int* host, int count);

int main() {
  int host[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  if (!cube(host, 64)) return 1;
  for (int i = 0; i < 64; ++i)
    if (host[i] != i * i * i) return 1;
  std::printf("cube: correct\n");
  return 0;
}
