// Rows of integers, inserted many by one statement: to start and end one takes as long as a row.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/store/sqlite.h"

namespace cui::db {

/// One row after the other, without anything in between.
using IntegerRows = std::vector<std::int64_t>;
inline void append(IntegerRows& rows, std::initializer_list<std::uint64_t> row) {
  for (const std::uint64_t value : row) rows.push_back(static_cast<std::int64_t>(value));
}

class IntegerInsert {
 public:
  /// INSERT `into` VALUES `row`, … `conflict`. `row` has a "?" for each integer, in parentheses.
  IntegerInsert(std::string_view into, std::string_view row, std::string_view conflict = {});

  /// `values`: whole rows.
  void run(Database& database, std::span<const std::int64_t> values);

 private:
  /// SQLite takes 999 parameters at least; more rows gain little.
  static constexpr unsigned mostRows = 32, mostParameters = 999;

  void run(Database& database, Statement& statement, unsigned rows, std::span<const std::int64_t> values);

  const std::string into_, row_, conflict_;
  const unsigned columns_, rowsAtOnce_;
  Statement many_, one_;
};

}  // namespace cui::db
