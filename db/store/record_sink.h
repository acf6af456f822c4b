// Takes warp records: sorts them by launch into segments, has those encoded, and hands on chunks and metrics
// as rows.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "db/store/chunk_encoder.h"
#include "db/store/encoder_pool.h"
#include "db/store/launch_rows.h"
#include "db/store/row_queue.h"
#include "db/store/stats.h"
#include "db/store/time_rows.h"
#include "db/store/trace_writer.h"
#include "db/store/units.h"

namespace cui::db {

class RecordSink {
 public:
  struct Limits {
    std::uint32_t chunkRecords;
    std::uint64_t bufferedBytes;
    unsigned threads;
    bool accessTimes;  ///< those of single ones are stored
  };
  RecordSink(RowQueue& rows, LaunchRows& launches, Units& units, Stats& stats, Limits limits);
  ~RecordSink();

  /// The records come from a GPU: in which order several warps' do says nothing, so each warp's are put
  /// together, chunk by chunk.
  void takeAnyWarpOrder() { anyWarpOrder_ = !limits_.accessTimes; }
  void add(std::uint64_t launchId, const std::uint8_t* slots, std::size_t slotCount);
  /// As TraceWriter::addSingles().
  void addSingles(std::uint64_t launchId, const std::uint8_t* slots, std::size_t count, std::uint32_t minSite,
                  std::uint32_t maxSite);
  /// As TraceWriter::takeSingles().
  void takeSingles(std::uint64_t launchId, SlotMemory& memory, std::size_t count, std::uint32_t minSite,
                   std::uint32_t maxSite);
  void addTotals(std::uint64_t launchId, const AccessTotals& totals);
  /// Of launches so far nothing more is expected: what is buffered of them is encoded, without waiting.
  void settleLaunches();
  /// Hands on everything buffered. Between two flushes only full chunks are.
  void flush();
  std::uint64_t recordCount() const { return recordCount_; }
  /// Rows of the plain tables: one whose lanes the record alone does not say has rows for them, too.
  std::uint64_t plainRowCount() const { return recordCount_ + plainLanes_; }

 private:
  struct LaunchState {
    std::uint64_t launchId = 0, nextSequence = 0;
    Segment segment;
    bool fillsSegments = false;  ///< it has filled one, and will fill the next
    bool marked = false;         ///< something in the present segment stands in front of certain records
  };

  LaunchState& stateOf(std::uint64_t launchId);
  std::size_t addAccesses(LaunchState& launch, const format::WarpRecord* records, std::size_t slotCount);
  void addSharedVariable(std::uint64_t launchId, const format::WarpRecord& record);
  void addMark(LaunchState& launch, const format::WarpRecord& record);
  void addKernelEntry(std::uint64_t launchId, const format::WarpRecord& record);
  /// What is in its segment is to be encoded.
  void submit(LaunchState& launch);
  void submitGathered();
  void closeAll();
  /// Hands on the chunks that are encoded; waits for those beyond `mayWait` bytes of raw records.
  void collect(std::uint64_t mayWait);
  void write(EncodedChunk chunk);
  void relieve();

  RowQueue& rows_;
  LaunchRows& launches_;
  Units& units_;
  Stats& stats_;
  Limits limits_;
  std::unordered_map<std::uint64_t, std::unique_ptr<LaunchState>> open_;  ///< launches with buffered records
  std::unordered_map<std::uint64_t, std::uint64_t> sequences_;            ///< the others' next sequence
  LaunchState* last_ = nullptr;
  std::uint64_t barrierCount_ = 0;
  TimeRows times_;
  std::shared_ptr<const std::vector<std::uint32_t>> siteBytes_;
  std::vector<Segment> gathered_;  ///< to be encoded together
  std::size_t gatheredBytes_ = 0;
  std::vector<Segment> spare_;  ///< empty ones, for their memory
  std::uint64_t recordCount_ = 0, plainLanes_ = 0;
  std::uint64_t openBytes_ = 0;  ///< of the segments of open launches
  bool anyWarpOrder_ = false;
  EncoderPool pool_;  // last: its threads end before anything else goes
};

}  // namespace cui::db
