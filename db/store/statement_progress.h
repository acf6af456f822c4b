// Long statements that can be stopped: an index over millions of rows is one of them.
#pragma once

#include <cstdint>
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

/// The same in work on so many records, of which `reach` says how many are done. `proceed` may be empty.
class RecordProgress {
 public:
  RecordProgress(Database& database,
                 const std::function<bool(std::uint64_t done, std::uint64_t total)>& proceed,
                 std::uint64_t total)
      : proceed_(proceed), total_(total), statements_(database, [this] { return reach(done_); }) {}
  /// False: the work is to end.
  bool reach(std::uint64_t done) {
    done_ = done;
    return !proceed_ || proceed_(done_, total_);
  }

 private:
  const std::function<bool(std::uint64_t done, std::uint64_t total)>& proceed_;
  const std::uint64_t total_;
  std::uint64_t done_ = 0;
  const StatementProgress statements_;  // last: it asks the others
};

}  // namespace cui::db
