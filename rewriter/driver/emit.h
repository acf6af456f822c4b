// From what was found to numbered tables and edited files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "constructs/findings.h"
#include "constructs/sources.h"
#include "driver/loop_groups.h"
#include "edit/edit_plan.h"
#include "sites/table.h"

namespace cui::driver {

/// How the reasons of barriers begin that are not recorded; they are no accesses.
constexpr std::string_view barrierReason = "barrier: ";

struct Emission {
  sites::Table table;
  std::map<constructs::FileIndex, edit::EditPlan> plans;  ///< of the files that have edits
};

/// `accesses` are those of the findings, `loops` the loops of these.
Emission emit(const constructs::Findings& findings, std::vector<constructs::AccessFound> accesses,
              LoopGroups loops, const constructs::Preprocessing& preprocessing, constructs::Sources& sources,
              constructs::FileIndex mainFile);

}  // namespace cui::driver
