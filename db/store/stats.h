// trace_stat: what a reader must know about the making of the trace. Values of one key add up.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "db/store/sqlite.h"

namespace cui::db {

class Stats {
 public:
  explicit Stats(Database& database) : database_(database) {}
  /// severity: info, data_loss or error. launchId 0: the whole trace.
  void add(std::string_view name, std::string_view severity, std::int64_t value, std::uint64_t launchId,
           std::string_view detail) {
    if (!statement_.handle())
      statement_.prepare(
          database_,
          "INSERT INTO trace_stat VALUES(?1, ?2, ?3, nullif(?4, 0), ?5) "
          "ON CONFLICT(name, severity, ifnull(launch_id, 0)) DO UPDATE SET value = value + ?3");
    statement_.run(name, severity, value, launchId, detail);
    if (severity != "info") losses_[std::string(name)] += value;
  }
  /// The sums of all that is not info, over launches.
  const std::map<std::string, std::int64_t>& losses() const { return losses_; }

 private:
  Database& database_;
  Statement statement_;
  std::map<std::string, std::int64_t> losses_;
};

}  // namespace cui::db
