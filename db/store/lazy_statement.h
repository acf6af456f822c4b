// A statement that is prepared at its first use: most traces need few of those that there are.
#pragma once

#include "db/store/sqlite.h"

namespace cui::db {

class LazyStatement {
 public:
  explicit LazyStatement(const char* sql) : sql_(sql) {}
  template <class... T>
  void run(Database& database, const T&... values) {
    if (!statement_.handle()) statement_.prepare(database, sql_);
    statement_.run(values...);
  }

 private:
  const char* sql_;
  Statement statement_;
};

}  // namespace cui::db
