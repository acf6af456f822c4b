// See total_table.h.
#include "db/store/total_table.h"

#include "db/store/access_module.h"
#include "db/store/total_cursor.h"

namespace cui::db {

namespace {

struct TotalTableCursor : sqlite3_vtab_cursor {
  explicit TotalTableCursor(AccessTable& table) : sqlite3_vtab_cursor{}, rows(*table.shape, table.source) {}
  TotalCursor rows;
};

TotalCursor& totalRowsOf(sqlite3_vtab_cursor* cursor) {
  return static_cast<TotalTableCursor*>(cursor)->rows;
}

}  // namespace

sqlite3_module totalModule() {
  sqlite3_module module = accessModule();
  module.xOpen = [](sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
    return guarded(&table->zErrMsg, [&] {
      *cursor = new TotalTableCursor(tableOf(table));
      return SQLITE_OK;
    });
  };
  module.xClose = [](sqlite3_vtab_cursor* cursor) {
    delete static_cast<TotalTableCursor*>(cursor);
    return SQLITE_OK;
  };
  module.xFilter = [](sqlite3_vtab_cursor* cursor, int number, const char* plan, int count,
                      sqlite3_value** values) {
    return guarded(&cursor->pVtab->zErrMsg, [&] {
      totalRowsOf(cursor).start(filterOf(plan, count, values), AccessPlan::of(number));
      return SQLITE_OK;
    });
  };
  module.xNext = [](sqlite3_vtab_cursor* cursor) {
    return guarded(&cursor->pVtab->zErrMsg, [&] {
      totalRowsOf(cursor).next();
      return SQLITE_OK;
    });
  };
  module.xEof = [](sqlite3_vtab_cursor* cursor) { return totalRowsOf(cursor).atEnd() ? 1 : 0; };
  module.xColumn = [](sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
    return guarded(&cursor->pVtab->zErrMsg, [&] {
      setResult(context, totalRowsOf(cursor).column(static_cast<std::size_t>(column)));
      return SQLITE_OK;
    });
  };
  module.xRowid = [](sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
    *id = totalRowsOf(cursor).rowId();
    return SQLITE_OK;
  };
  return module;
}

}  // namespace cui::db
