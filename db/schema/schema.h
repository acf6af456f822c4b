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

/// From the version before to `version`, within the caller's transaction. Throws.
void applyMigration(Database& database, int version);
/// Makes an empty database an empty trace. Throws.
void createSchema(Database& database);

}  // namespace cui::db
