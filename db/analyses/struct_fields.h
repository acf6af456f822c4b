// Fields of one array of structures are one finding, and one change.
#pragma once

#include <map>
#include <vector>

#include "db/analyses/analyses.h"
#include "db/analyses/site_patterns.h"
#include "db/analyses/weights.h"

namespace cui::db {

/// `vx` of `particles[i].vx`; "" if the expression does not end in a member.
std::string memberOf(const std::string& expression);

/// Which of a site's accesses would need fewer sectors if each field had an array of its own.
inline bool wantsArrays(const Pattern& pattern) {
  return pattern.structSectors > 0 && pattern.soaSectors < pattern.structSectors;
}

/// Of findings about sites (with the numbers of `coalescing`) those about fields of one array become one, at
/// the dearest of them; the others are its related places. The order stays that of the first of each.
void joinFields(std::vector<Finding>& findings, const std::map<std::int64_t, Pattern>& patterns,
                const Weights& weights);

}  // namespace cui::db
