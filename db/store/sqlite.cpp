// See sqlite.h.
#include "db/store/sqlite.h"

#include <algorithm>
#include <cerrno>

namespace cui::db {

Error errorOf(sqlite3* handle, int code, const std::string& path) {
  std::string detail = handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  std::replace(detail.begin(), detail.end(), '\n',
               ' ');  // a damaged view's text is in it, and an error is one line
  const int systemError = handle ? sqlite3_system_errno(handle) : 0;
  // A write that was cut short reports no errno: nearly always the disk or the user's quota is full.
  const bool full = systemError == ENOSPC || systemError == EFBIG || systemError == EDQUOT ||
                    code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_SHMSIZE;
  switch (code & 0xff) {
    case SQLITE_FULL:
      return {ErrorCode::io, path + ": disk full; free space or write the trace elsewhere"};
    case SQLITE_IOERR:
      if (full) return {ErrorCode::io, path + ": disk full; free space or write the trace elsewhere"};
      return {ErrorCode::io, path + ": input/output error (" + detail + ")"};
    case SQLITE_READONLY:
      return {ErrorCode::io, path + ": read-only; choose a place that can be written"};
    case SQLITE_CANTOPEN:
      return {ErrorCode::io,
              path + ": cannot be opened; check that it exists and the permissions of its folder"};
    case SQLITE_PERM:
      return {ErrorCode::io, path + ": permission denied"};
    case SQLITE_NOTADB:
      return {ErrorCode::notADatabase, path + ": not a trace (not an SQLite database)"};
    case SQLITE_CORRUPT:
      return {ErrorCode::corrupt, path + ": damaged (" + detail + "); record it again"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::busy, path + ": in use by another process; try again when it has ended"};
    case SQLITE_INTERRUPT:
      return {ErrorCode::cancelled, path + ": query cancelled"};
    case SQLITE_AUTH:
      return {ErrorCode::sql, path + ": refused: a trace is only read (" + detail + ")"};
    case SQLITE_NOMEM:
      return {ErrorCode::internal, path + ": out of memory"};
    default:
      return {ErrorCode::sql, path + ": " + detail};
  }
}

Database::Database(const std::string& path, int flags) : path_(path) {
  // SQLite gives names like ":memory:" and "file:…" a meaning of their own; ours are always files.
  const bool plain = (flags & SQLITE_OPEN_URI) != 0 || path.starts_with('/');
  // A connection belongs to one thread at a time: SQLite need not lock it at every call.
  const int code =
      sqlite3_open_v2((plain ? path : "./" + path).c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code != SQLITE_OK) {
    const Error error = errorOf(handle_, code, path);
    close();
    throw StoreFailure(error);
  }
  sqlite3_extended_result_codes(handle_, 1);
}

Database::Database(sqlite3* borrowed) : handle_(borrowed), owned_(false) {
  if (const char* const path = sqlite3_db_filename(borrowed, "main")) path_ = path;
}

Database& Database::operator=(Database&& other) noexcept {
  if (this != &other) {
    close();
    handle_ = other.handle_;
    path_ = std::move(other.path_);
    owned_ = other.owned_;
    other.handle_ = nullptr;
  }
  return *this;
}

void Database::close() {
  if (owned_) sqlite3_close_v2(handle_);
  handle_ = nullptr;
}

void Database::execute(std::string_view sql) {
  const std::string text(sql);
  const int code = sqlite3_exec(handle_, text.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Database::integer(std::string_view sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

void Database::fail(int code) const {
  throw StoreFailure(errorOf(handle_, code, path_));
}

Statement::Statement(Database& database, std::string_view sql) : database_(&database) {
  const char* tail = sql.data();
  const int code = sqlite3_prepare_v3(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle_, &tail);
  if (code != SQLITE_OK) database.fail(code);
  tail_ = sql.substr(static_cast<std::size_t>(tail - sql.data()));
}

Statement& Statement::operator=(Statement&& other) noexcept {
  if (this != &other) {
    sqlite3_finalize(handle_);
    database_ = other.database_;
    handle_ = other.handle_;
    tail_ = other.tail_;
    other.handle_ = nullptr;
  }
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const Error error = errorOf(database_->handle(), code, database_->path());
  sqlite3_reset(handle_);
  throw StoreFailure(error);
}

void Statement::bindValue(int index, const Value& value) {
  std::visit(
      [&](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          bindNull(index);
        else if constexpr (std::is_same_v<T, Bytes>)
          bindOne(index, Blob(v.data));
        else
          bindOne(index, v);
      },
      value);
}

std::string Statement::text(int column) const {
  const unsigned char* data = sqlite3_column_text(handle_, column);
  if (!data) return {};
  return {reinterpret_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

Blob Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(handle_, column);
  return {static_cast<const std::uint8_t*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

}  // namespace cui::db
