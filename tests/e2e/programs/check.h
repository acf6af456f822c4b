// What the test programs share: error checks as in the examples, and a verdict with the line that failed.
#pragma once

#include "../../../examples/common/example.h"

static int failures = 0;

inline void expect(bool condition, const char* what, int line) {
  if (condition) return;
  std::printf("line %d: %s\n", line, what);
  ++failures;
}
#define EXPECT(...) expect((__VA_ARGS__), #__VA_ARGS__, __LINE__)

inline int verdict() {
  std::printf("%s\n", failures == 0 ? "correct" : "WRONG");
  return failures == 0 ? 0 : 1;
}
