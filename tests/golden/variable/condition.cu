// A reference that a condition declares: the condition reads it, and no expression does. Only said; what follows is instrumented.
// expect: while (const int& next = data[0]) {
// expect: if (float& value = out[0]) CUI_ACCESS(
__global__ void condition(int* data, float* out) {
  while (const int& next = data[0]) {
    data[1] = next;
    data[0] = 0;
  }
  if (float& value = out[0]) value += 1.0f;
  switch (int& kind = data[2]) {
    default:
      kind = 1;
  }
}
