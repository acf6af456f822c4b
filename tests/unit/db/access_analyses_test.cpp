// Analyses of single accesses on traces made by hand: what no program may do twice.
#include <gtest/gtest.h>

#include "tests/unit/db/analyses_fixture.h"

namespace cui::db {
namespace {

using namespace test;

using Bounds = AccessAnalyses;

TEST_F(Bounds, InFrontAndBehind) {
  allocate(0x10000, 128, 10);
  fill(0x10000, 128, 20);
  // Lane 0 starts 8 bytes in front, lanes 1 too; the other 30 are inside.
  launch(1, {header(0, 0x10000 - 8, 4, ~0u, 4, Space::global)});
  // The last of 32 doubles ends 128 bytes behind; half of them are inside.
  launch(2, {header(4, 0x10000, 8, ~0u, 8, Space::global)});
  const std::vector<Finding> findings = run("bounds");
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(
      findings[0].verdict,
      "out of bounds: reads 8 to 128 bytes behind the end of d_in (128 bytes, cudaMalloc at line 25), as "
      "element 32 of 32");
  EXPECT_EQ(findings[0].numbers[0].second, 16);
  EXPECT_EQ(findings[1].verdict,
            "out of bounds: reads 4 to 8 bytes in front of d_in (128 bytes, cudaMalloc at line 25)");
  EXPECT_EQ(findings[1].numbers[0].second, 2);
}

TEST_F(Bounds, UseAfterFree) {
  allocate(0x10000, 128, 10);
  fill(0x10000, 128, 20);
  launch(1, {header(0, 0x10000, 4, ~0u, 4, Space::global)});
  EXPECT_OK(writer_->setFreed(0x10000, "cudaFree", 1800));
  launch(2, {header(0, 0x10000, 4, 0xf, 4, Space::global)});
  const std::vector<Finding> findings = run("bounds");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict,
            "use after free: reads d_in (128 bytes, cudaMalloc at line 25), which was freed before");
  EXPECT_EQ(findings[0].numbers[0].second, 4);
  EXPECT_EQ(findings[0].severity, Finding::Severity::problem);
}

TEST_F(Bounds, MemoryThatIsAllocatedAgainIsFresh) {
  allocate(0x10000, 128, 10);
  fill(0x10000, 128, 20);
  EXPECT_OK(writer_->setFreed(0x10000, "cudaFree", 100));
  allocate(0x10000, 128, 200);
  launch(1, {header(1, 0x10000, 4, 0xff, 4, Space::global),      // stores 8 elements
             header(0, 0x10000, 4, 0xffff, 4, Space::global)});  // reads 16
  const std::vector<Finding> findings = run("bounds");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(
      findings[0].verdict,
      "uninitialised: reads d_in (128 bytes, cudaMalloc at line 25) where nothing was written, as element 8 "
      "of 32");
  EXPECT_EQ(findings[0].numbers[0].second, 8);
}

TEST_F(Bounds, FarFromEverythingIsNotCalledOutOfBounds) {
  allocate(0x10000, 128, 10);
  launch(1, {header(0, 0x7f0000000000, 4, 1, 4, Space::generic)});
  const std::vector<Finding> findings = run("bounds");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Finding::Severity::warning);
  EXPECT_EQ(findings[0].verdict, "reads memory that no known allocation holds: address 0x7f0000000000");
}

TEST_F(Bounds, WithoutMemoryToRememberNothingIsCalledUninitialised) {
  allocate(0x10000, 1 << 20, 10);
  fill(0x10000, 64, 20);
  fill(0x90000, 64, 20);
  fill(0xd0000, 64, 20);  // one page more than there is memory for
  launch(1, {header(0, 0x50000, 4, ~0u, 4, Space::global)});
  const std::vector<Finding> findings = run("bounds", 2048);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Finding::Severity::info);
}

using Races = AccessAnalyses;

format::WarpRecord barrier(std::uint32_t block, bool ofGrid = false) {
  format::WarpRecord r = {};
  r.activeMask = ofGrid ? 1 : 0;
  r.flags = format::makeFlags(format::RecordType::barrier, AddressForm::affine, Space::generic, false);
  r.block = block;
  return r;
}
format::WarpRecord store(std::uint64_t address, std::uint32_t mask, Space space, std::uint32_t block,
                         std::uint32_t warp) {
  return header(1, address, 4, mask, 4, space, AddressForm::affine, false, block, warp);
}
format::WarpRecord load(std::uint64_t address, std::uint32_t mask, Space space, std::uint32_t block,
                        std::uint32_t warp) {
  return header(0, address, 4, mask, 4, space, AddressForm::affine, false, block, warp);
}

TEST_F(Races, ABarrierOrdersOnlyItsOwnBlock) {
  // Block 0: a barrier between warp 0's store and warp 1's load. Block 1: its barrier comes too late.
  launch(1,
         {store(0, 0xf, Space::shared, 0, 0), barrier(0), load(0, 0xf, Space::shared, 0, 1),
          store(0, 0x3, Space::shared, 1, 0), load(0, 0x3, Space::shared, 1, 1), barrier(1)},
         2, 64);
  const std::vector<Finding> findings = run("races");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].numbers[0].second, 2);
  EXPECT_EQ(findings[0].expression, "out[i]");
  ASSERT_EQ(findings[0].related.size(), 1u);
  EXPECT_EQ(findings[0].related[0].expression, "in[i]");
  EXPECT_NE(findings[0].why.find("block (1,0,0), thread (0,0,0) and block (1,0,0), thread (32,0,0)"),
            std::string::npos)
      << findings[0].why;
}

TEST_F(Races, AWriterMeetsAnyReaderOfAnotherBlock) {
  // Blocks 0, 1 and 0 again read a word; block 0's write conflicts with block 1's read.
  launch(1,
         {load(0x1000, 1, Space::global, 0, 0), load(0x1000, 1, Space::global, 1, 0),
          load(0x1000, 1, Space::global, 0, 0), store(0x1000, 1, Space::global, 0, 0)},
         2);
  const std::vector<Finding> findings = run("races");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict.rfind("race: different blocks write and read", 0), 0u);
  EXPECT_EQ(findings[0].numbers[0].second, 1);
}

TEST_F(Races, AGridBarrierOrdersBlocksAndABlocksOwnDoesNot) {
  // Block 1 reads what block 0 wrote: 0x1000 after all met, 0x2000 and 0x3000 both on the same side of that.
  launch(1,
         {store(0x1000, 1, Space::global, 0, 0), store(0x2000, 1, Space::global, 0, 0),
          barrier(0, /*ofGrid=*/true), barrier(0), store(0x3000, 1, Space::global, 0, 0), barrier(0),
          load(0x2000, 1, Space::global, 1, 0), barrier(1, /*ofGrid=*/true),
          load(0x1000, 1, Space::global, 1, 0), load(0x3000, 1, Space::global, 1, 0)},
         2);
  const std::vector<Finding> findings = run("races");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].numbers[0].second, 2);
  EXPECT_EQ(rows(*openReader(path_), "SELECT block, count(*), sum(grid) FROM barrier GROUP BY 1"),
            "0|2|1\n1|1|1");
}

TEST_F(Races, LaunchesAndBlocksOfSharedMemoryAreApart) {
  launch(1,
         {store(0x1000, 1, Space::global, 0, 0), store(0, 1, Space::shared, 0, 0),
          store(0, 1, Space::shared, 1, 1)},
         2, 64);
  launch(2, {store(0x1000, 1, Space::global, 1, 0)}, 2);
  EXPECT_TRUE(run("races").empty());
}

TEST_F(Races, LanesOfOneWarpAreNotHeldAgainstEachOther) {
  launch(1, {store(0, 0xf, Space::shared, 0, 0), load(4, 0xf, Space::shared, 0, 0)});
  EXPECT_TRUE(run("races").empty());
}

TEST_F(Races, WithoutBarriersOnlyBlocksAreCompared) {
  writer_ = nullptr;
  WriterOptions options;
  options.backend = "cuda";
  const std::string path = folder_.file("cuda.db");
  writer_ = openWriter(path, options);
  launch(1,
         {store(0, 1, Space::shared, 0, 0), load(0, 1, Space::shared, 0, 1),
          store(0x1000, 1, Space::global, 0, 0), store(0x1000, 1, Space::global, 1, 0)},
         2, 64);
  const std::vector<Finding> findings = run("races", 512 << 20, path);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].verdict.rfind("race: different blocks write the same bytes", 0), 0u);
  EXPECT_EQ(findings[1].verdict.rfind("barriers were not recorded", 0), 0u);
}

/// Lane `lane` of a warp says that it has passed so many barriers.
format::WarpRecord passed(std::uint32_t block, std::uint32_t warp, std::uint64_t barriers,
                          unsigned lane = 0) {
  format::WarpRecord r = {};
  r.flags = format::markFlags(format::Mark::warpProgress);
  r.warpAndBytes = format::makeWarpAndBytes(warp, 0);
  r.activeMask = 1u << lane;
  r.block = block;
  r.address = barriers;
  return r;
}

/// A GPU's trace, whose records come warp by warp.
class RacesOnGpu : public Races {
 protected:
  void SetUp() override {
    WriterOptions options;
    options.backend = "cuda";
    writer_ = openWriter(path_, options);
    EXPECT_OK(writer_->setMeta("warp_barriers", "1"));
  }
};

TEST_F(RacesOnGpu, ABarrierOrdersTheWarpsOfItsBlock) {
  // Warp 0 writes a word, passes a barrier, writes another one; warp 1 reads the other way round. Both reads
  // are ordered: the first word's comes behind the barrier, and the second's comes before what it meets.
  launch(1,
         {store(0, 1, Space::shared, 0, 0), passed(0, 0, 1), store(4, 1, Space::shared, 0, 0),
          load(4, 1, Space::shared, 0, 1), passed(0, 1, 1), load(0, 1, Space::shared, 0, 1)},
         1, 64);
  EXPECT_TRUE(run("races").empty());
}

TEST_F(RacesOnGpu, BetweenTwoBarriersWarpsAreNotOrdered) {
  // Between barriers 1 and 2 of block 0 warp 0 writes what warp 1 reads; by what warp 0 does later it is not
  // hidden.
  launch(1,
         {passed(0, 0, 1), store(0x1000, 1, Space::global, 0, 0), passed(0, 0, 2),
          store(0x1000, 1, Space::global, 0, 0), passed(0, 0, 3), store(0, 1, Space::shared, 0, 0),
          passed(0, 1, 1), load(0x1000, 1, Space::global, 0, 1)},
         1, 64);
  const std::vector<Finding> findings = run("races");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict.rfind("race: different warps of a block write and read", 0), 0u);
  EXPECT_EQ(findings[0].numbers[0].second, 1);
}

TEST_F(RacesOnGpu, ALaneSpeaksForWhatItLeads) {
  // Of warp 1, lanes 16 to 31 have told that they are behind the barrier; lanes 0 to 15 have not, and are
  // not.
  launch(1,
         {store(0, 1, Space::shared, 0, 0), passed(0, 1, 1, 16), load(0, 0x10000, Space::shared, 0, 1),
          load(0, 1, Space::shared, 0, 1)},
         1, 64);
  const std::vector<Finding> findings = run("races");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].numbers[0].second, 1);
  EXPECT_NE(findings[0].why.find("thread (32,0,0)"), std::string::npos) << findings[0].why;
}

TEST_F(RacesOnGpu, AGridBarrierOrdersBlocksWhicheverRecordsComeFirst) {
  // Block 0 writes 0x1000 and 0x2000, then all meet, and it writes 0x1000 again. Of block 1's reads that of
  // 0x1000 comes before all met, as block 0's first write does; that of 0x2000 comes behind.
  const std::uint64_t once = 1 | std::uint64_t{1} << 32;
  launch(1,
         {store(0x1000, 1, Space::global, 0, 0), store(0x2000, 1, Space::global, 0, 0), passed(0, 0, once),
          store(0x1000, 1, Space::global, 0, 0), load(0x1000, 1, Space::global, 1, 0), passed(1, 0, once),
          load(0x2000, 1, Space::global, 1, 0)},
         2);
  const std::vector<Finding> findings = run("races");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict.rfind("race: different blocks write and read", 0), 0u);
  EXPECT_EQ(findings[0].numbers[0].second, 1);
  EXPECT_EQ(rows(path_, "SELECT block, lane, passed, grid FROM warp_barrier ORDER BY 1"), "0|0|1|1\n1|0|1|1");
}

TEST_F(RacesOnGpu, ABarrierThatIsNotRecordedMayOrderAnything) {
  // It stands in a function that any kernel may call.
  static constexpr format::SiteEntry skipped[] = {{2001, 0, 20, 3, 20, 6, Kind::load, Space::generic,
                                                   Status::skipped, 0, 0, "meet", "asm", "", "", "", "", "",
                                                   "barrier: in inline assembly"}};
  static constexpr format::UnitTable helpers = {
      format::unitFormatVersion, 0xabce, "meet.cu", "0.1", 1, 1, 0, 0, 0, 0, files, skipped, {}, {}, {}, {}};
  EXPECT_OK(writer_->addUnit(helpers, siteBase + 5));
  launch(1, {store(0, 1, Space::shared, 0, 0), load(0, 1, Space::shared, 0, 1)}, 1, 64);
  const std::vector<Finding> findings = run("races");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict.rfind("barriers were not recorded", 0), 0u);
}

TEST_F(RacesOnGpu, WhereMemoryIsUsedUpTheFirstBlocksAreWhole) {
  // Every block's warps race for one word of its own; there is memory for some two hundred words.
  Slots slots;
  for (std::uint32_t block = 0; block < 1000; ++block)
    for (const std::uint32_t warp : {0u, 1u}) slots.push_back(store(0, 1, Space::shared, block, warp));
  launch(1, slots, 1000, 64);
  const std::vector<Finding> findings = run("races", 64 << 10);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_GT(findings[0].numbers[0].second, 100);
  EXPECT_LT(findings[0].numbers[0].second, 300);
  EXPECT_EQ(findings[1].verdict.rfind("races within a block were looked for in the first blocks", 0), 0u);
}

TEST_F(RacesOnGpu, RecordsThatTookAnotherWayAreInNoOrder) {
  EXPECT_OK(writer_->addStat("pool_exhausted", "info", 1, 0, ""));
  launch(1, {store(0, 1, Space::shared, 0, 0), load(0, 1, Space::shared, 0, 1)}, 1, 64);
  const std::vector<Finding> findings = run("races");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict.rfind("barriers were not recorded", 0), 0u);
}

}  // namespace
}  // namespace cui::db
