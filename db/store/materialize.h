// From chunks to the plain tables access and access_lane.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "db/store/error.h"

namespace cui::db {

class Database;
struct SiteInfo;

/// Creates the tables; they must not exist.
void createMaterialized(Database& database);
/// Removes the tables if they exist.
void dropMaterialized(Database& database);
/// Adds the rows of all chunks after chunk id `after`; returns the last chunk's id. `proceed` is called
/// now and then with the records done; false stops with ErrorCode::cancelled. Throws.
std::int64_t materializeChunks(Database& database, const std::vector<SiteInfo>& sites, std::int64_t after,
                               const std::function<bool(std::uint64_t done)>& proceed = {});
/// Makes the views on plain tables that are there, whatever version made them, those of this version.
void renewMaterializedViews(Database& database);
/// What a closed trace gets on top: indices.
void indexMaterialized(Database& database);

/// `cuinstrument materialize`: makes (or remakes) the plain tables in a trace, in one transaction.
Error materialize(const std::string& path,
                  const std::function<bool(std::uint64_t done, std::uint64_t total)>& proceed = {});

}  // namespace cui::db
