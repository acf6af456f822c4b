#include "hostlib/chunk_reader.h"

#include <gtest/gtest.h>

#include <thread>

#include "fake_chunks.h"

namespace cui::hostlib {
namespace {

using test::FakeChunks;
using test::Record;

class ChunkReaderTest : public testing::Test {
 protected:
  /// Addresses of the records that come, in order.
  ChunkReader::Use use() {
    return [this](std::span<const Slot> records) {
      for (std::size_t i = 0; i < records.size(); i += slotsOf(records[i]))
        addresses_.push_back(records[i].word[0]);
    };
  }
  std::vector<std::uint64_t> addresses_;
};

TEST_F(ChunkReaderTest, FullChunksComeInTheirOrderAndAreFreeAgain) {
  FakeChunks device(2);
  ChunkReader reader(device.chunks());
  const std::uint32_t first = *device.take(), second = *device.take();
  EXPECT_FALSE(device.take());
  device.append(first, Record{0, 1, 10});
  device.append(second, Record{0, 1, 20, 4});
  device.append(second, Record{0, 1, 21});
  device.handOver(second);
  device.handOver(first);
  EXPECT_EQ(reader.poll(100, use()), 2u);
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{20, 21, 10}));
  EXPECT_EQ(reader.poll(100, use()), 0u);
  EXPECT_EQ(*device.take(), second);
  EXPECT_EQ(*device.take(), first);
  EXPECT_EQ(reader.takeLost(), 0u);
}

TEST_F(ChunkReaderTest, NoMoreThanAskedFor) {
  FakeChunks device(4);
  ChunkReader reader(device.chunks());
  for (std::uint64_t i = 0; i < 4; ++i) {
    const std::uint32_t chunk = *device.take();
    device.append(chunk, Record{0, 1, i});
    device.handOver(chunk);
  }
  EXPECT_EQ(reader.poll(3, use()), 3u);
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST_F(ChunkReaderTest, QueuesGoAroundWithAnyNumberOfChunks) {
  FakeChunks device(3);  // queues of four
  ChunkReader reader(device.chunks());
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint32_t chunk = *device.take();
    device.append(chunk, Record{0, 1, i});
    device.handOver(chunk);
    expected.push_back(i);
    if (i % 3 == 2) reader.poll(3, use());
  }
  reader.poll(3, use());
  EXPECT_EQ(addresses_, expected);
}

TEST_F(ChunkReaderTest, WhatAChunkHeldBeforeDoesNotComeAgain) {
  FakeChunks device(1);
  ChunkReader reader(device.chunks());
  std::uint32_t chunk = *device.take();
  for (std::uint64_t i = 0; i < 128; ++i) device.append(chunk, Record{0, 1, i});
  device.handOver(chunk);
  reader.poll(1, use());
  addresses_.clear();
  chunk = *device.take();
  device.append(chunk, Record{0, 1, 1000});
  reader.takeOpen(device.taken(), true, use());
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{1000}));
}

TEST_F(ChunkReaderTest, OpenChunksAreTakenAfterFullOnes) {
  FakeChunks device(4);
  ChunkReader reader(device.chunks());
  const std::uint32_t open = *device.take(), full = *device.take(), empty = *device.take();
  device.append(open, Record{0, 1, 2});
  device.append(full, Record{0, 1, 1});
  device.handOver(full);
  reader.takeOpen(device.taken(), true, use());
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{1, 2}));
  // All four are free: the one that was never taken, then those that came back.
  EXPECT_EQ(*device.take(), 3u);
  EXPECT_EQ(*device.take(), full);
  EXPECT_EQ(*device.take(), open);
  EXPECT_EQ(*device.take(), empty);
  EXPECT_FALSE(device.take());
}

TEST_F(ChunkReaderTest, OpenChunksOfADeviceThatMayGoOnStayOutOfUse) {
  FakeChunks device(2);
  ChunkReader reader(device.chunks());
  const std::uint32_t chunk = *device.take();
  device.append(chunk, Record{0, 1, 1});
  reader.takeOpen(~std::uint64_t{0}, false, use());
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{1}));
  device.append(chunk, Record{0, 1, 2});
  device.handOver(chunk);  // its first record has been taken: it is not read twice
  reader.poll(10, use());
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(device.taken(), 1u);
}

TEST_F(ChunkReaderTest, MissingRecordsAreCounted) {
  FakeChunks device(1);
  ChunkReader reader(device.chunks());
  const std::uint32_t chunk = *device.take();
  device.append(chunk, Record{0, 1, 5});
  device.handOver(chunk, 3);
  reader.poll(1, use());
  EXPECT_EQ(addresses_, (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(reader.takeLost(), 3u);
  EXPECT_EQ(reader.takeLost(), 0u);
}

TEST_F(ChunkReaderTest, ADeviceFillsWhileTheHostReads) {
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
  while (addresses_.size() < records) reader.poll(4, use());
  filling.join();
  for (std::uint64_t i = 0; i < records; ++i) ASSERT_EQ(addresses_[i], i);
  EXPECT_EQ(reader.takeLost(), 0u);
}

}  // namespace
}  // namespace cui::hostlib
