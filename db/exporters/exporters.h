// Output formats for rows. The catalogue is exporters.def; each format is one file here.
#pragma once

#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "db/store/trace_reader.h"

namespace cui::db {

/// Writes one result, row by row, to a stream that outlives it.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  virtual void begin(std::span<const std::string> columns) = 0;
  virtual void row(Row values) = 0;
  virtual void end() = 0;
};

struct Exporter {
  const char* name;
  const char* description;
  std::unique_ptr<RowWriter> (*make)(std::ostream& out);
};
std::span<const Exporter> exporters();
/// Null if there is none of that name.
const Exporter* findExporter(std::string_view name);

/// Runs a query and writes its result.
Error exportQuery(const TraceReader& reader, std::string_view sql, RowWriter& writer);

/// A real as every format writes it: the shortest text that reads back the same, with a point or exponent.
std::string realText(double value);

}  // namespace cui::db
