// The virtual tables access, access_lane, thread_access and access_total over the chunks.
#pragma once

#include <functional>

struct sqlite3;

namespace cui::db {

enum class AccessTableNames {
  all,    ///< also by the names that plain tables have: those come first where there are any
  stored  ///< stored_access, stored_access_lane, … only
};

/// Makes the tables known to a connection. Returns SQLite's result code. `cancel`: see AccessSource::Cancel;
/// null or outliving the connection.
int registerAccessTables(sqlite3* connection, const std::function<bool()>* cancel,
                         AccessTableNames names = AccessTableNames::all);

}  // namespace cui::db
