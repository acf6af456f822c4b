// One SQL value, without SQLite.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace cui::db {

struct Bytes {
  std::span<const std::uint8_t> data;
};
/// One column of a row: NULL, INTEGER, REAL, TEXT or BLOB. Text and bytes live until the callback returns.
using Value = std::variant<std::monostate, std::int64_t, double, std::string_view, Bytes>;

}  // namespace cui::db
