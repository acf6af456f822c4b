#include "hostlib/chunk_dealer.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <thread>

#include "fake_chunks.h"

namespace cui::hostlib {
namespace {

using test::FakeChunks;
using test::Record;

/// With the caller reading, or so many threads.
class ChunkDealerTest : public testing::TestWithParam<unsigned> {
 protected:
  /// Addresses of the records that come, in order.
  ChunkDealer::Use use() {
    return [this](SlotBatch& records) {
      for (std::size_t i = 0; i < records.size(); i += slotsOf(records.data()[i]))
        addresses_.push_back(records.data()[i].word[0]);
      if (keepMemory_) records.memory() = {};
    };
  }
  bool keepMemory_ = false;
  ChunkDealer dealer_{GetParam()};
  std::vector<std::uint64_t> addresses_;
};

TEST_P(ChunkDealerTest, FullChunksComeInTheirOrderAndAreFreeAgain) {
  FakeChunks device(2);
  ChunkReader reader(device.chunks());
  const std::uint32_t first = *device.take(), second = *device.take();
  EXPECT_FALSE(device.take());
  device.append(first, Record{0, 1, 10});
  device.append(second, Record{0, 1, 20, 4});
  device.append(second, Record{0, 1, 21});
  device.handOver(second);
  device.handOver(first);
  EXPECT_EQ(dealer_.poll(reader, 100, use()), 2u);
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{20, 21, 10}));
  EXPECT_EQ(dealer_.poll(reader, 100, use()), 0u);
  EXPECT_EQ(*device.take(), second);
  EXPECT_EQ(*device.take(), first);
  EXPECT_EQ(dealer_.takeLost(), 0u);
}

TEST_P(ChunkDealerTest, AChunkWhoseNumberIsReadLateIsNobodyElses) {
  FakeChunks device(4);
  ChunkReader reader(device.chunks());
  const std::uint64_t late = *device.takeTicket();
  std::set<std::uint32_t> others;
  for (std::uint64_t i = 0; i < 40; ++i) {  // ten times round the queue
    const std::optional<std::uint32_t> chunk = device.take();
    if (!chunk) break;
    others.insert(*chunk);
    device.append(*chunk, Record{0, 1, i});
    device.handOver(*chunk);
    dealer_.poll(reader, 100, use());
  }
  EXPECT_EQ(others.size(), 3u);
  const std::uint32_t chunk = device.numberOf(late);
  EXPECT_FALSE(others.count(chunk)) << chunk;
  device.append(chunk, Record{0, 1, 99});
  device.handOver(chunk);
  dealer_.poll(reader, 100, use());
  EXPECT_EQ(addresses_.back(), 99u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_TRUE(device.take());  // all are free again
  EXPECT_FALSE(device.take());
  EXPECT_EQ(dealer_.takeLost(), 0u);
}

TEST_P(ChunkDealerTest, NoMoreThanAskedFor) {
  FakeChunks device(4);
  ChunkReader reader(device.chunks());
  for (std::uint64_t i = 0; i < 4; ++i) {
    const std::uint32_t chunk = *device.take();
    device.append(chunk, Record{0, 1, i});
    device.handOver(chunk);
  }
  EXPECT_EQ(dealer_.poll(reader, 3, use()), 3u);
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST_P(ChunkDealerTest, QueuesGoAroundWithAnyNumberOfChunks) {
  FakeChunks device(3);  // queues of four
  ChunkReader reader(device.chunks());
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint32_t chunk = *device.take();
    device.append(chunk, Record{0, 1, i});
    device.handOver(chunk);
    expected.push_back(i);
    if (i % 3 == 2) dealer_.poll(reader, 3, use());
  }
  dealer_.poll(reader, 3, use());
  EXPECT_EQ(addresses_, expected);
}

TEST_P(ChunkDealerTest, WhatAChunkHeldBeforeDoesNotComeAgain) {
  FakeChunks device(1);
  ChunkReader reader(device.chunks());
  std::uint32_t chunk = *device.take();
  for (std::uint64_t i = 0; i < 128; ++i) device.append(chunk, Record{0, 1, i});
  device.handOver(chunk);
  dealer_.poll(reader, 1, use());
  addresses_.clear();
  chunk = *device.take();
  device.append(chunk, Record{0, 1, 1000});
  dealer_.takeOpen(reader, device.taken(), true, use());
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{1000}));
}

TEST_P(ChunkDealerTest, OpenChunksAreTakenAfterFullOnes) {
  FakeChunks device(4);
  ChunkReader reader(device.chunks());
  const std::uint32_t open = *device.take(), full = *device.take(), empty = *device.take();
  device.append(open, Record{0, 1, 2});
  device.append(full, Record{0, 1, 1});
  device.handOver(full);
  dealer_.takeOpen(reader, device.taken(), true, use());
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{1, 2}));
  // All four are free: the one that was never taken, then those that came back.
  EXPECT_EQ(*device.take(), 3u);
  EXPECT_EQ(*device.take(), full);
  EXPECT_EQ(*device.take(), open);
  EXPECT_EQ(*device.take(), empty);
  EXPECT_FALSE(device.take());
}

TEST_P(ChunkDealerTest, OpenChunksOfADeviceThatMayGoOnStayOutOfUse) {
  FakeChunks device(2);
  ChunkReader reader(device.chunks());
  const std::uint32_t chunk = *device.take();
  device.append(chunk, Record{0, 1, 1});
  dealer_.takeOpen(reader, ~std::uint64_t{0}, false, use());
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{1}));
  device.append(chunk, Record{0, 1, 2});
  device.handOver(chunk);  // its first record has been taken: it is not read twice
  dealer_.poll(reader, 10, use());
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(device.taken(), 1u);
}

TEST_P(ChunkDealerTest, MissingRecordsAreCounted) {
  FakeChunks device(1);
  ChunkReader reader(device.chunks());
  const std::uint32_t chunk = *device.take();
  device.append(chunk, Record{0, 1, 5});
  device.handOver(chunk, 3);
  dealer_.poll(reader, 1, use());
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(dealer_.takeLost(), 3u);
  EXPECT_EQ(dealer_.takeLost(), 0u);
}

TEST_P(ChunkDealerTest, ADeviceFillsWhileTheHostReads) {
  FakeChunks device(8);
  ChunkReader reader(device.chunks());
  constexpr std::uint64_t records = 200'000;
  std::thread filling([&] {
    for (std::uint64_t next = 0; next < records;) {
      const auto chunk = device.take();
      if (!chunk) {
        std::this_thread::yield();
        continue;
      }
      while (next < records && device.room(*chunk) >= 5) {
        device.append(*chunk, Record{0, 1, next, next % 7 == 0 ? 4u : 0u});
        ++next;
      }
      device.handOver(*chunk);
    }
  });
  while (addresses_.size() < records) dealer_.poll(reader, 4, use());
  filling.join();
  for (std::uint64_t i = 0; i < records; ++i) ASSERT_EQ(addresses_[i], i);
  EXPECT_EQ(dealer_.takeLost(), 0u);
}

// Far more than one thread is given at a time, of warps that hand over one chunk after the other.
TEST_P(ChunkDealerTest, ThreadsKeepTheOrderOfTheDevice) {
  constexpr std::uint32_t count = 2000;
  FakeChunks device(count);
  ChunkReader reader(device.chunks());
  keepMemory_ = true;
  std::vector<std::uint64_t> expected;
  for (unsigned lap = 0; lap < 3; ++lap) {
    while (const auto chunk = device.take()) {
      for (unsigned i = 0; i < 1 + *chunk % 7; ++i) {
        expected.push_back(expected.size());
        device.append(*chunk, Record{0, 1, expected.back(), *chunk % 5 == 4 ? 4u : 0u});
      }
      device.handOver(*chunk);
    }
    EXPECT_EQ(dealer_.poll(reader, count, use()), count);
  }
  EXPECT_EQ(addresses_, expected);
  EXPECT_EQ(dealer_.takeLost(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Threads, ChunkDealerTest, testing::Values(0u, 1u, 3u));

}  // namespace
}  // namespace cui::hostlib
