// Copying tables of an attached trace ("src") into a trace ("main"), column by column.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "db/store/sqlite.h"

namespace cui::db {

/// Of the table in "main", in their order.
std::vector<std::string> columnsOf(Database& database, const std::string& table);

struct TableCopy {
  /// What a column becomes, in SQL, of the row `t`; a column that is not here is copied. By names, so that
  /// one more column in a table needs no word.
  std::map<std::string, std::string> moved;
  const char* verb = "INSERT";
  std::string without;     ///< a column that gets a value of its own
  const char* where = "";  ///< " WHERE …"
};
void copyTable(Database& database, const std::string& table, const TableCopy& how);

/// The tables whose rows all belong to one process, in a trace of this schema.
std::vector<std::string> plainTables(Database& database);

}  // namespace cui::db
