// TraceReader's inside, shared by trace_reader.cpp and validate.cpp.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "db/store/sqlite.h"
#include "db/store/trace_reader.h"

namespace cui::db {

class TraceReader::Impl {
 public:
  std::string path;
  int schemaVersion = 0;
  Database database;
  std::function<bool()> shouldCancel;

  /// The connection has no lock of its own: a second thread in it would be memory corruption, so that it is
  /// told apart from a query inside another one's callback, which is allowed.
  std::mutex mutex;
  std::thread::id user;
  int depth = 0;  ///< queries of `user` that run
};

}  // namespace cui::db
