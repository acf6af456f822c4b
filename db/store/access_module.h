// What the virtual tables over the chunks have in common: connecting, planning, and errors. Private to the
// tables' own files.
#pragma once

#include <map>
#include <memory>
#include <new>
#include <string>

#include "db/store/access_cursor.h"
#include "db/store/access_source.h"

namespace cui::db {

/// What a connection's tables share; SQLite owns one reference for each module.
struct AccessConnection {
  sqlite3* handle = nullptr;
  const AccessSource::Cancel* cancel = nullptr;
  std::map<std::string, std::weak_ptr<AccessSource>> sources;

  std::shared_ptr<AccessSource> source(const std::string& schema);
};

struct AccessModule {
  std::shared_ptr<AccessConnection> connection;
  const AccessTableShape* shape;
};

struct AccessTable : sqlite3_vtab {
  const AccessTableShape* shape = nullptr;
  std::shared_ptr<AccessSource> source;
};
inline AccessTable& tableOf(sqlite3_vtab* table) {
  return *static_cast<AccessTable*>(table);
}

int resultCodeOf(ErrorCode code);

/// Runs `action`, which returns a result code; what it throws becomes a code and a message.
template <class F>
int guarded(char** message, F&& action) noexcept {
  const auto say = [message](const char* text) {
    sqlite3_free(*message);
    *message = sqlite3_mprintf("%s", text);
  };
  try {
    return action();
  } catch (const StoreFailure& failure) {
    say(failure.what());
    return resultCodeOf(failure.error().code);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception& failure) {
    say(failure.what());
    return SQLITE_ERROR;
  }
}

/// What xBestIndex found out, as SQLite hands it to xFilter in one number.
struct AccessPlan {
  bool decode = false;       ///< a chunk's records have to be looked at, not only counted
  std::uint32_t fields = 0;  ///< the AccessFields that the statement names, a bit each

  int number() const { return static_cast<int>(fields << 1 | (decode ? 1u : 0u)); }
  static AccessPlan of(int number) {
    const auto bits = static_cast<std::uint32_t>(number);
    return {(bits & 1) != 0, bits >> 1};
  }
  bool names(AccessField field) const { return (fields >> static_cast<unsigned>(field) & 1) != 0; }
};

AccessFilter filterOf(const char* plan, int count, sqlite3_value** values);
void setResult(sqlite3_context* context, const Value& value);

/// xCreate, xConnect, xDisconnect, xDestroy and xBestIndex of all tables.
sqlite3_module accessModule();

}  // namespace cui::db
