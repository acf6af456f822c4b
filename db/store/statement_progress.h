// Long statements that can be stopped: an index over millions of rows is one of them.
#pragma once

#include <functional>
#include <utility>

#include "db/store/sqlite.h"

namespace cui::db {

/// While it lives, statements of the connection ask `proceed` every few milliseconds, and fail with
/// ErrorCode::cancelled once it says false. One at a time on a connection; `proceed` must not throw.
class StatementProgress {
 public:
  StatementProgress(Database& database, std::function<bool()> proceed)
      : handle_(database.handle()), proceed_(std::move(proceed)) {
    sqlite3_progress_handler(
        handle_, steps, [](void* self) { return static_cast<StatementProgress*>(self)->proceed_() ? 0 : 1; },
        this);
  }
  ~StatementProgress() { sqlite3_progress_handler(handle_, 0, nullptr, nullptr); }
  StatementProgress(const StatementProgress&) = delete;
  StatementProgress& operator=(const StatementProgress&) = delete;

 private:
  static constexpr int steps = 50'000;  ///< instructions of SQLite's virtual machine
  sqlite3* const handle_;
  const std::function<bool()> proceed_;
};

}  // namespace cui::db
