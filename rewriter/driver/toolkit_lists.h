// `h = {a, b}` and `h = {}` of half2 and its kin. To nvcc that is an assignment of the class itself; Clang
// also finds the one from its raw form (`__half2_raw`), and calls it ambiguous.
#pragma once

#include <clang/Sema/Sema.h>

namespace cui::driver {

/// Has the assignment from the raw form forgotten behind its definition, if that is `declared`. A raw value
/// still becomes an object of the class by a constructor.
void forgetRawAssignment(clang::Sema& sema, clang::Decl& declared);

}  // namespace cui::driver
