#include "hostlib/options.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace cui::hostlib {
namespace {

struct Result {
  Options options;
  std::vector<std::string> complaints;
};

Result read(const std::map<std::string, std::string>& environment) {
  Result result;
  result.options = readOptions(
      [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
      },
      "/opt/bin/vec", 42, [&](std::string_view line) { result.complaints.emplace_back(line); });
  return result;
}

TEST(Options, DefaultsWithoutEnvironment) {
  const Result r = read({});
  EXPECT_TRUE(r.options.enabled);
  EXPECT_EQ(r.options.database, "vec.42.trace.db");
  EXPECT_EQ(r.options.bufferBytes, 64u << 20);
  EXPECT_EQ(r.options.poolBytes, 1u << 30);
  EXPECT_EQ(r.options.waitNs, 10'000'000'000u);
  EXPECT_EQ(r.options.cpuThreads, 1u);
  EXPECT_EQ(r.options.timestamps, Timestamps::off);
  EXPECT_FALSE(r.options.barriers);
  EXPECT_EQ(r.options.plainLaunches, PlainLaunches::whereTheyPay);
  EXPECT_FALSE(r.options.materializeLimit);
  EXPECT_EQ(r.options.maxTraceBytes, 0u);
  EXPECT_LE(r.options.encoders, 4u);
  EXPECT_TRUE(r.complaints.empty());
}

TEST(Options, ReadsEveryVariable) {
  const Result r = read({{"CUINSTRUMENT", "off"},
                         {"CUINSTRUMENT_DB", "out/%n-%p.db"},
                         {"CUINSTRUMENT_BUFFER", "2M"},
                         {"CUINSTRUMENT_POOL", "0"},
                         {"CUINSTRUMENT_WAIT_MS", "0"},
                         {"CUINSTRUMENT_VALUES", "0"},
                         {"CUINSTRUMENT_CPU_THREADS", "8"},
                         {"CUINSTRUMENT_FLUSH_MS", "5"},
                         {"CUINSTRUMENT_MATERIALIZE", "7"},
                         {"CUINSTRUMENT_MAX_TRACE", "3G"},
                         {"CUINSTRUMENT_ENCODERS", "5"},
                         {"CUINSTRUMENT_SAMPLE_BLOCKS", "64"},
                         {"CUINSTRUMENT_READERS", "3"},
                         {"CUINSTRUMENT_CHUNKS", "2M"},
                         {"CUINSTRUMENT_MODE", "profile"},
                         {"CUINSTRUMENT_SAMPLE_WARPS", "7"},
                         {"CUINSTRUMENT_MAX_TIME_MS", "3"},
                         {"CUINSTRUMENT_TIMESTAMPS", "accesses"},
                         {"CUINSTRUMENT_BARRIERS", "on"},
                         {"CUINSTRUMENT_KERNELS", "scale*"},
                         {"CUINSTRUMENT_LAUNCHES", "2-4"},
                         {"CUINSTRUMENT_VERBOSE", "1"},
                         {"CUINSTRUMENT_PLAIN_LAUNCHES", "off"}});
  EXPECT_FALSE(r.options.enabled);
  EXPECT_TRUE(r.options.profile);
  EXPECT_EQ(r.options.sampleBlocks, 64u);
  EXPECT_EQ(r.options.sampleWarps, 7u);
  EXPECT_EQ(r.options.maxTimeNs, 3'000'000u);
  EXPECT_EQ(r.options.timestamps, Timestamps::ofAccesses);
  EXPECT_TRUE(r.options.barriers);
  EXPECT_EQ(r.options.plainLaunches, PlainLaunches::off);
  EXPECT_TRUE(r.options.selection.includes("scaleUp", 3));
  EXPECT_FALSE(r.options.selection.includes("scaleUp", 5));
  EXPECT_FALSE(r.options.selection.includes("move", 3));
  EXPECT_EQ(r.options.database, "out/vec-42.db");
  EXPECT_EQ(r.options.bufferBytes, 2u << 20);
  EXPECT_EQ(r.options.poolBytes, 0u);
  EXPECT_EQ(r.options.waitNs, 0u);
  EXPECT_FALSE(r.options.recordValues);
  EXPECT_EQ(r.options.cpuThreads, 8u);
  EXPECT_EQ(r.options.flushNs, 5'000'000u);
  EXPECT_EQ(r.options.materializeLimit, 7u);
  EXPECT_EQ(r.options.maxTraceBytes, std::uint64_t{3} << 30);
  EXPECT_EQ(r.options.encoders, 5u);
  EXPECT_EQ(r.options.readers, 3u);
  EXPECT_EQ(r.options.chunkBytes, 2u << 20);
  EXPECT_TRUE(r.options.verbose);
  EXPECT_TRUE(r.complaints.empty());
}

TEST(Options, BadValueIsOneLineAndTheDefault) {
  const Result r = read({{"CUINSTRUMENT_BUFFER", "12Q"},
                         {"CUINSTRUMENT_WAIT_MS", "-1"},
                         {"CUINSTRUMENT_CPU_THREADS", "0"},
                         {"CUINSTRUMENT_ENCODERS", "65"},
                         {"CUINSTRUMENT_READERS", "17"},
                         {"CUINSTRUMENT_MAX_TRACE", "much"},
                         {"CUINSTRUMENT_SAMPLE_BLOCKS", "0"},
                         {"CUINSTRUMENT_LAUNCHES", "9-1"},
                         {"CUINSTRUMENT_MODE", "both"},
                         {"CUINSTRUMENT", "maybe"}});
  EXPECT_EQ(r.complaints.size(), 10u);
  EXPECT_FALSE(r.options.profile);
  EXPECT_EQ(r.complaints[0], "CUINSTRUMENT=maybe ignored: expected on or off");
  EXPECT_TRUE(r.options.enabled);
  EXPECT_EQ(r.options.bufferBytes, 64u << 20);
  EXPECT_EQ(r.options.waitNs, 10'000'000'000u);
  EXPECT_EQ(r.options.cpuThreads, 1u);
}

TEST(Options, KernelReplayPausesRecording) {
  const Result paused = read({{"NV_COMPUTE_PROFILER_PERFWORKS_DIR", "/opt/nvidia"}});
  EXPECT_FALSE(paused.options.enabled);
  EXPECT_EQ(paused.complaints.size(), 1u);
  const Result asked = read({{"NV_COMPUTE_PROFILER_PERFWORKS_DIR", "/opt/nvidia"}, {"CUINSTRUMENT", "on"}});
  EXPECT_TRUE(asked.options.enabled);
  EXPECT_TRUE(asked.complaints.empty());
}

TEST(Options, BytesWithSuffix) {
  EXPECT_EQ(parseBytes("131072"), 131072u);
  EXPECT_EQ(parseBytes("3g"), std::uint64_t{3} << 30);
  EXPECT_FALSE(parseBytes(""));
  EXPECT_FALSE(parseBytes("M"));
  EXPECT_FALSE(parseBytes("99999999999G"));
}

}  // namespace
}  // namespace cui::hostlib
