// A new SQLite file of plain tables with what a trace's tables and views answer: for programs that look for
// tables, and not for views.
#pragma once

#include <span>
#include <string>

#include "db/store/error.h"

namespace cui::db {

class TraceReader;

/// Each of `tables` becomes a table of the same name and columns. The file replaces what was called `path`,
/// once it is complete; the reader's progress hook cancels.
Error writeTableFile(const TraceReader& reader, std::span<const char* const> tables, const std::string& path);

}  // namespace cui::db
