// See trace_reader.h. validate() is in validate.cpp.
#include "db/store/trace_reader.h"

#include <unistd.h>

#include <exception>
#include <stdexcept>

#include "db/schema/schema.h"
#include "db/store/access_table.h"
#include "db/store/reader_impl.h"
#include "db/store/trace_file.h"
#include "db/store/upgrade.h"

namespace cui::db {

namespace {

constexpr int progressSteps = 50'000;  // SQLite virtual machine instructions, a few milliseconds

bool isHarmlessPragma(std::string_view name, const char* argument) {
  for (const std::string_view withArgument :
       {"table_info", "table_xinfo", "index_list", "index_info", "index_xinfo", "foreign_key_list",
        "quick_check", "integrity_check"})
    if (name == withArgument) return true;
  if (argument) return false;  // would set it
  for (const std::string_view plain : {"table_list", "database_list", "user_version", "application_id",
                                       "page_count", "page_size", "journal_mode", "compile_options"})
    if (name == plain) return true;
  return false;
}

int authorize(void*, int action, const char* first, const char* second, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return second && std::string_view(second) == "load_extension" ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_UPDATE:
      // SQLite's own declaration of pragma_table_info and its like asks for this; a user's statement that
      // would do it is stopped by DEFENSIVE and query_only.
      return first && std::string_view(first) == "sqlite_master" ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA:
      return first && isHarmlessPragma(first, second) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

Value columnValue(const Statement& statement, int column) {
  sqlite3_stmt* handle = statement.handle();
  switch (sqlite3_column_type(handle, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(handle, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(handle, column);
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle, column));
      return std::string_view(text ? text : "",
                              static_cast<std::size_t>(sqlite3_column_bytes(handle, column)));
    }
    case SQLITE_BLOB:
      return Bytes{statement.blob(column)};
    default:
      return std::monostate();
  }
}

/// A percent-encoded file: URI that reads a file which nobody can be writing.
std::string immutableUri(const std::string& path) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%')
      (uri += '%') += {digits[static_cast<unsigned char>(c) >> 4], digits[c & 15]};
    else
      uri += c;
  }
  return uri + "?immutable=1";
}

/// One thread's use of the reader for as long as it lives.
template <class Impl>
class Use {
 public:
  explicit Use(Impl& impl) : impl_(impl) {
    const std::lock_guard lock(impl_.mutex);
    if (impl_.depth != 0 && impl_.user != std::this_thread::get_id())
      throw std::logic_error("two threads query one reader at a time");
    impl_.user = std::this_thread::get_id();
    ++impl_.depth;
  }
  ~Use() {
    const std::lock_guard lock(impl_.mutex);
    --impl_.depth;
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  Impl& impl_;
};

Database openReadOnly(const std::string& path) {
  try {
    Database database(path, SQLITE_OPEN_READONLY);
    database.integer("SELECT count(*) FROM sqlite_schema");
    return database;
  } catch (const StoreFailure& failure) {
    // A crashed program's trace in a folder that cannot be written: without its log it is what it is.
    if (failure.error().code != ErrorCode::io || access((path + "-wal").c_str(), F_OK) == 0) throw;
    return Database(immutableUri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  }
}

}  // namespace

std::int64_t asInteger(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return static_cast<std::int64_t>(*real);
  return 0;
}
std::uint64_t asUnsigned(const Value& value) {
  return static_cast<std::uint64_t>(asInteger(value));
}
double asReal(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return static_cast<double>(asInteger(value));
}
std::string asText(const Value& value) {
  const auto* text = std::get_if<std::string_view>(&value);
  return text ? std::string(*text) : std::string();
}
bool isNull(const Value& value) {
  return std::holds_alternative<std::monostate>(value);
}

TraceReader::TraceReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TraceReader::~TraceReader() = default;

std::unique_ptr<TraceReader> TraceReader::open(const std::string& path, Error& error) try {
  error = checkTraceFile(path);
  if (error) return nullptr;
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->database = openReadOnly(path);
  Database& database = impl->database;
  sqlite3_busy_timeout(database.handle(), 2000);
  impl->schemaVersion = static_cast<int>(database.integer("PRAGMA user_version"));
  error = checkSchemaVersion(path, impl->schemaVersion);
  if (error) return nullptr;
  sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  database.execute("PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY");
  registerAccessTables(database.handle(), &impl->shouldCancel);
  sqlite3_set_authorizer(database.handle(), authorize, nullptr);
  return std::unique_ptr<TraceReader>(new TraceReader(std::move(impl)));
} catch (const StoreFailure& failure) {
  error = failure.error();
  if (error.code == ErrorCode::sql) error.code = ErrorCode::corrupt;  // our own statements are right
  return nullptr;
} catch (const std::exception& failure) {
  error = {ErrorCode::internal, path + ": " + failure.what()};
  return nullptr;
}

const std::string& TraceReader::path() const {
  return impl_->path;
}
int TraceReader::schemaVersion() const {
  return impl_->schemaVersion;
}
bool TraceReader::complete() const {
  return meta("complete") == "1";
}
bool TraceReader::materialized() const {
  return meta("materialized") == "1";
}

std::string TraceReader::meta(std::string_view key) const {
  std::string result;
  const Value parameter = key;
  const Error ignored = query("SELECT value FROM meta WHERE key = ?",
                              [&](Row row) {
                                result = asText(row[0]);
                                return false;
                              },
                              {&parameter, 1});
  return result;
}

Error TraceReader::holdStill() const try {
  const Use use(*impl_);
  Database& database = impl_->database;
  if (sqlite3_get_autocommit(database.handle()) == 0) return {};
  sqlite3_set_authorizer(database.handle(), nullptr, nullptr);
  database.execute("BEGIN");
  sqlite3_set_authorizer(database.handle(), authorize, nullptr);
  database.integer("SELECT count(*) FROM meta");  // the first read decides what is seen
  return {};
} catch (const StoreFailure& failure) {
  return failure.error();
}

Error TraceReader::query(std::string_view sql, const RowCallback& callback, std::span<const Value> parameters,
                         const ColumnsCallback& columns) const try {
  const Use use(*impl_);
  Statement statement(impl_->database, sql);
  if (!statement.handle()) return {ErrorCode::sql, "empty query; write a SELECT statement"};
  for (std::string_view rest = statement.tail(); !rest.empty();) {  // comments are no statements
    const Statement next(impl_->database, rest);
    if (next.handle()) return {ErrorCode::sql, "more than one statement; run them one by one"};
    rest = next.tail();
  }
  if (!sqlite3_stmt_readonly(statement.handle()))
    return {ErrorCode::sql, impl_->path + ": refused: a trace is only read"};
  int index = 0;
  for (const Value& value : parameters) statement.bindValue(++index, value);
  const int count = sqlite3_column_count(statement.handle());
  if (columns) {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) names.emplace_back(sqlite3_column_name(statement.handle(), i));
    columns(names);
  }
  std::vector<Value> values(static_cast<std::size_t>(count));
  while (statement.step()) {
    for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = columnValue(statement, i);
    if (!callback(values)) break;
  }
  return {};
} catch (const StoreFailure& failure) {
  return failure.error();
} catch (const std::exception& failure) {
  return {ErrorCode::internal, impl_->path + ": " + failure.what()};
}

std::int64_t TraceReader::integer(std::string_view sql, Error& error) const {
  std::int64_t result = 0;
  error = query(sql, [&](Row row) {
    result = row.empty() ? 0 : asInteger(row[0]);
    return false;
  });
  return result;
}

void TraceReader::setProgress(std::function<bool()> shouldCancel) {
  impl_->shouldCancel = std::move(shouldCancel);
  const auto handler = [](void* argument) -> int {
    return static_cast<Impl*>(argument)->shouldCancel() ? 1 : 0;
  };
  if (impl_->shouldCancel)
    sqlite3_progress_handler(impl_->database.handle(), progressSteps, handler, impl_.get());
  else
    sqlite3_progress_handler(impl_->database.handle(), 0, nullptr, nullptr);
}

}  // namespace cui::db
