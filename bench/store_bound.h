// What SQLite takes for the rows of any virtual table: a table that does nothing but count, with the columns
// of which a scan asks one. No table can be scanned faster.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <cstdlib>

namespace cui::bench {

class CountingTable {
 public:
  /// A connection of its own, on which `counting` is a table of `rows` rows.
  explicit CountingTable(std::int64_t rows) : rows_(rows) {
    static const sqlite3_module module = makeModule();
    if (sqlite3_open(":memory:", &connection_) != SQLITE_OK ||
        sqlite3_create_module_v2(connection_, "counting", &module, &rows_, nullptr) != SQLITE_OK)
      std::abort();
  }
  ~CountingTable() { sqlite3_close(connection_); }
  CountingTable(const CountingTable&) = delete;
  CountingTable& operator=(const CountingTable&) = delete;

  /// The first column of the first row of a statement.
  std::int64_t ask(const char* sql) const {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(connection_, sql, -1, &statement, nullptr) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW)
      std::abort();
    const std::int64_t answer = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return answer;
  }

 private:
  struct Table : sqlite3_vtab {
    std::int64_t rows = 0;
  };
  struct Cursor : sqlite3_vtab_cursor {
    std::int64_t row = 0, end = 0;
  };
  static Cursor& cursorOf(sqlite3_vtab_cursor* cursor) { return *static_cast<Cursor*>(cursor); }

  static sqlite3_module makeModule() {
    sqlite3_module module = {};
    module.xConnect = [](sqlite3* handle, void* rows, int, const char* const*, sqlite3_vtab** table, char**) {
      auto* made = new Table;
      made->rows = *static_cast<const std::int64_t*>(rows);
      *table = made;
      return sqlite3_declare_vtab(handle, "CREATE TABLE x(address INTEGER)");
    };
    module.xBestIndex = [](sqlite3_vtab*, sqlite3_index_info*) { return SQLITE_OK; };
    module.xDisconnect = [](sqlite3_vtab* table) {
      delete static_cast<Table*>(table);
      return SQLITE_OK;
    };
    module.xOpen = [](sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
      *cursor = new Cursor;
      return SQLITE_OK;
    };
    module.xClose = [](sqlite3_vtab_cursor* cursor) {
      delete static_cast<Cursor*>(cursor);
      return SQLITE_OK;
    };
    module.xFilter = [](sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
      cursorOf(cursor).row = 0;
      cursorOf(cursor).end = static_cast<Table*>(cursor->pVtab)->rows;
      return SQLITE_OK;
    };
    module.xNext = [](sqlite3_vtab_cursor* cursor) {
      ++cursorOf(cursor).row;
      return SQLITE_OK;
    };
    module.xEof = [](sqlite3_vtab_cursor* cursor) {
      return cursorOf(cursor).row < cursorOf(cursor).end ? 0 : 1;
    };
    module.xColumn = [](sqlite3_vtab_cursor* cursor, sqlite3_context* context, int) {
      sqlite3_result_int64(context, cursorOf(cursor).row);
      return SQLITE_OK;
    };
    module.xRowid = [](sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
      *id = cursorOf(cursor).row;
      return SQLITE_OK;
    };
    return module;
  }

  std::int64_t rows_;
  sqlite3* connection_ = nullptr;
};

}  // namespace cui::bench
