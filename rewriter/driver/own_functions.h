// Functions of the program's that stand for some of the toolkit's.
#pragma once

#include <clang/AST/Decl.h>

namespace cui::driver {

/// Has the name and the parameters of a function that nvcc has only declared and Clang's headers have defined
/// (`__device__ inline double fmax(double, double)`, `__host__ __device__ inline int __clz(int)`): an error
/// to Clang.
bool standsForToolkits(const clang::FunctionDecl& function);

/// A body begins that Clang takes for the second one: of such a function it would forget all calls.
void forgiveSecondBody(clang::Decl& declared);

}  // namespace cui::driver
