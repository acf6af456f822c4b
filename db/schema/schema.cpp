// Migrations are the embedded files named NNNN_name; their number is the schema version they lead to.
#include "db/schema/schema.h"

#include <charconv>
#include <map>
#include <stdexcept>
#include <string>

#include "db/store/sqlite.h"

namespace cui::db {

namespace {

std::map<int, const EmbeddedSql*> migrations() {
  std::map<int, const EmbeddedSql*> result;
  for (std::size_t i = 0; i < embeddedSqlCount; ++i) {
    const std::string_view name = embeddedSql[i].name;
    int version = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), version).ec == std::errc() &&
        !result.emplace(version, &embeddedSql[i]).second)
      throw std::logic_error("two migrations lead to schema version " + std::to_string(version));
  }
  return result;
}

}  // namespace

std::string_view sqlText(std::string_view name) {
  for (std::size_t i = 0; i < embeddedSqlCount; ++i)
    if (name == embeddedSql[i].name) return embeddedSql[i].text;
  throw std::logic_error("no embedded SQL named " + std::string(name));
}

int schemaVersion() {
  return migrations().rbegin()->first;
}

void applyMigration(Database& database, int version) {
  database.execute(migrations().at(version)->text);
  database.execute("PRAGMA application_id = " + std::to_string(applicationId));
  database.execute("PRAGMA user_version = " + std::to_string(version));
}

void createSchema(Database& database) {
  database.execute("BEGIN IMMEDIATE");
  for (int version = 1; version <= schemaVersion(); ++version) applyMigration(database, version);
  database.execute("COMMIT");
}

}  // namespace cui::db
