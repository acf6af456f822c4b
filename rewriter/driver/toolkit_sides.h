// Function templates that the toolkit declares twice, for the host and for the device (`cudaMalloc`): to nvcc
// each is one, for both. To Clang they are two, and one that is named without a call (`auto f =
// cudaMalloc<int>;`) is ambiguous.
#pragma once

#include <clang/Sema/Sema.h>

namespace cui::driver {

/// Has the host's for both sides, and the device's forgotten, if that is what `declared`, or a declaration in
/// it, repeats.
void joinSides(clang::Sema& sema, clang::Decl& declared);

}  // namespace cui::driver
