// The schema: numbered migrations and named SQL texts, embedded from the .sql files of db/.
#pragma once

#include <cstddef>
#include <string_view>

namespace cui::db {

class Database;

struct EmbeddedSql {
  const char* name;  ///< file name without .sql
  const char* text;
};
extern const EmbeddedSql embeddedSql[];
extern const std::size_t embeddedSqlCount;

/// The text of <name>.sql. The name must exist.
std::string_view sqlText(std::string_view name);

/// SQLite's application_id of a trace: "cuiT".
constexpr int applicationId = 0x63756954;

/// The version this library writes and reads: the number of the last migration.
int schemaVersion();

/// Applies the migrations after the database's user_version, each in a transaction of its own. Throws.
void migrate(Database& database);

}  // namespace cui::db
