#include <cstdio>
#include <vector>

#include "saxpy.h"

int main() {
  const int n = 1000;
  std::vector<float> x(n), y(n, 1.0f);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i);
  if (!saxpy(n, 2.0f, x.data(), y.data())) return 1;
  for (int i = 0; i < n; ++i)
    if (y[i] != 2.0f * static_cast<float>(i) + 1.0f) return 1;
  std::printf("saxpy: correct\n");
  return 0;
}
