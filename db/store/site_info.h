// What a record's reader needs of its site.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/store/value_types.h"

namespace cui::db {

class Database;

/// Found by site number.
struct SiteInfo {
  std::int64_t id = 0;
  std::uint32_t bytes = 0;
  std::string kind;
  ValueTypes valueTypes;
};
/// `schema`: the attached database the trace is in.
std::vector<SiteInfo> loadSites(Database& database, const std::string& schema = "main");

/// A name in double quotes, for SQL.
std::string quotedName(const std::string& name);

}  // namespace cui::db
