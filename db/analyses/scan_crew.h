// The threads of a scan: each visitor sees all pieces in order, several visitors work at a time. What a
// visitor finds so does not depend on the number of threads.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "db/analyses/access_scan.h"

namespace cui::db {

/// Some accesses of one launch, decoded once for all visitors.
struct ScanPiece {
  const Launch* begins = nullptr;  ///< this launch begins before the first access
  const Launch* ends = nullptr;    ///< this launch ends after the last one
  const Launch* launch = nullptr;  ///< whose accesses they are
  std::vector<AccessRecord> records;
  std::vector<const Site*> sites;        ///< of each record
  std::vector<std::uint64_t> sequences;  ///< of each record
  std::shared_ptr<ChunkReader> values;   ///< keeps what AccessRecord::values points to

  void clear();
};

class ScanCrew {
 public:
  /// `threads` 0: one for each visitor, but no more than the machine has; 1: no thread of its own.
  ScanCrew(const std::vector<AccessVisitor*>& visitors, unsigned threads);
  /// Waits until the pieces that were handed in are done.
  ~ScanCrew();
  ScanCrew(const ScanCrew&) = delete;
  ScanCrew& operator=(const ScanCrew&) = delete;

  /// An empty piece to fill; waits while the slowest visitor is far behind.
  std::unique_ptr<ScanPiece> take();
  void hand(std::unique_ptr<ScanPiece> piece);
  /// Waits for all. What a visitor threw, as a message; "": none did.
  std::string finish();
  /// What is handed in and not begun is nobody's any more.
  void stop();

 private:
  struct Seat {
    AccessVisitor* visitor = nullptr;
    std::uint64_t next = 0;  ///< the piece it sees next, counted from the first of all
    bool busy = false;
  };
  static void show(const ScanPiece& piece, AccessVisitor& visitor);
  void work();
  Seat* furthestBehind();
  void dropSeen();

  std::vector<Seat> seats_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable forWorkers_, forOwner_;
  std::deque<std::unique_ptr<ScanPiece>> pieces_;  ///< from number first_ on
  std::uint64_t first_ = 0;
  std::vector<std::unique_ptr<ScanPiece>> spare_;
  std::string failure_;  ///< once there is one, no visitor is called any more
  bool closing_ = false;
};

}  // namespace cui::db
