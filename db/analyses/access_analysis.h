// An analysis that looks at every single access. See analyses.h.
#pragma once

#include <vector>

#include "db/analyses/access_scan.h"
#include "db/analyses/analyses.h"

namespace cui::db {

class AccessAnalysis : public AccessVisitor {
 public:
  /// After the last access: what was found, worst first within a severity.
  virtual void finish(std::vector<Finding>& findings) = 0;
};

}  // namespace cui::db
