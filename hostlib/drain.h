// The drain thread: reads rings and the event queue, routes what it finds, and commits at intervals. It
// makes no CUDA call and never waits for the user's program, so a blocked driver cannot block it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "hostlib/chunk_dealer.h"
#include "hostlib/chunk_reader.h"
#include "hostlib/event_queue.h"
#include "hostlib/record_sink.h"
#include "hostlib/ring_reader.h"
#include "hostlib/router.h"
#include "hostlib/unit_registry.h"

namespace cui::hostlib {

struct DrainSettings {
  std::uint64_t queueBytes = std::uint64_t{64} << 20;
  std::uint64_t holdBytes = std::uint64_t{256} << 20;
  std::chrono::nanoseconds flushInterval{100'000'000};
  std::chrono::nanoseconds patience{10'000'000'000};  ///< before a stuck ring or full queue is given up
  std::chrono::nanoseconds grace{5'000'000'000};      ///< longer than that a thread that ends may do nothing
  unsigned readers = 0;                               ///< threads that read chunks; 0: the drain's does
  Selection selection;
  std::int64_t untilNs =
      std::numeric_limits<std::int64_t>::max();  ///< launches that begin later are left out
};

class Drain {
 public:
  /// `onFailure` is called once, from the drain thread, with the sink's failure.
  Drain(std::unique_ptr<RecordSink> sink, const UnitRegistry& units,
        std::function<std::uint64_t()> newLaunchId, const DrainSettings& settings,
        std::function<void(const std::string&)> onFailure);
  ~Drain();

  EventQueue& queue() { return queue_; }
  /// Queues an event; waits while the queue is full, drops (counted) when that lasts too long.
  void push(Event event);

  void attachRing(const CuiRing& ring);
  /// Waits until `produced` slots have been read or `timeout` is over; then what is missing was never
  /// written and is passed over (counted). `last`: the ring's memory is not touched afterwards.
  std::uint64_t drainRing(const CuiRing& ring, std::uint64_t produced, std::chrono::nanoseconds timeout,
                          bool last);

  void attachChunks(const CuiChunks& chunks);
  /// Waits until the events before have been handled and the chunks are not touched any more; false if that
  /// lasts longer than `patience`.
  bool detachChunks(std::int32_t device);

  /// Commits what has been queued so far and waits for it, unless the last commit is less than an interval
  /// ago: then it returns, and the commit follows within the interval.
  void flush();

  /// Reads what is left, commits and ends the thread; gives up after `patience` without progress, leaving
  /// the trace as of its last commit. False if it gave up. Afterwards nothing may be pushed.
  bool close();
  /// What is missing from the trace, by statistic. After close().
  std::map<std::string, std::int64_t> losses() const;
  /// See Router; likewise after close().
  std::string nothingSelected() const { return router_.nothingSelected(); }
  std::uint64_t slotsWritten() const { return slots_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Ring {
    explicit Ring(const CuiRing& ring) : reader(ring) {}
    RingReader reader;
    std::atomic<std::uint64_t> skipBelow{0};
    std::uint64_t lastConsumed = 0;
    Clock::time_point lastProgress = Clock::now();
    bool gone = false;
  };

  void run();
  bool handleEvents(std::chrono::nanoseconds wait);
  bool pollRings();
  bool pollChunks(bool all);
  void handle(const OpenChunksEvent& event);
  void handle(const DetachChunksEvent& event);
  void route(std::int32_t device, std::span<const Slot> records);
  void route(std::int32_t device, SlotBatch& records);
  bool pollRing(Ring& ring);
  void checkStall(Ring& ring);
  void commit(bool all);
  void noteProgress();
  std::vector<std::shared_ptr<Ring>> rings() const;
  std::vector<std::shared_ptr<ChunkReader>> chunkReaders() const;

  std::unique_ptr<RecordSink> sink_;
  Router router_;
  const DrainSettings settings_;
  const std::function<void(const std::string&)> onFailure_;
  EventQueue queue_;
  std::unique_ptr<ChunkDealer> dealer_;  ///< drain thread only
  bool failed_ = false;                  ///< drain thread only
  bool dirty_ = false;                   ///< drain thread only: something to commit
  std::vector<Event> eventBuffer_;

  mutable std::mutex mutex_;  ///< of everything below
  std::condition_variable progress_;
  std::vector<std::shared_ptr<Ring>> rings_;
  std::vector<std::shared_ptr<ChunkReader>> chunks_;
  std::uint64_t round_ = 0;           ///< rounds finished
  std::uint64_t flushRequested_ = 0;  ///< a commit is due at the end of this round
  std::uint64_t committedRound_ = 0;  ///< last round that committed all it had read
  Clock::time_point lastCommit_;
  bool closing_ = false;
  bool closed_ = false;

  std::atomic<std::uint64_t> slots_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::thread thread_;
};

}  // namespace cui::hostlib
