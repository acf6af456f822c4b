#include "hostlib/drain.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "fake_chunks.h"
#include "fakes.h"

namespace cui::hostlib {
namespace {

using namespace std::chrono_literals;
using test::entryOf;
using test::fakeLaunch;
using test::fakeUnit;
using test::Record;
using test::slotOf;

class DrainTest : public testing::Test {
 protected:
  DrainTest() {
    settings_.flushInterval = 1h;  // only what a test asks for
    settings_.patience = 5s;
    units_.add(fakeUnit());
  }
  void start() {
    drain_ = std::make_unique<Drain>(
        std::make_unique<test::FakeSink>(told_), units_, [this] { return ++newId_; }, settings_,
        [this](const std::string& failure) { failure_ = failure; });
  }
  void launch(std::uint64_t id) {
    drain_->push(LaunchEvent{id, fakeLaunch(0, 0)});
    drain_->push(LaunchEndEvent{id, 0, 0, ""});
  }

  test::Told told_;
  UnitRegistry units_;
  DrainSettings settings_;
  std::uint64_t newId_ = 0;
  std::string failure_;
  std::unique_ptr<Drain> drain_;
};

TEST_F(DrainTest, RingRecordsReachTheirLaunch) {
  test::FakeRing ring(64);
  start();
  drain_->push(GridBaseEvent{0, 1});
  drain_->attachRing(ring.ring());
  launch(1);
  ring.append(entryOf(1, 0, 0, 2, 32));
  for (std::uint64_t i = 0; i < 500; ++i) {
    while (!ring.hasRoom(1)) std::this_thread::yield();
    ring.append(Record{0, 1, i});
  }
  EXPECT_EQ(drain_->drainRing(ring.ring(), ring.produced(), 10s, true), ring.produced());
  EXPECT_TRUE(drain_->close());
  EXPECT_EQ(told_.addresses[1].size(), 500u);
  EXPECT_TRUE(told_.closed);
  EXPECT_TRUE(drain_->losses().empty());
}

TEST_F(DrainTest, ChunksReachTheirLaunchAlsoBeforeItIsKnown) {
  test::FakeRing ring(64);
  test::FakeChunks device(4);
  start();
  drain_->push(GridBaseEvent{0, 1});
  drain_->attachRing(ring.ring());
  drain_->attachChunks(device.chunks());
  const std::uint32_t open = *device.take();
  device.append(open, Record{0, 1, 1000});
  for (std::uint64_t i = 0; i < 1000;) {
    const auto chunk = device.take();
    if (!chunk) {
      std::this_thread::yield();
      continue;
    }
    for (; i < 1000 && device.room(*chunk) != 0; ++i) device.append(*chunk, Record{0, 1, i});
    device.handOver(*chunk);
  }
  launch(1);
  ring.append(entryOf(1, 0, 0, 2, 32));
  drain_->push(OpenChunksEvent{0, device.taken(), true});
  EXPECT_EQ(drain_->drainRing(ring.ring(), ring.produced(), 10s, true), ring.produced());
  EXPECT_TRUE(drain_->detachChunks(0));
  EXPECT_TRUE(drain_->detachChunks(0));
  EXPECT_TRUE(drain_->close());
  std::vector<std::uint64_t> expected(1001);
  std::iota(expected.begin(), expected.end(), std::uint64_t{0});
  EXPECT_EQ(told_.addresses[1], expected);
  EXPECT_TRUE(drain_->losses().empty());
}

/// Does what a test wants when a statistic of that name comes, on the drain's thread.
class SinkThatActs : public test::FakeSink {
 public:
  using Acts = std::map<std::string, std::function<void()>, std::less<>>;
  SinkThatActs(test::Told& told, Acts acts) : FakeSink(told), acts_(std::move(acts)) {}
  void addStat(std::string_view name, std::string_view severity, std::int64_t value, std::uint64_t launchId,
               std::string_view detail) override {
    if (const auto found = acts_.find(name); found != acts_.end()) return found->second();
    FakeSink::addStat(name, severity, value, launchId, detail);
  }

 private:
  Acts acts_;
};

/// Takes longer to close than a thread that does nothing is waited for.
class SlowSink : public test::FakeSink {
 public:
  explicit SlowSink(test::Told& told) : FakeSink(told) {}
  void close() override {
    for (int i = 0; i < 50; ++i) {
      std::this_thread::sleep_for(20ms);
      ++done_;
    }
    FakeSink::close();
  }
  std::uint64_t workDone() const override { return done_; }

 private:
  std::atomic<std::uint64_t> done_ = 0;
};

TEST_F(DrainTest, ASinkThatWorksIsWaitedFor) {
  settings_.patience = settings_.grace = 100ms;
  drain_ = std::make_unique<Drain>(
      std::make_unique<SlowSink>(told_), units_, [this] { return ++newId_; }, settings_,
      [this](const std::string& failure) { failure_ = failure; });
  EXPECT_TRUE(drain_->close());
  EXPECT_TRUE(told_.closed);
}

// While the drain is busy, kernel 1 fills the ring and kernel 2 a chunk: of that, the entry lies behind all
// else.
TEST_F(DrainTest, EntriesBehindAFullRingComeBeforeChunks) {
  constexpr std::uint64_t records = 100'000;
  test::FakeRing ring(1u << 17);
  test::FakeChunks device(4);
  settings_.holdBytes = 0;
  std::promise<void> busy, ready;
  drain_ = std::make_unique<Drain>(
      std::make_unique<SinkThatActs>(told_, SinkThatActs::Acts{{"busy",
                                                                [&] {
                                                                  busy.set_value();
                                                                  ready.get_future().wait();
                                                                }}}),
      units_, [this] { return ++newId_; }, settings_,
      [this](const std::string& failure) { failure_ = failure; });
  drain_->push(GridBaseEvent{0, 1});
  drain_->attachRing(ring.ring());
  drain_->attachChunks(device.chunks());
  launch(1);
  launch(2);
  drain_->push(StatEvent{"busy", "info", 0, 0, ""});
  busy.get_future().wait();  // what it holds until its kernel is known it guesses here: holdBytes is 0
  ring.append(entryOf(1, 0, 0, 2, 32));
  for (std::uint64_t i = 0; i < records; ++i) ring.append(Record{0, 1, i});
  ring.append(entryOf(2, 0, 0, 2, 32));
  std::optional<std::uint32_t> chunk;
  while (!(chunk = device.take())) std::this_thread::yield();
  for (std::uint64_t i = 0; i < 3; ++i) device.append(*chunk, Record{0, 2, i});
  device.handOver(*chunk);
  ready.set_value();
  EXPECT_EQ(drain_->drainRing(ring.ring(), ring.produced(), 10s, true), ring.produced());
  EXPECT_TRUE(drain_->detachChunks(0));
  EXPECT_TRUE(drain_->close());
  EXPECT_EQ(told_.addresses[1].size(), records);
  EXPECT_EQ(told_.addresses[2], (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_TRUE(drain_->losses().empty());
}

// One warp's records after another's, all through a few chunks, while readers, a second device and commits
// come in between.
TEST_F(DrainTest, ChunksThatThreadsReadKeepTheirOrder) {
  constexpr std::uint64_t records = 300'000;
  settings_.readers = 3;
  settings_.flushInterval = 1ms;
  test::FakeChunks device(600);
  start();
  drain_->attachChunks(device.chunks());
  drain_->push(GridBaseEvent{0, 1});
  launch(1);
  drain_->push(RecordsEvent{{slotOf(entryOf(1, 0, 0, 2, 32))}, 0});
  // One look at the chunks may take all of them: what comes before the launch is known is held, not single.
  while (drain_->slotsWritten() == 0) std::this_thread::yield();
  for (std::uint64_t i = 0; i < records;) {
    const auto chunk = device.take();
    if (!chunk) {
      std::this_thread::yield();
      continue;
    }
    for (; i < records && device.room(*chunk) >= 5; ++i)
      device.append(*chunk, Record{0, 1, i, i % 50'000 == 7 ? 4u : 0u});
    device.handOver(*chunk);
  }
  drain_->push(OpenChunksEvent{0, device.taken(), true});
  EXPECT_TRUE(drain_->detachChunks(0));
  EXPECT_TRUE(drain_->close());
  ASSERT_EQ(told_.addresses[1].size(), records);
  EXPECT_TRUE(std::is_sorted(told_.addresses[1].begin(), told_.addresses[1].end()));
  EXPECT_GT(told_.singles, records / 2);
  EXPECT_TRUE(drain_->losses().empty());
}

// The threads that read chunks do not wait for who fills them.
TEST_F(DrainTest, EndsWhileADeviceFillsChunksForEver) {
  settings_.readers = 2;
  settings_.patience = 200ms;
  test::FakeChunks device(1000);
  start();
  drain_->attachChunks(device.chunks());
  std::atomic<bool> stop{false};
  std::thread filling([&] {
    while (!stop) {
      const auto chunk = device.take();
      if (!chunk) continue;
      while (device.room(*chunk) != 0) device.append(*chunk, Record{0, 1, 1});
      device.handOver(*chunk);
    }
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(drain_->close());
  stop = true;
  filling.join();
}

TEST_F(DrainTest, WhatAChunkLacksIsALoss) {
  test::FakeChunks device(1);
  start();
  drain_->push(GridBaseEvent{0, 1});
  drain_->attachChunks(device.chunks());
  std::optional<std::uint32_t> chunk;
  while (!(chunk = device.take())) std::this_thread::yield();
  device.handOver(*chunk, 2);
  while (!device.take()) std::this_thread::yield();
  EXPECT_TRUE(drain_->close());
  EXPECT_EQ(drain_->losses().at("chunk_slots_lost"), 2);
}

TEST_F(DrainTest, UnwrittenSlotsArePassedOverAndCounted) {
  test::FakeRing ring(64);
  start();
  drain_->push(GridBaseEvent{0, 1});
  drain_->attachRing(ring.ring());
  launch(1);
  ring.append(entryOf(1, 0, 0, 2, 32));
  ring.reserve(Record{0, 1, 1});
  ring.append(Record{0, 1, 2});
  EXPECT_EQ(drain_->drainRing(ring.ring(), ring.produced(), 50ms, false), ring.produced());
  EXPECT_TRUE(drain_->close());
  EXPECT_EQ(told_.addresses[1], (std::vector<std::uint64_t>{2}));
  EXPECT_EQ(drain_->losses().at("ring_slots_lost"), 1);
}

TEST_F(DrainTest, QueueIsBoundedAndKeepsOrder) {
  settings_.queueBytes = 4096;
  start();
  launch(1);
  for (std::uint64_t i = 0; i < 2000; ++i) drain_->push(RecordsEvent{{slotOf(Record{0, 1, i})}});
  EXPECT_TRUE(drain_->close());
  ASSERT_EQ(told_.addresses[1].size(), 2000u);
  EXPECT_TRUE(std::is_sorted(told_.addresses[1].begin(), told_.addresses[1].end()));
}

// A drain that waits for long is woken for every event, one that polls for many only; either has them all.
TEST(EventQueue, NothingIsLeftBehind) {
  EventQueue queue(1 << 20);
  constexpr std::size_t count = 2000;
  for (const auto timeout : {std::chrono::nanoseconds(10s), std::chrono::nanoseconds(1ms)}) {
    std::thread program([&] {
      for (std::uint64_t i = 0; i < count; ++i) queue.push(LaunchTimeEvent{i, 0, 0}, 1s);
    });
    std::uint64_t next = 0;
    std::vector<Event> events;
    while (next < count) {
      queue.take(events, timeout);
      for (const Event& event : events) EXPECT_EQ(std::get<LaunchTimeEvent>(event).launchId, next++);
    }
    program.join();
  }
}

TEST(EventQueue, FullQueueGivesUpWhenNobodyReads) {
  EventQueue queue(1000);
  const RecordsEvent event{std::vector<Slot>(10)};
  EXPECT_TRUE(queue.push(event, 10ms));
  EXPECT_TRUE(queue.push(event, 10ms) == false);
  std::vector<Event> out;
  queue.take(out, 0ns);
  EXPECT_EQ(out.size(), 1u);
  EXPECT_TRUE(queue.push(event, 10ms));
}

TEST_F(DrainTest, FlushCommitsWhatCameBefore) {
  settings_.flushInterval = 0s;  // else a flush right after a commit waits for nothing
  start();
  launch(1);
  drain_->push(RecordsEvent{{slotOf(Record{0, 1, 10})}});
  drain_->flush();
  {
    const std::lock_guard lock(told_.mutex);
    EXPECT_GE(told_.flushes, 1u);
    EXPECT_EQ(told_.addresses[1].size(), 1u);
  }
  EXPECT_TRUE(drain_->close());
}

TEST_F(DrainTest, FailingStoreIsReportedOnceAndDrainGoesOn) {
  told_.fail = true;
  test::FakeRing ring(64);
  start();
  drain_->attachRing(ring.ring());
  launch(1);
  drain_->flush();
  for (int i = 0; i < 200; ++i) {  // the device must still find room
    while (!ring.hasRoom(1)) std::this_thread::yield();
    ring.append(Record{0, 1, 1});
  }
  EXPECT_EQ(drain_->drainRing(ring.ring(), ring.produced(), 10s, true), ring.produced());
  EXPECT_TRUE(drain_->close());
  EXPECT_EQ(failure_, "disk full");
}

TEST_F(DrainTest, ManyThreadsMayPush) {
  start();
  launch(1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([this] {
      for (int i = 0; i < 200; ++i) drain_->push(RecordsEvent{{slotOf(Record{0, 1, 1})}});
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(drain_->close());
  EXPECT_EQ(told_.addresses[1].size(), 800u);
}

}  // namespace
}  // namespace cui::hostlib
