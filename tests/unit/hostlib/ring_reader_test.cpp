#include "hostlib/ring_reader.h"

#include <gtest/gtest.h>

#include <thread>

#include "fakes.h"

namespace cui::hostlib {
namespace {

using test::FakeRing;
using test::Record;

std::vector<Slot> pollAll(RingReader& reader) {
  std::vector<Slot> out;
  for (auto slots = reader.poll(); !slots.empty(); slots = reader.poll())
    out.insert(out.end(), slots.begin(), slots.end());
  return out;
}

TEST(RingReader, ReadsNothingFromAnEmptyRing) {
  FakeRing ring(16);
  RingReader reader(ring.ring());
  EXPECT_TRUE(pollAll(reader).empty());
}

TEST(RingReader, StopsAtASlotThatIsReservedButNotWritten) {
  FakeRing ring(16);
  RingReader reader(ring.ring());
  ring.append(Record{1});
  const Record late{2};
  const std::uint64_t ticket = ring.reserve(late);
  ring.append(Record{3});
  EXPECT_EQ(pollAll(reader).size(), 1u);
  ring.write(ticket, late);
  const std::vector<Slot> rest = pollAll(reader);
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_EQ(siteOf(rest[0]), 2u);
  EXPECT_EQ(siteOf(rest[1]), 3u);
  EXPECT_EQ(ring.consumed(), 3u);
}

// 255 generations and some more: every lap is told from the one before, and from 255 laps ago.
TEST(RingReader, GenerationsWrap) {
  FakeRing ring(16);
  RingReader reader(ring.ring());
  std::uint64_t read = 0;
  for (std::uint64_t written = 0; written < 16 * 600; ++written) {
    ring.append(Record{static_cast<std::uint32_t>(written % 1000), 0, written, written % 5 == 0 ? 4u : 0u});
    if (written % 3 != 2) continue;
    const std::vector<Slot> out = pollAll(reader);
    for (std::size_t i = 0; i < out.size(); i += 1 + payloadOf(out[i])) ASSERT_EQ(out[i].word[0], read++);
    ASSERT_EQ(reader.consumed(), ring.produced());
  }
  EXPECT_EQ(read, 16u * 600);
}

// A payload slot full of 0xff carries the tags of generation 255. Where a header is expected there one lap
// of that generation later, it must not be taken for one.
TEST(RingReader, StalePayloadIsNoHeader) {
  FakeRing ring(8);
  RingReader reader(ring.ring());
  for (unsigned lap = 0; lap < 254; ++lap) {
    if (lap == 253) {  // generation 254: the last lap before the look-alikes would match
      ring.append(Record{1, 0, 0, 4});
      for (int i = 0; i < 3; ++i) ring.append(Record{1});
    } else {
      for (int i = 0; i < 8; ++i) ring.append(Record{1});
    }
    pollAll(reader);
  }
  ASSERT_EQ(reader.consumed(), 254u * 8);
  ring.append(Record{2});  // slot 0 of generation 255; slots 1 to 4 held the payload
  EXPECT_EQ(pollAll(reader).size(), 1u);
}

TEST(RingReader, SkipsWhatWasNeverWritten) {
  FakeRing ring(16);
  RingReader reader(ring.ring());
  for (int i = 0; i < 3; ++i) ring.reserve(Record{1});
  ring.append(Record{7});
  EXPECT_TRUE(pollAll(reader).empty());
  EXPECT_EQ(reader.skip(ring.produced()), 3u);
  const std::vector<Slot> rest = pollAll(reader);
  ASSERT_EQ(rest.size(), 1u);
  EXPECT_EQ(siteOf(rest[0]), 7u);
}

TEST(RingReader, SkipToArrivedNeedsSomethingToGoTo) {
  FakeRing ring(16);
  RingReader reader(ring.ring());
  ring.reserve(Record{1});
  EXPECT_EQ(reader.skipToArrived(), 0u);
  ring.append(Record{2});
  EXPECT_EQ(reader.skipToArrived(), 1u);
  EXPECT_EQ(pollAll(reader).size(), 1u);
}

TEST(RingReader, TouchesNothingOnceDetached) {
  FakeRing ring(16);
  RingReader reader(ring.ring());
  ring.append(Record{1});
  reader.detach();
  EXPECT_TRUE(pollAll(reader).empty());
  EXPECT_EQ(ring.consumed(), 0u);
}

// One thread writes as the device does, one reads: nothing lost, order kept, no data race (run under TSan).
TEST(RingReader, ConcurrentWriterLosesNothing) {
  FakeRing ring(64);
  RingReader reader(ring.ring());
  constexpr std::uint64_t total = 20'000;
  std::thread writer([&] {
    for (std::uint64_t i = 0; i < total; ++i) {
      const unsigned payload = i % 7 == 0 ? 4 : 0;
      while (!ring.hasRoom(1 + payload)) std::this_thread::yield();
      ring.append(Record{0, 0, i, payload});
    }
  });
  std::uint64_t expected = 0;
  bool ordered = true;
  while (expected < total) {
    const auto out = reader.poll();
    if (out.empty()) std::this_thread::yield();
    for (std::size_t i = 0; i < out.size(); i += 1 + payloadOf(out[i]))
      ordered &= out[i].word[0] == expected++;
  }
  writer.join();
  EXPECT_TRUE(ordered);
}

}  // namespace
}  // namespace cui::hostlib
