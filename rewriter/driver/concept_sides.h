// Requirements of concepts and `requires`: to nvcc they say what there is, on whichever side. Clang asks them
// for the function they are in, to whose side members of the other do not exist: a concept is not satisfied
// then, without a word.
#pragma once

#include <clang/Sema/Sema.h>

namespace cui::driver {

/// From here on, they are asked as if outside the function.
void askOutsideFunctions(clang::Sema& sema);

}  // namespace cui::driver
