// Reading a trace back in tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

#include "db/exporters/exporters.h"
#include "db/store/trace_reader.h"

namespace cui::db::test {

inline std::unique_ptr<TraceReader> openReader(const std::string& path) {
  Error error;
  auto reader = TraceReader::open(path, error);
  EXPECT_FALSE(error) << error.message;
  return reader;
}

/// A query's rows: columns separated by '|', rows by '\n', as stock sqlite3 prints them; NULL is empty.
inline std::string rows(const TraceReader& reader, const std::string& sql) {
  std::string result;
  const Error error = reader.query(sql, [&](Row row) {
    if (!result.empty()) result += '\n';
    const char* separator = "";
    for (const Value& value : row) {
      result += separator;
      separator = "|";
      if (const auto* integer = std::get_if<std::int64_t>(&value))
        result += std::to_string(*integer);
      else if (const auto* real = std::get_if<double>(&value))
        result += realText(*real);
      else if (const auto* bytes = std::get_if<Bytes>(&value))
        result += "blob(" + std::to_string(bytes->data.size()) + ")";
      else
        result += asText(value);
    }
    return true;
  });
  EXPECT_FALSE(error) << error.message;
  return result;
}

inline std::string rows(const std::string& path, const std::string& sql) {
  const auto reader = openReader(path);
  return reader ? rows(*reader, sql) : "";
}

/// What the stock command-line client prints.
inline std::string stockSqlite(const std::string& path, const std::string& sql) {
  const std::string command = std::string(CUI_SQLITE3) + " -readonly '" + path + "' \"" + sql + "\" 2>&1";
  std::string result;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c; pipe && (c = std::fgetc(pipe)) != EOF;) result += static_cast<char>(c);
  EXPECT_EQ(pipe ? pclose(pipe) : -1, 0) << result;
  if (!result.empty() && result.back() == '\n') result.pop_back();
  return result;
}

/// The findings above info, one per line; "" if the trace passes.
inline std::string problems(const TraceReader& reader) {
  Error error;
  std::string result;
  for (const ValidationFinding& finding : reader.validate(error))
    if (finding.severity != ValidationFinding::Severity::info)
      result += finding.check + " " + nameOf(finding.severity) + ": " + finding.detail + "\n";
  if (error) result += "error: " + error.message + "\n";
  return result;
}

}  // namespace cui::db::test
