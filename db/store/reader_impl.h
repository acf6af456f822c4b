// TraceReader's inside, shared by trace_reader.cpp and validate.cpp.
#pragma once

#include <functional>
#include <string>

#include "db/store/sqlite.h"
#include "db/store/trace_reader.h"

namespace cui::db {

class TraceReader::Impl {
 public:
  std::string path;
  int schemaVersion = 0;
  Database database;
  std::function<bool()> shouldCancel;
};

}  // namespace cui::db
