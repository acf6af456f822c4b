// Which objects of a trace a change of layout moves, and where to. See what_if.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/analyses/access_scan.h"
#include "db/analyses/address_change.h"
#include "db/analyses/trace_model.h"

namespace cui::db {

struct LayoutChange {
  enum class Kind { pad, structOfArrays, swapIndices };
  Kind kind = Kind::pad;
  std::string name;               ///< of an allocation or shared variable; `function::name` for the latter
  std::uint64_t padElements = 1;  ///< after each row
  std::uint64_t rowElements = 0;  ///< 0: as declared, or as pitched
};

/// An object that changes apply to.
struct WhatIfObject {
  std::string name, description;                  ///< "rows of 32 elements of 4 bytes, padded by 1"
  std::uint64_t count = 0;                        ///< allocations, or launches of a shared variable
  std::uint64_t bytesBefore = 0, bytesAfter = 0;  ///< of one; the largest
};

struct ChangedObject {
  AddressChange layout;
  std::uint64_t newAddress = 0;
};

struct LayoutPlan {
  std::map<const Object*, ChangedObject> changed;  ///< by objects of the model
  std::vector<WhatIfObject> objects;               ///< the same, summed up for a reader
};

/// Reads the accesses once if a change needs to know the fields of a struct. ErrorCode::sql if a name fits
/// nothing, or a row's length is not known.
Error planLayout(const TraceReader& reader, const TraceModel& model, const std::vector<LayoutChange>& changes,
                 const ScanOptions& scan, LayoutPlan& plan);

}  // namespace cui::db
