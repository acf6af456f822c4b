// What kernels write in place of a call for all of a loop's only access, run lane by lane (ptx_warp.h): one
// record, where a whole warp goes round equally often from places in a line; else the call itself.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "cli/compile/in_place_text.h"
#include "cuinstrument/format/held_chunk.h"
#include "hostlib/slot.h"
#include "ptx_warp.h"

namespace cui::cli::in_place_loop_run {
namespace {

constexpr std::uint64_t poolBegin = 0x7f0000000000, sums = 0x7f1200000040, firstPlace = 0x7ffe12345600;
constexpr unsigned site = 77, times = 40, step = 8, tag = 0x5a, launch = 9, block = 4, warpInBlock = 3;
constexpr std::uint32_t all = 0xffffffffu;

class LoopInPlace : public testing::Test {
 protected:
  LoopInPlace() : warp_(text()) {
    warp_.constants = {{format::poolAt, poolBegin}};
    warp_.call = [this](const std::string& function, std::uint32_t who) { called(function, who); };
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      warp_.at("%cuihlane", lane) = lane;
      warp_.at("%cuihlaunch", lane) = launch;
      warp_.at("%cuihblock", lane) = block;
      warp_.at("%cuihwarp", lane) = warpInBlock;
      warp_.at("%r3", lane) = site << 3 | 1;
      warp_.at("%rd7", lane) = firstPlace + std::uint64_t{4} * lane;
      warp_.at("%r5", lane) = step;
      warp_.at("%r4", lane) = times;
      warp_.at("%r9", lane) = 5;
    }
  }

  static std::string text() {
    AccessCall call;
    call.function = "recordLoopOne";
    call.operands = {"%rd1", "%r3", "%rd7", "%r5", "4", "%r4"};
    call.result = "%r9";
    const InPlaceText text("state", 7);
    return text.loop(call, 0) + "bra.uni $end;\n" +
           text.loopOtherwise(call, 0, "call.uni\nitself,\n(\n)\nmov.u32 %r9, 0;\n") + "$end:\n";
  }
  void called(const std::string& function, std::uint32_t who) {
    if (function == "itself") {
      itself_ |= who;
      return;
    }
    const bool finds = function.find("10findCounts") != std::string::npos;
    EXPECT_TRUE(finds || function.find("8holdAnew") != std::string::npos) << function;
    EXPECT_EQ(who, all);
    ++(finds ? found_ : held_);
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      const std::uint64_t chunk =
          std::uint64_t{room_ << format::heldRoomShift | tag} << 32 | std::uint64_t{1000} * lane;
      warp_.at("retval0", lane) = finds ? (lane == 0 ? sums_ : 0) : room_ != 0 ? chunk : 0;
    }
  }
  void run(std::uint32_t lanes = all) {
    itself_ = 0;
    warp_.stored.clear();
    warp_.added.clear();
    EXPECT_EQ(warp_.run(lanes), "");
  }
  hostlib::Slot slotOf(unsigned number) const {
    hostlib::Slot slot = {};
    for (unsigned i = 0; i < 8; ++i)
      slot.word[i / 2] |=
          std::uint64_t{warp_.stored.at(poolBegin + std::uint64_t{32} * number + std::uint64_t{4} * i)}
          << (i % 2 * 32);
    return slot;
  }

  PtxWarp warp_;
  std::uint32_t itself_ = 0;  ///< lanes that have come to the call
  unsigned held_ = 0, found_ = 0;
  unsigned room_ = 8;
  std::uint64_t sums_ = sums;
};

TEST_F(LoopInPlace, IsARecordOfTheWholeWarp) {
  run();
  EXPECT_EQ(itself_, 0u);
  ASSERT_EQ(warp_.stored.size(), 16u);
  const hostlib::Slot loop = slotOf(0), access = slotOf(1);
  EXPECT_EQ(loop.word[0], times);
  EXPECT_EQ(format::typeOf(hostlib::flagsOf(loop)), format::RecordType::barrier);
  EXPECT_EQ(hostlib::bytesOf(loop), 1u);  // access
  EXPECT_EQ(access.word[0], firstPlace);
  EXPECT_EQ(format::formOf(hostlib::flagsOf(access)), format::AddressForm::affine);
  EXPECT_EQ(format::typeOf(hostlib::flagsOf(access)), format::RecordType::access);
  EXPECT_EQ(hostlib::bytesOf(access), 4u);
  EXPECT_EQ(hostlib::siteOf(access), site);
  EXPECT_EQ(access.word[3] >> 32, 4u);  // from lane to lane
  EXPECT_EQ(access.word[2] >> 32, step);
  EXPECT_EQ(hostlib::launchKeyOf(loop), launch);
  for (const hostlib::Slot& slot : {loop, access}) {
    EXPECT_EQ(hostlib::activeMaskOf(slot), all);
    EXPECT_EQ(hostlib::generationA(slot.word[1]), tag);
    EXPECT_EQ(hostlib::generationB(slot.word[2]), tag);
    EXPECT_EQ(hostlib::warpOf(slot), warpInBlock);
    EXPECT_EQ(slot.word[3] & 0xffffffffu, block);
  }
  EXPECT_EQ(warp_.added, (std::map<std::uint64_t, std::uint64_t>{{sums, times}}));
  for (unsigned lane = 0; lane < warpLanes; ++lane) EXPECT_EQ(warp_.at("%r9", lane), 1u);
}

TEST_F(LoopInPlace, AsksForRoomAndCountsOnceForMany) {
  for (unsigned i = 0; i < 4; ++i) {
    run();
    EXPECT_EQ(warp_.stored.begin()->first, poolBegin + std::uint64_t{64} * i);
    EXPECT_EQ(itself_, 0u);
  }
  EXPECT_EQ(held_, 1u);
  EXPECT_EQ(found_, 1u);
  run();  // eight slots are used up
  EXPECT_EQ(held_, 2u);
  EXPECT_EQ(itself_, 0u);
}

TEST_F(LoopInPlace, IsTheCallWhereThereIsNoRoomOrCount) {
  room_ = 0;
  run();
  EXPECT_EQ(itself_, all);
  room_ = 8, sums_ = 0;
  run();
  EXPECT_EQ(itself_, all);
  EXPECT_TRUE(warp_.stored.empty());
  EXPECT_TRUE(warp_.added.empty());
  for (unsigned lane = 0; lane < warpLanes; ++lane) EXPECT_EQ(warp_.at("%r9", lane), 0u);
}

TEST_F(LoopInPlace, IsTheCallWhereLanesDiffer) {
  for (const char* of : {"%r4", "%r5", "%rd7"}) {
    for (const unsigned lane : {0u, 1u, 2u, 31u}) {
      ++warp_.at(of, lane);
      run();
      EXPECT_EQ(itself_, all) << of << " of lane " << lane;
      EXPECT_TRUE(warp_.stored.empty());
      --warp_.at(of, lane);
    }
  }
  EXPECT_EQ(held_ + found_, 0u);
  run(all >> 1);
  EXPECT_EQ(itself_, all >> 1);
  run(1u << 7);
  EXPECT_EQ(itself_, 1u << 7);
}

TEST_F(LoopInPlace, LinesGoBothWaysAndOverFourGigabytes) {
  const std::uint64_t begin = 0x7fffffffff80;  // its lower half overflows within the line
  for (const std::int64_t stride : {-4, 0, 16, 1 << 20}) {
    for (unsigned lane = 0; lane < warpLanes; ++lane)
      warp_.at("%rd7", lane) = begin + static_cast<std::uint64_t>(stride * lane);
    room_ = 2;
    run();
    EXPECT_EQ(itself_, 0u) << stride;
    EXPECT_EQ(slotOf(1).word[0], begin);
    EXPECT_EQ(static_cast<std::int32_t>(slotOf(1).word[3] >> 32), stride);
  }
  for (unsigned lane = 0; lane < warpLanes; ++lane)
    warp_.at("%rd7", lane) = begin + lane * (std::uint64_t{1} << 33);  // no stride of 32 bits
  run();
  EXPECT_EQ(itself_, all);
}

}  // namespace
}  // namespace cui::cli::in_place_loop_run
