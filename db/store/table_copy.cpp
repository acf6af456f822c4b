// See table_copy.h.
#include "db/store/table_copy.h"

#include <set>

namespace cui::db {

std::vector<std::string> columnsOf(Database& database, const std::string& table) {
  std::vector<std::string> columns;
  Statement query(database, "SELECT name FROM pragma_table_info(?, 'main')");
  for (query.bind(table); query.step();) columns.push_back(query.text(0));
  return columns;
}

void copyTable(Database& database, const std::string& table, const TableCopy& how) {
  std::string names, values;
  for (const std::string& column : columnsOf(database, table)) {
    if (column == how.without) continue;
    const auto found = how.moved.find(column);
    names += (names.empty() ? "\"" : ", \"") + column + '"';
    values +=
        (values.empty() ? "" : ", ") + (found == how.moved.end() ? "t.\"" + column + '"' : found->second);
  }
  database.execute(std::string(how.verb) + " INTO main." + table + "(" + names + ") SELECT " + values +
                   " FROM src." + table + " t" + how.where);
}

std::vector<std::string> plainTables(Database& database) {
  static const std::set<std::string> others = {"meta",
                                               "process",
                                               "trace_stat",  // of the whole trace
                                               "unit",
                                               "source_file",
                                               "function",
                                               "site",
                                               "shared_variable",  // of the program
                                               "access_chunk",
                                               "access_chunk_site",
                                               "access",
                                               "access_lane_detail",
                                               "lane"};  // accesses
  std::vector<std::string> tables;
  Statement query(database,
                  "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
  while (query.step())
    if (others.count(query.text(0)) == 0) tables.push_back(query.text(0));
  return tables;
}

}  // namespace cui::db
