// Which full expressions one after the other have their accesses recorded together, in front of the first of
// them (constructs/statements.h): as many whole ones as a call can record.
#pragma once

#include <map>
#include <vector>

#include "constructs/findings.h"
#include "driver/loop_groups.h"

namespace cui::driver {

/// A full expression, and those of its accesses that can be recorded in front of it.
struct RunStep {
  constructs::Span whole;
  std::vector<constructs::AccessFound*> accesses;
};
using Run = std::vector<RunStep>;
using Members = std::map<constructs::Span, std::vector<constructs::AccessFound*>>;

/// All of `members`, which are accesses by full expression, those that go together in one run.
std::vector<Run> runsOf(const Members& members, const std::vector<constructs::AccessFound>& accesses,
                        LoopGroups& loops);

}  // namespace cui::driver
