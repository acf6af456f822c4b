// What a report says, on traces whose numbers are known.
#include "db/analyses/analyses.h"

#include <gtest/gtest.h>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

class Analyses : public testing::Test {
 protected:
  void record(const Slots& slots, std::uint64_t materializeLimit = 1000) {
    WriterOptions options;
    options.materializeLimit = materializeLimit;
    auto writer = openWriter(path_, options);
    EXPECT_OK(writer->addLaunch(launchRow(1)));
    EXPECT_OK(writer->updateLaunch(1, 2000, 0, ""));
    EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
    EXPECT_OK(writer->addStat("dropped", "data_loss", 3, 1, "ring full"));
    EXPECT_OK(writer->close());
  }
  std::vector<Finding> run(const char* name) {
    const auto reader = openReader(path_);
    const Analysis* analysis = findAnalysis(name);
    EXPECT_NE(analysis, nullptr);
    std::vector<AnalysisResult> results;
    EXPECT_OK(runAnalyses({&analysis, 1}, *reader, {}, results));
    return results.at(0).findings;
  }
  TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.db");
};

TEST_F(Analyses, CoalescingWorstFirst) {
  // out[]: 4096 bytes from lane to lane: 32 sectors for 4. in[]: consecutive, but 4 bytes off: 5 for 4.
  record({header(0, 1028, 4, ~0u, 4, Space::global), header(1, 0, 4096, ~0u, 4, Space::global),
          header(4, 0, 8, ~0u, 8, Space::global)});
  const std::vector<Finding> findings = run("coalescing");
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].verdict, "uncoalesced: 32.0 sectors/request, ideal 4.0");
  EXPECT_EQ(findings[0].severity, Finding::Severity::problem);
  EXPECT_EQ(findings[0].expression, "out[i]");
  EXPECT_EQ(findings[0].base, "out");
  EXPECT_EQ(findings[0].line, 10u);
  EXPECT_EQ(findings[0].suggestion.rfind("neighbouring threads are 4096 bytes apart: let threadIdx.x", 0), 0u)
      << findings[0].suggestion;
  EXPECT_EQ(findings[1].verdict, "partly coalesced: 5.0 sectors/request, ideal 4.0");
  EXPECT_EQ(findings[1].severity, Finding::Severity::warning);
  EXPECT_EQ(findings[1].suggestion.rfind("the warp's first address is not aligned", 0), 0u)
      << findings[1].suggestion;
  // 32 doubles are 8 sectors at best.
  EXPECT_EQ(findings[2].verdict, "coalesced: 8.0 sectors/request, ideal 8.0");
  EXPECT_EQ(findings[2].severity, Finding::Severity::info);
  EXPECT_EQ(findings[2].suggestion, "");
}

TEST_F(Analyses, ThePatternIsFoundWithoutPlainRowsToo) {
  record({header(1, 0, 64, ~0u, 4, Space::global), header(1, 0, 4096, ~0u, 4, Space::global),
          header(1, 0, 4096, ~0u, 4, Space::global)},
         0);
  const std::vector<Finding> findings = run("coalescing");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].suggestion.rfind("neighbouring threads are 4096 bytes apart", 0), 0u)
      << findings[0].suggestion;
}

TEST_F(Analyses, IrregularLanes) {
  Slots slots = {header(0, 0, 0, ~0u, 4, Space::global, AddressForm::offsets32)};
  std::int32_t offsets[32];
  for (int lane = 0; lane < 32; ++lane) offsets[lane] = lane * lane * 64;  // 32 different sectors
  appendBytes(slots, offsets, sizeof offsets);
  record(slots);
  const std::vector<Finding> findings = run("coalescing");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, "uncoalesced: 32.0 sectors/request, ideal 4.0");
  EXPECT_EQ(findings[0].suggestion.rfind("the lanes' addresses are irregular", 0), 0u);
}

TEST_F(Analyses, BankConflictsNameTheArrayAndItsPadding) {
  record({header(2, 0, 128, ~0u, 4, Space::shared)});
  const std::vector<Finding> findings = run("bank_conflicts");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, "32-way bank conflict on tile: 32.0 wavefronts/request, ideal 1.0");
  EXPECT_EQ(findings[0].suggestion.rfind("pad the rows of tile by one element", 0), 0u);
  EXPECT_EQ(findings[0].share, 1.0);
}

/// `tile` lies at 0 of the launch's shared window.
format::WarpRecord tileAtZero() {
  format::WarpRecord r = {};
  r.flags = format::makeFlags(format::RecordType::sharedVariable, AddressForm::affine, Space::shared, false);
  r.siteAndGeneration = siteBase | 0x5000000u;
  r.activeMask = 4096;
  return r;
}

TEST_F(Analyses, TheRemedyForBankConflictsIsTriedOnAllAccessesToTheArray) {
  // Columns and rows of tile[32][32]: padding by one helps the first and leaves the second as it is.
  record(
      {tileAtZero(), header(2, 0, 128, ~0u, 4, Space::shared), header(2, 4, 4, ~0u >> 1, 4, Space::shared)});
  const std::vector<Finding> findings = run("bank_conflicts");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(
      findings[0].suggestion,
      "pad each row by one element: float tile[32][33]; recomputed from 2 requests: 1.0 instead of 16.5 "
      "wavefronts/request here, 2 instead of 33 wavefronts over all accesses to tile, for 128 bytes of "
      "shared memory");
}

TEST_F(Analyses, BankConflictsByData) {
  Slots slots = {header(2, 0, 0, 0b111, 4, Space::shared, AddressForm::offsets32)};
  std::int32_t offsets[32] = {0, 128, 640};  // three words of bank 0
  appendBytes(slots, offsets, sizeof offsets);
  record(slots);
  const std::vector<Finding> findings = run("bank_conflicts");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, "3-way bank conflict on tile: 3.0 wavefronts/request, ideal 1.0");
  EXPECT_EQ(findings[0].suggestion.rfind("which elements a warp's threads access depends on data", 0), 0u);
}

TEST_F(Analyses, BankConflictsOfABlockNarrowerThanAWarp) {
  // Lane 16 c + r reads tile[r][c]: 16 words of bank 0, and 16 of bank 1. Rows of 34 elements put it into
  // bank 2 r + c.
  Slots slots = {tileAtZero(), header(2, 0, 0, ~0u, 4, Space::shared, AddressForm::offsets32)};
  std::int32_t offsets[32];
  for (int lane = 0; lane < 32; ++lane) offsets[lane] = lane % 16 * 128 + lane / 16 * 4;
  appendBytes(slots, offsets, sizeof offsets);
  record(slots);
  const std::vector<Finding> findings = run("bank_conflicts");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, "16-way bank conflict on tile: 16.0 wavefronts/request, ideal 1.0");
  EXPECT_EQ(findings[0].suggestion,
            "pad each row by 2 elements: float tile[32][34]; recomputed from 1 requests: 1.0 instead of 16.0 "
            "wavefronts/request here, 1 instead of 16 wavefronts over all accesses to tile, for 256 bytes of "
            "shared memory");
}

TEST_F(Analyses, BankConflictsByDataThatALayoutOnlyMoves) {
  // Nine words here and there, three of them of one bank. Each layout that is tried leaves two or more of
  // some bank.
  Slots slots = {tileAtZero(), header(2, 0, 0, 0x1ff, 4, Space::shared, AddressForm::offsets32)};
  const std::int32_t offsets[32] = {0, 936, 656, 288, 400, 396, 644, 516, 900};
  appendBytes(slots, offsets, sizeof offsets);
  record(slots);
  const std::vector<Finding> findings = run("bank_conflicts");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].suggestion.rfind("which elements a warp's threads access depends on data", 0), 0u)
      << findings[0].suggestion;
}

TEST_F(Analyses, NoBankConflicts) {
  record({header(2, 0, 132, ~0u, 4, Space::shared)});
  const std::vector<Finding> findings = run("bank_conflicts");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, "no bank conflicts on tile: 1.0 wavefronts/request");
  EXPECT_EQ(findings[0].severity, Finding::Severity::info);
}

TEST_F(Analyses, SummarySaysWhatIsMissing) {
  record({header(0, 0, 4, 0xfu, 4, Space::global)});
  const std::vector<Finding> findings = run("summary");
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_EQ(findings[0].verdict,
            "launches: 1 (kernels: 1), allocations: 0; 1 of 4 instrumented sites ran; warp accesses: 1, "
            "thread accesses: 4, bytes: 16");
  EXPECT_EQ(findings[1].verdict, "1 sites are not instrumented: bit-field");
  const std::string launch = "1 launches of scale<float>: 1 of the accesses in its code are not recorded";
  EXPECT_EQ(findings[2].verdict, launch);
  EXPECT_EQ(findings[3].verdict, "data_loss: dropped: 3 (ring full)");
  EXPECT_EQ(findings[3].severity, Finding::Severity::problem);
  Error error;
  unsigned said = 0;
  for (const ValidationFinding& finding : openReader(path_)->validate(error))
    said += finding.detail == launch;
  EXPECT_EQ(said, 1u);
}

// Of a library's kernels there is nothing else to say; one that turns out to be instrumented is like others.
TEST_F(Analyses, SummaryCountsLaunchesOfOtherKernels) {
  auto writer = openWriter(path_);
  EXPECT_OK(writer->addUnit(unit, siteBase));
  const char* const kernels[] = {"thrust::sort", "thrust::sort", "gather", "thrust::for_each<Mine>"};
  for (const std::uint64_t id : {1, 2, 3, 4}) {
    LaunchRow row;
    row.launchId = id;
    row.kernel = kernels[id - 1];
    row.instrumented = false;
    EXPECT_OK(writer->addLaunch(row));
    EXPECT_OK(writer->updateLaunch(id, 0, 0, ""));
  }
  format::WarpRecord entry = header(0, 0, 0, 32, 0, Space::generic);
  entry.flags =
      format::makeFlags(format::RecordType::kernelEntry, AddressForm::affine, Space::generic, false);
  EXPECT_OK(writer->addRecords(3, &entry, 1));
  const format::WarpRecord access = header(0, 64, 4, 32, 0, Space::global);
  EXPECT_OK(writer->addRecords(4, &access, 1));  // a function of the program's
  EXPECT_OK(writer->close());
  const std::vector<Finding> findings = run("summary");
  ASSERT_EQ(findings.size(), 5u);  // of gather, what is skipped
  EXPECT_EQ(findings[3].verdict,
            "1 launches of thrust::for_each<Mine> have those accesses here that functions of the program "
            "make: it is "
            "not instrumented itself");
  EXPECT_EQ(findings[2].verdict, "2 launches of thrust::sort have no accesses here: it is not instrumented");
  const auto reader = openReader(path_);
  EXPECT_EQ(rows(*reader, "SELECT launch_id, instrumented, entered FROM launch"),
            "1|0|0\n2|0|0\n3|1|1\n4|0|0");
  Error error;
  unsigned said = 0;
  for (const ValidationFinding& finding : reader->validate(error))
    said += finding.detail == "2 launches of thrust::sort have no accesses here: it is not instrumented";
  EXPECT_EQ(said, 1u);
}

TEST_F(Analyses, TheCatalogueFindsByName) {
  EXPECT_EQ(findAnalysis("no such analysis"), nullptr);
  for (const Analysis& analysis : analyses()) EXPECT_EQ(findAnalysis(analysis.name), &analysis);
}

}  // namespace
}  // namespace cui::db
