// Whole traces in other tools' formats, read as their readers do.
#include "db/exporters/trace_formats.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/unit/db/analyses_fixture.h"

namespace cui::db {
namespace {

using namespace test;

class TraceFormats : public AccessAnalyses {
 protected:
  std::string exported(const char* format, const std::string& file = "", std::int64_t launchId = 0) {
    EXPECT_OK(writer_->close());
    const auto reader = openReader(path_);
    ExportOptions options;
    options.path = folder_.file("out");
    options.launchId = launchId;
    EXPECT_OK(findTraceFormat(format)->run(*reader, options));
    return contents(file);
  }
  std::string contents(const std::string& file) const {
    std::ifstream in(folder_.file("out") + (file.empty() ? "" : "/" + file), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  format::WarpRecord access(std::uint32_t site, std::uint64_t address, std::int32_t stride,
                            std::uint32_t mask, Space space, std::uint32_t block, std::uint32_t warp) const {
    return header(site, address, stride, mask, site == 4 ? 8 : 4, space, AddressForm::affine, false, block,
                  warp);
  }
  static format::WarpRecord barrier(std::uint32_t block) {
    format::WarpRecord r = {};
    r.flags = format::markFlags(format::Mark::blockBarrier);
    r.block = block;
    return r;
  }
};

TEST_F(TraceFormats, AccelSimHasWholeBlocksWithTheirBarriers) {
  // Two blocks of 40 threads, whose accesses mix. Site 1 in block 0 comes after the barrier.
  launch(1,
         {access(0, 0x1000, 4, ~0u, Space::global, 0, 0), access(0, 0x1100, 4, 0xff, Space::global, 1, 1),
          access(2, 0x80, 4, 0xff, Space::shared, 0, 1), barrier(0),
          access(1, 0x2000, 4, 0x5, Space::global, 0, 0), barrier(1),
          access(4, 0x3000, -8, 0xf0, Space::global, 1, 0)},
         2, 40);
  const std::string text = exported("accelsim", "kernel-1.traceg");
  // The program counter: 16 + 32 * the site's number, 16 more for a store; the numbers are 0 to 4 here.
  EXPECT_EQ(text.substr(text.find("#BEGIN_TB")),
            "#BEGIN_TB\n\nthread block = 0,0,0\n\n"
            "warp = 0\ninsts = 4\n"
            "0010 ffffffff 1 R1 LDG.E 1 R2 4 1 0x1000 4\n"
            "0000 ffffffff 0 BAR.SYNC 0 0\n"
            "0040 00000005 0 STG.E 2 R2 R1 4 0 0x2000 0x2008\n"  // lanes 0 and 2: listed
            "0008 ffffffff 0 EXIT 0 0\n\n"
            "warp = 1\ninsts = 3\n"
            "0050 000000ff 1 R1 LDS 1 R2 4 1 0x80 4\n"
            "0000 000000ff 0 BAR.SYNC 0 0\n"
            "0008 000000ff 0 EXIT 0 0\n\n"
            "#END_TB\n\n"
            "#BEGIN_TB\n\nthread block = 1,0,0\n\n"
            "warp = 0\ninsts = 3\n"
            "0000 ffffffff 0 BAR.SYNC 0 0\n"
            "0090 000000f0 1 R1 LDG.E.64 1 R2 8 1 0x3000 -8\n"
            "0008 ffffffff 0 EXIT 0 0\n\n"
            "warp = 1\ninsts = 3\n"
            "0010 000000ff 1 R1 LDG.E 1 R2 4 1 0x1100 4\n"
            "0000 000000ff 0 BAR.SYNC 0 0\n"
            "0008 000000ff 0 EXIT 0 0\n\n"
            "#END_TB\n\n");
  EXPECT_NE(text.find("-grid dim = (2,1,1)\n-block dim = (40,1,1)\n"), std::string::npos) << text;
  EXPECT_EQ(contents("kernelslist.g"), "kernel-1.traceg\n");
}

TEST_F(TraceFormats, AccelSimSplitsWhatNoInstructionMoves) {
  // 28 bytes a lane: 16, 8 and 4.
  launch(1, {header(0, 0x1000, 28, 0x3, 28, Space::global)});
  const std::string text = exported("accelsim", "kernel-1.traceg");
  EXPECT_NE(text.find("insts = 4\n"
                      "0010 00000003 1 R1 LDG.E.128 1 R2 16 1 0x1000 28\n"
                      "0010 00000003 1 R1 LDG.E.64 1 R2 8 1 0x1010 28\n"
                      "0010 00000003 1 R1 LDG.E 1 R2 4 1 0x1018 28\n"),
            std::string::npos)
      << text;
}

TEST_F(TraceFormats, AccelSimRefusesWhatNoLaunchIs) {
  launch(1, {access(0, 0x1000, 4, 1, Space::global, 0, 0)}, 1, 1 << 30);
  EXPECT_OK(writer_->close());
  const auto reader = openReader(path_);
  ExportOptions options;
  options.path = folder_.file("out");
  EXPECT_EQ(findTraceFormat("accelsim")->run(*reader, options).code, ErrorCode::corrupt);
}

TEST_F(TraceFormats, AccelSimReadsALaunchInRanges) {
  // More records than are kept at a time, so that the blocks take several passes. Every block has 60 loads.
  constexpr std::uint32_t blocks = 3000;
  Slots slots;
  for (std::uint32_t i = 0; i < 60 * blocks; ++i)
    slots.push_back(access(0, 0x10000 + std::uint64_t{i} * 4, 0, 1, Space::global, i % blocks, 0));
  launch(1, slots, blocks);
  std::istringstream text(exported("accelsim", "kernel-1.traceg"));
  std::uint32_t block = 0, warps = 0;
  std::uint64_t loads = 0, sum = 0;
  for (std::string line; std::getline(text, line);) {
    if (line.rfind("thread block = ", 0) == 0) {
      EXPECT_EQ(line, "thread block = " + std::to_string(block++) + ",0,0");
    } else if (line == "insts = 61") {
      ++warps;
    } else if (line.find("LDG") != std::string::npos) {
      ++loads;
      sum += std::stoull(line.substr(line.find("0x")), nullptr, 16);
    }
  }
  EXPECT_EQ(block, blocks);
  EXPECT_EQ(warps, blocks);
  EXPECT_EQ(loads, 60u * blocks);
  const std::uint64_t n = 60ull * blocks;
  EXPECT_EQ(sum, n * 0x10000 + 4 * (n * (n - 1) / 2));
}

struct Entry {
  std::uint16_t type = 0, size = 0;
  std::uint64_t address = 0;
};

std::vector<Entry> entriesOf(const std::string& bytes) {
  EXPECT_EQ(bytes.size() % 12, 0u);
  std::vector<Entry> entries;
  for (std::size_t at = 0; at + 12 <= bytes.size(); at += 12) {
    Entry entry;
    std::memcpy(&entry.type, bytes.data() + at, 2);
    std::memcpy(&entry.size, bytes.data() + at + 2, 2);
    std::memcpy(&entry.address, bytes.data() + at + 4, 8);
    entries.push_back(entry);
  }
  return entries;
}

TEST_F(TraceFormats, DrcachesimHasSectorsByThread) {
  // 4 sectors read by block 0, 1 written by block 1, 1 read by block 0; shared memory is not in it.
  launch(1,
         {access(0, 0x1000, 4, ~0u, Space::global, 0, 0), access(1, 0x2000, 4, 0xf, Space::global, 1, 0),
          access(2, 0, 4, ~0u, Space::shared, 0, 0), access(0, 0x1020, 4, 0x1, Space::global, 0, 0)},
         2);
  const std::vector<Entry> entries = entriesOf(exported("drcachesim"));
  // The types of DynamoRIO's trace_entry.h: read 0, write 1, instruction 10, thread 22, its exit 23, process
  // 24, header 25, footer 26, marker 28.
  std::string text;
  for (const Entry& entry : entries) {
    if (!text.empty()) text += ' ';
    text += std::to_string(entry.type);
    if (entry.type <= 1 || entry.type == 22 || entry.type == 23) text += ':' + std::to_string(entry.address);
  }
  EXPECT_EQ(text,
            "25 22:1 24 28 28 28 28 "                  // header, a first thread, what the file is
            "22:2 24 10 0:4096 0:4128 0:4160 0:4192 "  // block 0
            "22:3 24 10 1:8192 "                       // block 1
            "22:2 10 0:4128 23:2 23:3 23:1 26");
  for (const Entry& entry : entries) {
    if (entry.type <= 1) {
      EXPECT_EQ(entry.size, 32);
    }
  }
  EXPECT_EQ(entries.front().address, 3u);
}

TEST_F(TraceFormats, OneLaunchOnly) {
  for (std::uint64_t id = 1; id <= 3; ++id) launch(id, {access(0, 0x1000 * id, 4, 1, Space::global, 0, 0)});
  std::string reads;
  for (const Entry& entry : entriesOf(exported("drcachesim", "", 2)))
    if (entry.type == 0) reads += std::to_string(entry.address) + ' ';
  EXPECT_EQ(reads, "8192 ");
}

TEST_F(TraceFormats, NothingIsLeftWhereTheOutputCannotBeWritten) {
  launch(1, {access(0, 0x1000, 4, 1, Space::global, 0, 0)});
  EXPECT_OK(writer_->close());
  const auto reader = openReader(path_);
  for (const TraceFormat& format : traceFormats()) {
    ExportOptions options;
    options.path = path_ + "/below_a_file";
    EXPECT_EQ(format.run(*reader, options).code, ErrorCode::io) << format.name;
  }
}

TEST_F(TraceFormats, ALinkStaysALink) {
  launch(1, {access(0, 0x1000, 4, 1, Space::global, 0, 0)});
  std::ofstream(folder_.file("target")) << "old";
  std::filesystem::create_symlink(folder_.file("target"), folder_.file("out"));
  EXPECT_EQ(exported("drcachesim").size() % 12, 0u);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.file("out")));
  EXPECT_GT(std::filesystem::file_size(folder_.file("target")), 100u);
}

TEST_F(TraceFormats, CancelledLeavesNoFile) {
  launch(1, {access(0, 0x1000, 4, 1, Space::global, 0, 0)});
  EXPECT_OK(writer_->close());
  const auto reader = openReader(path_);
  for (const char* name : {"drcachesim", "accelsim"}) {
    ExportOptions options;
    options.path = folder_.file(name);
    options.progress = [](std::uint64_t, std::uint64_t) { return true; };
    EXPECT_EQ(findTraceFormat(name)->run(*reader, options).code, ErrorCode::cancelled);
    EXPECT_FALSE(std::filesystem::is_regular_file(options.path));
    if (std::filesystem::is_directory(options.path)) {
      EXPECT_TRUE(std::filesystem::is_empty(options.path));
    }
  }
}

}  // namespace
}  // namespace cui::db
