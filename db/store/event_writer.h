// Writes what a program does beside launches. As of BatchWriter, whose part it is.
#pragma once

#include <cstdint>
#include <vector>

#include "db/store/event_values.h"
#include "db/store/lazy_statement.h"
#include "db/store/sqlite.h"

namespace cui::db {

class EventWriter {
 public:
  explicit EventWriter(Database& database);

  /// In their order. Returns how many freed memory whose allocation was not seen. Throws StoreFailure.
  std::uint64_t write(const std::vector<EventValues>& events);

 private:
  void on(const AllocationValues& allocation);
  void on(const FreedValues& freed);
  void on(const NamedValues& named);
  void on(const MemoryOperationValues& operation);
  void on(const SynchronizationValues& synchronization);
  void on(const PhaseValues& phase);
  void on(const PhaseEndValues& phase);

  Database& database_;
  std::uint64_t unknownFrees_ = 0;
  LazyStatement addAllocation_, setFreed_, nameAllocation_, addMemoryOperation_, addSynchronization_,
      beginPhase_, endPhase_;
};

}  // namespace cui::db
