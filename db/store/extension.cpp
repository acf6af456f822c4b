// The tables of single accesses for any SQLite client: libcuinstrument_sqlite, a run-time loadable extension.
#include <sqlite3ext.h>

#include "db/store/access_table.h"

SQLITE_EXTENSION_INIT1

#define CUI_EXPORT extern "C" __attribute__((visibility("default")))

// NOLINTNEXTLINE(readability-identifier-naming): SQLite looks for these names
CUI_EXPORT int sqlite3_cuinstrument_init(sqlite3* connection, char** message,
                                         const sqlite3_api_routines* routines) {
  SQLITE_EXTENSION_INIT2(routines);
  constexpr int oldest = 3'026'000;  // tables without CREATE VIRTUAL TABLE, sqlite3_prepare_v3, …
  if (sqlite3_libversion_number() < oldest) {
    *message = sqlite3_mprintf("cuinstrument needs SQLite 3.26 or newer, this is %s", sqlite3_libversion());
    return SQLITE_ERROR;
  }
  return cui::db::registerAccessTables(connection, nullptr);
}

/// The name SQLite derives from the file's where a client cannot name the entry point.
// NOLINTNEXTLINE(readability-identifier-naming)
CUI_EXPORT int sqlite3_cuinstrumentsqlite_init(sqlite3* connection, char** message,
                                               const sqlite3_api_routines* routines) {
  return sqlite3_cuinstrument_init(connection, message, routines);
}
