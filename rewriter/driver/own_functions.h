// Functions of the program's that stand for some of the toolkit's.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Token.h>

namespace cui::driver {

/// Has the name and the parameters of a function that nvcc has only declared and Clang's headers have defined
/// (`__device__ inline double fmax(double, double)`, `__host__ __device__ inline int __clz(int)`): an error
/// to Clang.
bool standsForToolkits(const clang::FunctionDecl& function);

/// A body begins that Clang takes for the second one: of such a function it would forget all calls.
void forgiveSecondBody(clang::Decl& declared);

/// Names that Clang knows by itself and GCC from its headers only: programs without these declare their own
/// (`static inline uint64_t __rdtsc()`), of another type. To be shown each token.
class OwnBuiltins {
 public:
  explicit OwnBuiltins(const clang::SourceManager& manager) : manager_(manager) {}

  void operator()(const clang::Token& token);

 private:
  const clang::SourceManager& manager_;
  bool behindType_ = false;  ///< or what may be one
};

}  // namespace cui::driver
