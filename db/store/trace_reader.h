// Reads a trace: for the CLI, the analyses and the tests. Nothing here can change the file: it is opened
// read-only and every statement that would write, attach or change a setting is refused.
//
// One thread at a time: a query while another thread's runs is an error. Nothing throws.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/store/error.h"
#include "db/store/value.h"

namespace cui::db {

using Row = std::span<const Value>;
/// False stops the query without an error.
using RowCallback = std::function<bool(Row)>;
using ColumnsCallback = std::function<void(std::span<const std::string> columns)>;

/// Convenience for rows whose types are known: 0 and "" for NULL.
std::int64_t asInteger(const Value& value);
std::uint64_t asUnsigned(const Value& value);
double asReal(const Value& value);
std::string asText(const Value& value);
bool isNull(const Value& value);

/// One result of validate().
struct ValidationFinding {
  enum class Severity { info, dataLoss, error };
  std::string check;  ///< which check: counters, chunks, metrics, launches, sites, allocations, stats, …
  Severity severity = Severity::info;
  std::string detail;
};

class TraceReader {
 public:
  /// Null on error: no such file, not a database, not a trace, truncated, of a later schema (the
  /// message names both versions), damaged.
  static std::unique_ptr<TraceReader> open(const std::string& path, Error& error);
  ~TraceReader();
  TraceReader(const TraceReader&) = delete;
  TraceReader& operator=(const TraceReader&) = delete;

  const std::string& path() const;
  int schemaVersion() const;
  /// The recording process closed the trace. False while it runs, and after a crash.
  bool complete() const;
  /// The tables access and access_lane are there.
  bool materialized() const;
  /// A meta value, "" if there is none.
  std::string meta(std::string_view key) const;

  /// All queries from here on see the trace as it is now, whatever a program that is running adds to it.
  Error holdStill() const;

  /// Runs one statement with its `?` parameters bound in order. Columns are announced before the first
  /// row, also if there is none.
  Error query(std::string_view sql, const RowCallback& row, std::span<const Value> parameters = {},
              const ColumnsCallback& columns = {}) const;
  /// The single integer of a query; 0 if there is no row, and with an error.
  std::int64_t integer(std::string_view sql, Error& error) const;

  /// Called every few milliseconds of SQL work, from the working thread; true cancels the query
  /// (ErrorCode::cancelled). Empty: none.
  void setProgress(std::function<bool()> shouldCancel);

  /// Is everything there and consistent? No finding above info: yes. `error` is set if the check itself
  /// could not be finished. docs/metrics.md lists the checks.
  std::vector<ValidationFinding> validate(Error& error) const;

 private:
  class Impl;
  explicit TraceReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// True if no finding says that something is missing or wrong.
bool passes(std::span<const ValidationFinding> findings);
const char* nameOf(ValidationFinding::Severity severity);

}  // namespace cui::db
