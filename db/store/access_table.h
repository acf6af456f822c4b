// The virtual tables access, access_lane and thread_access over the chunks.
#pragma once

#include <functional>

struct sqlite3;

namespace cui::db {

enum class AccessTableNames {
  all,    ///< also access, access_lane and thread_access, if the trace has no plain tables: those come first
  stored  ///< stored_access, stored_access_lane and stored_thread_access only
};

/// Makes the tables known to a connection. Returns SQLite's result code. `cancel`: see AccessSource::Cancel;
/// null or outliving the connection.
int registerAccessTables(sqlite3* connection, const std::function<bool()>* cancel,
                         AccessTableNames names = AccessTableNames::all);

}  // namespace cui::db
