// Macros that are defined again in the same words, as the language allows. What is written in one definition
// is written in all of them, lest they differ: the first stands for the others.
#pragma once

#include <vector>

#include "constructs/ranges.h"

namespace cui::constructs {

/// Of a place in a macro's definition, the same in the first that is alike, with the texts beside it.
void moveToFirst(Resolved& place, const Preprocessing& preprocessing, Sources& sources);

/// The same places in the definitions that are alike, but the first's own, which `span` may be in.
std::vector<Span> othersOf(const Span& span, const Preprocessing& preprocessing, Sources& sources);

}  // namespace cui::constructs
