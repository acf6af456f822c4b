// What registered units tell the executor: static spaces of sites, file-scope shared variables, names.
#pragma once

#include <cstdint>

#include "cuinstrument/format/unit.h"

namespace cui::cpu {

/// A file-scope __shared__ variable: where it lies relative to cuiDynamicShared in every thread.
struct GlobalShared {
  std::int64_t offset;
  std::size_t bytes;
};
bool findGlobalShared(std::int64_t offset, GlobalShared& found);

/// What the source alone says about the memory that this site accesses.
format::Space staticSpace(std::uint32_t site);

/// The site's entry, null if no unit has it.
const format::SiteEntry* findSite(std::uint32_t site, const format::UnitTable*& unit);

}  // namespace cui::cpu
