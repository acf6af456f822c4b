// Division by a number that stays the same, without the processor's division: analyses divide each lane's
// address.
#pragma once

#include <cstdint>

namespace cui::db {

/// Exact for dividends below 2^51: the half keeps the quotient away from whole numbers by more than a double
/// rounds off.
class Divider {
 public:
  Divider() = default;
  explicit Divider(std::uint64_t by) : by_(by), inverse_(1.0 / static_cast<double>(by)) {}

  std::uint64_t by() const { return by_; }
  std::uint64_t operator()(std::uint64_t dividend) const {
    const auto number = static_cast<double>(static_cast<std::int64_t>(dividend));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>((number + 0.5) * inverse_));
  }

 private:
  std::uint64_t by_ = 1;
  double inverse_ = 1;
};

}  // namespace cui::db
