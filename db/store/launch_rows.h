// Rows of `launch`. What there is to say of a launch comes in three or four parts within a moment: they are
// one row where they come before it is written, which costs a third of a row and its changes.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_set>

#include "db/store/row_batch.h"
#include "db/store/row_queue.h"

namespace cui::db {

class LaunchRows {
 public:
  explicit LaunchRows(RowQueue& rows) : rows_(rows) {}

  void add(LaunchValues launch);
  void end(std::uint64_t launchId, std::int64_t hostNs, int error, std::string_view errorName);
  void time(std::uint64_t launchId, std::int64_t beginNs, std::int64_t endNs);
  /// That kernel has begun: where the launch names another, or a variable, it gets its name.
  void enter(std::uint64_t launchId, const KernelInfo& kernel);
  /// What a launch that has not been written asked for; 0: it has been, or there is none.
  std::uint64_t dynamicSharedBytes(std::uint64_t launchId) const;
  /// Hands on those of which everything is known: the others' rest would be a change of the row.
  void handOnComplete();
  /// Hands all to the queue.
  void flush() { write(0); }

 private:
  static constexpr std::size_t most = 32'768;

  LaunchValues* find(std::uint64_t launchId);
  LaunchChange& change(std::uint64_t launchId);
  /// All but the last so many.
  void write(std::size_t left);
  using Waiting = std::map<std::uint64_t, LaunchValues>;
  /// Returns the next one.
  Waiting::iterator handOn(Waiting::iterator launch);

  RowQueue& rows_;
  Waiting waiting_;  ///< in the order in which rows are added soonest
  /// Of launches that were handed on before they entered, those that name a variable.
  std::unordered_set<std::uint64_t> byVariable_;
};

}  // namespace cui::db
