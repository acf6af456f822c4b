#include <cstdio>

#include "scale.h"

int main() {
  float data[512];
  for (int i = 0; i < 512; ++i) data[i] = static_cast<float>(i);
  if (!scale(data, 512)) return 1;
  for (int i = 0; i < 512; ++i)
    if (data[i] != 3.0f * static_cast<float>(i)) return 1;
  std::printf("scale: correct\n");
  return 0;
}
