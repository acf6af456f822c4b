// The virtual tables access, access_lane and thread_access over the chunks.
#pragma once

#include <functional>

struct sqlite3;

namespace cui::db {

/// Makes the tables known to a connection: under their own names where the trace has no plain tables of these
/// names (those come first in SQLite's look-up), and always as stored_access, stored_access_lane and
/// stored_thread_access. Returns SQLite's result code. `cancel`: see AccessSource::Cancel; null or outliving
/// the connection.
int registerAccessTables(sqlite3* connection, const std::function<bool()>* cancel);

}  // namespace cui::db
