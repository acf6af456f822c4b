// The rows of arrays: how far apart two elements of one column are. For pictures in two dimensions.
#pragma once

#include <cstdint>
#include <map>

#include "db/analyses/trace_model.h"

namespace cui::db {

struct ArrayShape {
  std::uint64_t rowBytes = 0;
  const char* origin = "";  ///< how that is known, for people
};

/// What is declared or was allocated with a pitch is known. For others the accesses say: where the lanes of a
/// warp, the rows of a block or of a grid, or the steps of a loop keep one distance, that is a row.
class ArrayShapes {
 public:
  /// Looks at the first accesses of each kernel's first launches.
  static Error load(const TraceReader& reader, const TraceModel& model, ArrayShapes& shapes);
  /// Null: nothing says that the object has rows. Objects are the model's.
  const ArrayShape* find(const Object& object) const;

 private:
  std::map<const Object*, ArrayShape> shapes_;
};

}  // namespace cui::db
