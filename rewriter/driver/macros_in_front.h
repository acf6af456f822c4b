// Macros of the program's that are in the way of our own text: in front of the source's first line, and
// behind its last.
#pragma once

#include <set>
#include <string>

#include "constructs/preprocessing.h"
#include "constructs/sources.h"
#include "driver/compile_flags.h"

namespace cui::driver {

/// Names of what -D defines, and headers that the compiler includes first (-include) and the output does not
/// include itself: our own headers must not see them.
std::set<std::string> macrosInFront(const CompileFlags& flags, const constructs::Preprocessing& preprocessing,
                                    constructs::Sources& sources);

/// Lines that set these macros aside, and that bring them back.
std::string setAside(const std::set<std::string>& macros);
std::string bringBack(const std::set<std::string>& macros);

/// Lines that end the macros that are named like a word of the language (`#define const`), for what stands
/// behind all of the program's text.
std::string withoutKeywords(const constructs::Preprocessing& preprocessing);

}  // namespace cui::driver
