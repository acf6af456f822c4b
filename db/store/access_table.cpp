// See access_table.h. Failures are exceptions up to what SQLite calls.
#include "db/store/access_table.h"

#include "db/store/access_cursor.h"
#include "db/store/access_module.h"
#include "db/store/total_table.h"

namespace cui::db {

namespace {

struct Cursor : sqlite3_vtab_cursor {
  explicit Cursor(AccessTable& table) : sqlite3_vtab_cursor{}, rows(*table.shape, table.source) {}
  AccessCursor rows;
};

// --- what SQLite calls ---

AccessCursor& rowsOf(sqlite3_vtab_cursor* cursor) {
  return static_cast<Cursor*>(cursor)->rows;
}

int openCursor(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  return guarded(&table->zErrMsg, [&] {
    *cursor = new Cursor(tableOf(table));
    return SQLITE_OK;
  });
}

int closeCursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

int filterRows(sqlite3_vtab_cursor* cursor, int number, const char* plan, int count, sqlite3_value** values) {
  return guarded(&cursor->pVtab->zErrMsg, [&] {
    rowsOf(cursor).start(filterOf(plan, count, values), AccessPlan::of(number).decode);
    return SQLITE_OK;
  });
}

int nextRow(sqlite3_vtab_cursor* cursor) {
  return guarded(&cursor->pVtab->zErrMsg, [&] {
    rowsOf(cursor).next();
    return SQLITE_OK;
  });
}

int atEnd(sqlite3_vtab_cursor* cursor) {
  return rowsOf(cursor).atEnd() ? 1 : 0;
}

int columnOfRow(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
  std::int64_t number = 0;
  if (rowsOf(cursor).number(static_cast<std::size_t>(column), number)) {
    sqlite3_result_int64(context, number);
    return SQLITE_OK;
  }
  return guarded(&cursor->pVtab->zErrMsg, [&] {
    setResult(context, rowsOf(cursor).column(static_cast<std::size_t>(column)));
    return SQLITE_OK;
  });
}

int rowIdOfRow(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = rowsOf(cursor).rowId();
  return SQLITE_OK;
}

sqlite3_module makeModule() {
  sqlite3_module module = accessModule();
  module.xOpen = openCursor;
  module.xClose = closeCursor;
  module.xFilter = filterRows;
  module.xNext = nextRow;
  module.xEof = atEnd;
  module.xColumn = columnOfRow;
  module.xRowid = rowIdOfRow;
  return module;
}

}  // namespace

int registerAccessTables(sqlite3* connection, const std::function<bool()>* cancel, AccessTableNames names) {
  static const sqlite3_module rows = makeModule(), totals = totalModule();
  char* message = nullptr;
  const int result = guarded(&message, [&] {
    const auto shared = std::make_shared<AccessConnection>();
    shared->handle = connection;
    shared->cancel = cancel;
    for (const AccessTableShape& shape : accessTableShapes()) {
      for (const std::string& name : {"stored_" + std::string(shape.name), std::string(shape.name)}) {
        if (names == AccessTableNames::stored && name == shape.name) continue;
        const int code = sqlite3_create_module_v2(
            connection, name.c_str(), shape.form == AccessForm::totals ? &totals : &rows,
            new AccessModule{shared, &shape}, [](void* data) { delete static_cast<AccessModule*>(data); });
        if (code != SQLITE_OK) return code;  // SQLite has deleted the module's data
      }
    }
    return SQLITE_OK;
  });
  sqlite3_free(message);
  return result;
}

}  // namespace cui::db
