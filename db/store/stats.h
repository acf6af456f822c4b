// trace_stat: what a reader must know about the making of the trace. Values of one key add up.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace cui::db {

/// What a row says beside its key.
struct Stat {
  std::int64_t value = 0;
  std::string detail;
};
/// By name, severity and launch.
using StatRows = std::map<std::tuple<std::string, std::string, std::uint64_t>, Stat>;

class Stats {
 public:
  /// severity: info, data_loss or error. launchId 0: the whole trace. The first detail stays.
  void add(std::string_view name, std::string_view severity, std::int64_t value, std::uint64_t launchId,
           std::string_view detail) {
    Stat& stat = waiting_[{std::string(name), std::string(severity), launchId}];
    if (stat.value == 0) stat.detail = detail;
    stat.value += value;
    if (severity != "info") losses_[std::string(name)] += value;
  }
  /// Adds what has been added since the last call.
  void moveTo(StatRows& rows) {
    for (const auto& [key, stat] : std::exchange(waiting_, {})) {
      Stat& row = rows[key];
      if (row.value == 0) row.detail = stat.detail;
      row.value += stat.value;
    }
  }
  /// The sums of all that is not info, over launches.
  const std::map<std::string, std::int64_t>& losses() const { return losses_; }

 private:
  StatRows waiting_;
  std::map<std::string, std::int64_t> losses_;
};

}  // namespace cui::db
