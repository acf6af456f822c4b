// When a GPU's warps made their accesses, as its marks tell.
#include <gtest/gtest.h>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

format::WarpRecord timeMark(std::uint32_t block, std::uint32_t warp, unsigned lane, std::uint64_t ns,
                            std::uint64_t clock) {
  format::WarpRecord r = {};
  r.flags = format::markFlags(format::Mark::time);
  r.warpAndBytes = format::makeWarpAndBytes(warp, 131);  // the multiprocessor
  r.activeMask = 1u << lane;
  r.block = block;
  r.address = ns;
  r.siteAndGeneration = static_cast<std::uint32_t>(clock >> 32) | 0x7000000u;
  r.stride = static_cast<std::int32_t>(clock);
  return r;
}
format::WarpRecord access(std::uint32_t block, std::uint32_t warp, std::uint32_t mask) {
  return header(0, 0x1000, 4, mask, 4, Space::global, AddressForm::affine, false, block, warp);
}

class TimeRows : public testing::Test {
 protected:
  void write(bool ofAccesses, const Slots& slots) {
    WriterOptions options;
    options.accessTimes = ofAccesses;
    const auto writer = openWriter(path_, options);
    EXPECT_OK(writer->addLaunch(launchRow(1, 2, 64)));
    // In two parts, with all that was gathered written in between.
    const std::size_t half = slots.size() / 2;
    EXPECT_OK(writer->addRecords(1, slots.data(), half));
    EXPECT_OK(writer->flush());
    EXPECT_OK(writer->addRecords(1, slots.data() + half, slots.size() - half));
    EXPECT_OK(writer->close());
  }
  TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.db");
};

// Warp 1 of block 1: lane 0 leads at 100 ns and at 400 ns, lane 16, whose records come behind, at 50 ns
// and 250 ns. Clocks of more than 32 bits. Warp 0 of block 0 makes one access without a time and one with.
constexpr std::uint64_t high = std::uint64_t{0xabcdef} << 32;
const Slots timedRecords = {access(0, 0, ~0u),         timeMark(1, 1, 0, 100, high | 0x80000064u),
                            access(1, 1, ~0u),         timeMark(1, 1, 0, 400, high | 0x80000190u),
                            access(1, 1, 0xffff),      timeMark(1, 1, 16, 50, high | 0x80000032u),
                            access(1, 1, 0xffff0000),  timeMark(1, 1, 16, 250, high | 0x800000fau),
                            timeMark(0, 0, 0, 300, 7), access(1, 1, 0xffff0000),
                            access(0, 0, ~0u),         access(0, 0, ~0u)};

TEST_F(TimeRows, OfWarps) {
  write(false, timedRecords);
  // 0xabcdef80000032 = 48358649545883698, 0xabcdef80000190 = 48358649545884048.
  EXPECT_EQ(rows(path_, "SELECT * FROM warp_time"),
            "1|0|0|131|1|300|300|7|7\n"
            "1|1|1|131|4|50|400|48358649545883698|48358649545884048");
  EXPECT_EQ(rows(path_, "SELECT count(*) FROM access_time"), "0");
}

TEST_F(TimeRows, OfAccesses) {
  write(true, timedRecords);
  EXPECT_EQ(rows(path_, "SELECT launch_id, sequence, time_ns FROM access_time"),
            "1|1|100\n1|2|400\n1|3|50\n1|4|250\n1|5|300");
  EXPECT_EQ(rows(path_, "SELECT count(*) FROM access"), "7");
}

}  // namespace
}  // namespace cui::db
