// See table_file.h.
#include "db/store/table_file.h"

#include <filesystem>
#include <system_error>

#include "db/store/sqlite.h"
#include "db/store/trace_reader.h"

namespace cui::db {

namespace {

std::string quoted(const std::string& name) {
  return '"' + name + '"';
}

void copyRows(const TraceReader& reader, const std::string& table, Database& output) {
  Statement insert;
  Error failure;
  const auto guarded = [&failure](const auto& action) {  // nothing may be thrown through the query
    try {
      action();
      return true;
    } catch (const StoreFailure& thrown) {
      failure = thrown.error();
      return false;
    }
  };
  const auto columns = [&](std::span<const std::string> names) {
    std::string list, parameters;
    for (const std::string& name : names) {
      list += (list.empty() ? "" : ", ") + quoted(name);
      parameters += parameters.empty() ? "?" : ", ?";
    }
    guarded([&] {
      output.execute("CREATE TABLE " + quoted(table) + "(" + list + ")");
      insert.prepare(output, "INSERT INTO " + quoted(table) + " VALUES(" + parameters + ")");
    });
  };
  const auto row = [&](Row values) {
    return !failure && guarded([&] {
      insert.reset();
      int parameter = 0;
      for (const Value& value : values) insert.bindValue(++parameter, value);
      insert.step();
    });
  };
  const Error error = reader.query("SELECT * FROM " + quoted(table), row, {}, columns);
  if (failure) throw StoreFailure(failure);
  if (error) throw StoreFailure(error);
}

void removeIfThere(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

}  // namespace

Error writeTableFile(const TraceReader& reader, std::span<const char* const> tables,
                     const std::string& path) try {
  const std::string temporary = path + ".part";
  removeIfThere(temporary);
  try {
    Database output(temporary, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    output.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
    for (const char* const table : tables) copyRows(reader, table, output);
    output.execute("COMMIT");
  } catch (...) {
    removeIfThere(temporary);
    throw;
  }
  std::error_code failure;
  std::filesystem::rename(temporary, path, failure);
  if (!failure) return {};
  removeIfThere(temporary);
  return {ErrorCode::io, path + ": " + failure.message()};
} catch (const StoreFailure& failure) {
  return failure.error();
} catch (const std::exception& failure) {
  return {ErrorCode::internal, path + ": " + failure.what()};
}

}  // namespace cui::db
