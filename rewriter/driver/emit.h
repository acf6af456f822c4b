// From what was found to numbered tables and edited files.
#pragma once

#include <map>
#include <string>

#include "constructs/findings.h"
#include "constructs/sources.h"
#include "edit/edit_plan.h"
#include "sites/table.h"

namespace cui::driver {

struct Emission {
  sites::Table table;
  std::map<constructs::FileIndex, edit::EditPlan> plans;  ///< of the files that have edits
};

Emission emit(const constructs::Findings& findings, const constructs::Preprocessing& preprocessing,
              constructs::Sources& sources, constructs::FileIndex mainFile);

}  // namespace cui::driver
