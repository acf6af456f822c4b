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

}  // namespace
}  // namespace cui::db
