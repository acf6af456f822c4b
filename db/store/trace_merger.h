// The rows and accesses of several traces into a new one. See merge.h for what is kept apart how.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "db/store/sqlite.h"

namespace cui::db {

/// `database`: an empty trace, opened with SQLITE_OPEN_URI. `materialized`: all of the traces have their
/// plain tables. Throws StoreFailure; what is in the new trace then is of no use.
void mergeRows(Database& database, const std::vector<std::string>& inputs,
               const std::function<bool(std::uint64_t done, std::uint64_t total)>& proceed,
               bool& materialized);

}  // namespace cui::db
