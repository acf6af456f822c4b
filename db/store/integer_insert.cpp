// See integer_insert.h.
#include "db/store/integer_insert.h"

#include <algorithm>

namespace cui::db {

IntegerInsert::IntegerInsert(std::string_view into, std::string_view row, std::string_view conflict)
    : into_(into),
      row_(row),
      conflict_(conflict),
      columns_(static_cast<unsigned>(std::count(row.begin(), row.end(), '?'))),
      rowsAtOnce_(std::min(mostRows, mostParameters / columns_)) {}

void IntegerInsert::run(Database& database, std::span<const std::int64_t> values) {
  const std::size_t whole = values.size() / columns_ / rowsAtOnce_ * rowsAtOnce_ * columns_;
  run(database, many_, rowsAtOnce_, values.first(whole));
  run(database, one_, 1, values.subspan(whole));
}

void IntegerInsert::run(Database& database, Statement& statement, unsigned rows,
                        std::span<const std::int64_t> values) {
  if (values.empty()) return;
  if (statement.handle() == nullptr) {
    std::string sql = "INSERT " + into_ + " VALUES";
    for (unsigned i = 0; i < rows; ++i) sql += (i == 0 ? " " : ", ") + row_;
    statement.prepare(database, sql + " " + conflict_);
  }
  const std::size_t step = std::size_t{rows} * columns_;
  for (; !values.empty(); values = values.subspan(step)) {
    for (std::size_t i = 0; i < step; ++i) statement.bindOne(static_cast<int>(i + 1), values[i]);
    statement.step();
    statement.reset();
  }
}

}  // namespace cui::db
