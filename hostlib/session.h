// The process's one recording session: opened by the first unit, closed after the user's static
// destructors. Never destroyed, so that late calls from any thread find it.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cuinstrument/host/abi.h"
#include "hostlib/drain.h"
#include "hostlib/options.h"
#include "hostlib/unit_registry.h"

namespace cui::hostlib {

class Session {
 public:
  static Session& instance();

  std::uint32_t registerUnit(std::uint32_t abiVersion, const format::UnitTable& unit);
  void checkHostSide(const format::UnitTable& unit, std::uint32_t expected, std::uint32_t present);
  /// Whether the unit is compiled for the present CUINSTRUMENT_MODE.
  bool checkModes(const format::UnitTable& unit, std::uint32_t modes);
  bool recording() const { return recording_.load(std::memory_order_acquire); }
  const CuiOptions& options();
  /// By the environment, whatever comes.
  bool takesPlainCode(const format::UnitTable& unit);
  /// Null while nothing is recorded.
  /// Also where recording has stopped: the drain goes on reading what it was given.
  Drain* anyDrain() { return drain_.get(); }
  Drain* drain() { return recording() ? drain_.get() : nullptr; }

  std::uint64_t nextLaunchId() { return launches_.fetch_add(1, std::memory_order_relaxed) + 1; }
  /// `launchId` 0: of one of the next launches. Other threads may come first.
  bool launchSelected(const format::UnitTable* unit, std::uint32_t launchEntry, std::uint64_t launchId) const;
  void atClose(void (*function)());
  void close();

 private:
  Session() = default;
  void readEnvironment();
  void open();
  void stopRecording(const std::string& reason);
  void summarise(bool complete);
  void forgetDrain();
  static void beforeFork();
  static void afterForkInParent();
  static void afterForkInChild();

  std::mutex mutex_;  ///< opening and closing
  bool environmentRead_ = false;
  bool opened_ = false;
  bool refusedHostSide_ = false;
  bool saidMode_ = false;
  std::optional<std::uint32_t> hostSide_;  ///< the first unit's
  std::int64_t untilNs_ =
      std::numeric_limits<std::int64_t>::max();  ///< launches that begin later are left out
  Options settings_;
  CuiOptions options_ = {};
  UnitRegistry units_;
  std::unique_ptr<Drain> drain_;
  std::atomic<bool> recording_{false};
  std::atomic<std::uint64_t> launches_{0};
  std::vector<void (*)()> closers_;
};

}  // namespace cui::hostlib
