// Which process may write a trace file, and whether a file is a trace: decided before SQLite sees it.
#pragma once

#include <string>

#include "db/store/error.h"

namespace cui::db {

/// Holds the name of a trace under construction. The lock is an open-file-description lock on a byte
/// that SQLite never locks: it ends with the process, however it ends, and needs no second file.
class TraceFileLock {
 public:
  TraceFileLock() = default;
  ~TraceFileLock() { release(); }
  TraceFileLock(const TraceFileLock&) = delete;
  TraceFileLock& operator=(const TraceFileLock&) = delete;

  /// Makes `path` a new empty file and locks it. An older trace of that name is removed unless a live
  /// process writes it; any other file stays and is an error.
  Error create(const std::string& path);
  /// Locks a trace that is there, to change it.
  Error acquire(const std::string& path);
  /// To be called after SQLite has closed the file: closing any descriptor ends SQLite's own locks.
  void release();

 private:
  int descriptor_ = -1;
};

/// Checks a file that is to be read: there, an SQLite database, ours, not cut off. Leaves schema and
/// contents to the reader.
Error checkTraceFile(const std::string& path);

}  // namespace cui::db
