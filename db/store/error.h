// How the store reports failure: a code for the exit status, one line for the user.
#pragma once

#include <string>
#include <utility>

namespace cui::db {

enum class ErrorCode {
  none,
  busy,  ///< another live process writes this trace
  notADatabase,
  notATrace,    ///< a database, but not one of ours
  truncated,    ///< shorter than its own header says
  newerSchema,  ///< written by a later version of the tool
  olderSchema,  ///< cuinstrument upgrade makes it readable
  corrupt,
  io,         ///< missing, unreadable, read-only, full
  sql,        ///< the query is wrong, or would write
  cancelled,  ///< the progress hook said stop
  internal,
};

/// Converts to true if it is an error. `message` is one line: what, where, what to do.
struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::none;
  std::string message;

  Error() = default;
  Error(ErrorCode c, std::string text) : code(c), message(std::move(text)) {}
  explicit operator bool() const { return code != ErrorCode::none; }
};

}  // namespace cui::db
