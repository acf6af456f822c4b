// A thin RAII layer over sqlite3, internal to db/. Failures are thrown as StoreFailure and turned into
// Error at the interface (TraceWriter, TraceReader).
#pragma once

#ifdef CUI_SQLITE_EXTENSION
#include <sqlite3ext.h>  // calls go through the table of the SQLite that loaded the extension
extern "C" {
SQLITE_EXTENSION_INIT3
}
#else
#include <sqlite3.h>
#endif

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "db/store/error.h"
#include "db/store/value.h"

namespace cui::db {

class StoreFailure : public std::exception {
 public:
  explicit StoreFailure(Error error) : error_(std::move(error)) {}
  const char* what() const noexcept override { return error_.message.c_str(); }
  const Error& error() const { return error_; }

 private:
  Error error_;
};

class Database {
 public:
  Database() = default;
  /// `flags` as for sqlite3_open_v2. Throws.
  Database(const std::string& path, int flags);
  /// Somebody else's connection, which stays open.
  explicit Database(sqlite3* borrowed);
  ~Database() { close(); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  Database(Database&& other) noexcept
      : handle_(other.handle_), path_(std::move(other.path_)), owned_(other.owned_) {
    other.handle_ = nullptr;
  }
  Database& operator=(Database&& other) noexcept;

  void close();
  sqlite3* handle() const { return handle_; }
  const std::string& path() const { return path_; }
  /// Runs one or more statements, ignoring rows.
  void execute(std::string_view sql);
  /// The first column of the first row, 0 if there is none.
  std::int64_t integer(std::string_view sql);
  [[noreturn]] void fail(int code) const;

 private:
  sqlite3* handle_ = nullptr;
  std::string path_;
  bool owned_ = true;
};

/// What SQLite's result code means to the user, with the file's name.
Error errorOf(sqlite3* handle, int code, const std::string& path);

using Blob = std::span<const std::uint8_t>;

/// One prepared statement. Bound text and blobs must live until the next reset.
class Statement {
 public:
  Statement() = default;
  Statement(Database& database, std::string_view sql);
  ~Statement() { sqlite3_finalize(handle_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  Statement(Statement&& other) noexcept
      : database_(other.database_), handle_(other.handle_), tail_(other.tail_) {
    other.handle_ = nullptr;
  }
  Statement& operator=(Statement&& other) noexcept;

  void prepare(Database& database, std::string_view sql) { *this = Statement(database, sql); }
  void reset() { sqlite3_reset(handle_); }
  /// True: there is a row.
  bool step();
  /// Binds all parameters, in order, after a reset.
  template <class... T>
  Statement& bind(const T&... values) {
    reset();
    int index = 0;
    (bindOne(++index, values), ...);
    return *this;
  }
  /// Binds, runs to the end, resets.
  template <class... T>
  void run(const T&... values) {
    bind(values...);
    while (step()) {
    }
    reset();
  }

  void bindNull(int index) { check(sqlite3_bind_null(handle_, index)); }
  void bindValue(int index, const Value& value);
  template <class T>
  void bindOne(int index, const T& value) {
    if constexpr (std::is_same_v<T, std::nullptr_t>)
      check(sqlite3_bind_null(handle_, index));
    else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      check(sqlite3_bind_int64(handle_, index, static_cast<sqlite3_int64>(value)));
    else if constexpr (std::is_floating_point_v<T>)
      check(sqlite3_bind_double(handle_, index, static_cast<double>(value)));
    else if constexpr (std::is_same_v<T, std::optional<std::int64_t>>)
      check(value ? sqlite3_bind_int64(handle_, index, *value) : sqlite3_bind_null(handle_, index));
    else if constexpr (std::is_same_v<T, Blob>)
      check(sqlite3_bind_blob64(handle_, index, value.data(), value.size(), SQLITE_STATIC));
    else {
      const std::string_view text(value);
      check(sqlite3_bind_text64(handle_, index, text.data() ? text.data() : "", text.size(), SQLITE_STATIC,
                                SQLITE_UTF8));
    }
  }

  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_, column); }
  double real(int column) const { return sqlite3_column_double(handle_, column); }
  bool isNull(int column) const { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }
  std::string text(int column) const;
  Blob blob(int column) const;
  sqlite3_stmt* handle() const { return handle_; }
  /// What follows the statement in the text it was prepared from.
  std::string_view tail() const { return tail_; }

 private:
  void check(int code) const {
    if (code != SQLITE_OK) database_->fail(code);
  }
  Database* database_ = nullptr;
  sqlite3_stmt* handle_ = nullptr;
  std::string_view tail_;
};

}  // namespace cui::db
