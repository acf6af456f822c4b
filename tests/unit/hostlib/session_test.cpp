// The session as a whole, through a child process (session_child.cpp) and the sqlite3 shell.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

struct Output {
  std::string text;
  int status = -1;  ///< exit status, or 128 + signal
};

Output shell(const std::string& command) {
  Output output;
  FILE* pipe = ::popen(("{ " + command + " ; } 2>&1").c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    output.text.append(buffer.data(), n);
  const int status = ::pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "cui-session-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(directory_, fs::perms::owner_all, ignored);
    fs::remove_all(directory_, ignored);
  }
  Output run(const std::string& mode, const std::string& environment = "CUINSTRUMENT_DB=t.db") {
    return shell("cd '" + directory_.string() + "' && env " + environment + " '" CUI_CHILD "' " + mode);
  }
  std::string query(const std::string& sql) {
    const Output output = shell("cd '" + directory_.string() + "' && sqlite3 t.db \"" + sql + "\"");
    return output.text.substr(0, output.text.find_last_not_of('\n') + 1);
  }
  fs::path directory_;
};

TEST_F(SessionTest, OrderlyExitLeavesACompleteTrace) {
  const Output output = run("exit");
  EXPECT_EQ(output.status, 0);
  EXPECT_EQ(output.text, "done\n");
  EXPECT_EQ(query("SELECT count(*), min(address), max(stride) FROM access"), "10|4096|4");
  EXPECT_EQ(query("SELECT value FROM meta WHERE key = 'complete'"), "1");
  EXPECT_FALSE(fs::exists(directory_ / "t.db-wal"));
}

TEST_F(SessionTest, ASelectionOfNothingIsSaid) {
  const std::string said =
      "cuinstrument: t.db: no accesses: CUINSTRUMENT_KERNELS and CUINSTRUMENT_LAUNCHES choose none of 1 "
      "launches (k)\n";
  const auto tells = [&](const std::string& choice) {
    const Output output = run("exit", "CUINSTRUMENT_DB=t.db " + choice);
    EXPECT_EQ(output.status, 0);
    return output.text + query("SELECT count(*) FROM access");
  };
  EXPECT_EQ(tells("CUINSTRUMENT_KERNELS='sclae*'"), said + "done\n0");
  EXPECT_EQ(tells("CUINSTRUMENT_LAUNCHES=7-"), said + "done\n0");
  EXPECT_EQ(tells("CUINSTRUMENT_KERNELS='k*'"), "done\n10");
}

TEST_F(SessionTest, RangesOfNvtxArePhases) {
  const auto child = [&](const std::string& rest) {
    return shell("cd '" + directory_.string() + "' && env CUINSTRUMENT_DB=t.db " + rest).text;
  };
  EXPECT_EQ(child("'" CUI_NVTX_CHILD "'"), "0 1 0 1 0 0 -2\n");
  EXPECT_EQ(query("SELECT phase_id, parent_id, name, end_ns >= begin_ns FROM phase ORDER BY phase_id"),
            "1||outer|1\n2|1|inner \u00e9\u20ac\U0001f600|1\n3|2|moment|1\n4||apart|1\n5||registered|1\n"
            "6||never popped|");
  EXPECT_EQ(query("SELECT text, eventType, [end] >= start FROM NVTX_EVENTS WHERE text = 'outer'"),
            "outer|59|1");
  EXPECT_EQ(child("'" CUI_NVTX_CHILD "' tool"), "another tool\n");
  EXPECT_EQ(child("CUINSTRUMENT=off '" CUI_NVTX_CHILD "'"), "no tool\n");
}

#if defined(CUI_FAILING_CHILD)
/// What a CUDA device had recorded when it failed: read by another process, or said to be lost.
TEST_F(SessionTest, ADeviceThatFails) {
  const auto child = [&](const std::string& rest) {
    fs::remove(directory_ / "t.db");
    return shell("cd '" + directory_.string() + "' && env CUINSTRUMENT_DB=t.db CUINSTRUMENT_POOL=64M " +
                 rest);
  };
  const std::string stats =
      "SELECT name, severity, value FROM trace_stat WHERE name LIKE 'device%' OR severity <> 'info'";
  const std::string metrics =
      "SELECT launch_id, requests, thread_accesses, sectors, min_address, max_address FROM site_metric";
  for (const std::string end : {"", " reset"}) {
    SCOPED_TRACE(end);
    const std::string program = "LD_LIBRARY_PATH='" CUI_FAKE_DRIVER_FOLDER "' '" CUI_FAILING_CHILD "'" + end;
    Output output = child(program);
    EXPECT_EQ(output.text, "done\n");
    EXPECT_EQ(query(stats), "device_failed|info|1");
    EXPECT_EQ(query(metrics), "1|10|320|40|4096|5375");
    EXPECT_EQ(query("SELECT count(*), count(DISTINCT address) FROM access"), "10|10");
    output = child("CUINSTRUMENT_MODE=profile " + program);
    EXPECT_EQ(output.text, "done\n");
    EXPECT_EQ(query(stats), "device_failed|info|1");
    EXPECT_EQ(query(metrics), "1|11|340|43|4096|8271");
  }
  const Output output = child("LD_LIBRARY_PATH=/nowhere '" CUI_FAILING_CHILD "'");
  EXPECT_EQ(output.status, 0);
  EXPECT_NE(output.text.find("incomplete: 1 pool_not_read"), std::string::npos) << output.text;
  EXPECT_EQ(query(stats), "pool_not_read|data_loss|1");
}
#endif

/// The child's addresses are 0x1000 each time, its device is 3. What is inside a recorded call, what the
/// program wraps itself, what failed and what came before the first unit has no row.
TEST_F(SessionTest, AllocationsByCodeThatWasNotRewritten) {
  const Output output =
      shell("cd '" + directory_.string() + "' && CUINSTRUMENT_DB=t.db '" CUI_LIBRARY_CHILD "'");
  EXPECT_EQ(output.text, "done\n");
  EXPECT_EQ(output.status, 0);
  EXPECT_EQ(
      query(
          "SELECT api, address, bytes, pitch, space, name, file, line, device_id, freed_api FROM allocation "
          "ORDER BY allocation_id"),
      "cudaMalloc|4096|256|0|global|held|child.cu|7|3|cudaFree\n"
      "cudaMallocPitch|4096|1024|512|global|||0|3|cudaFree\n"
      "cudaHostAlloc|4096|64|0|generic|||0|3|cudaFreeHost\n"
      "cudaMallocAsync|4096|128|0|global|||0|3|cudaFreeAsync");
  EXPECT_EQ(
      query("SELECT launch_id, kernel, grid_x, grid_y, grid_z, block_x, dynamic_shared_bytes, stream_id, "
            "host_end_ns >= host_begin_ns, error_name, instrumented, entered, device_id, file FROM launch"),
      "1|scale<float, 32>|4|3|2|64|16|112|1||0|0|3|\n"
      "2|app::fill|1|1|1|32|0|112|1||0|0|3|\n"
      "3|kernel_in_c|5|1|1|128|0|0|1||0|0|3|\n"
      "4||6|1|1|32|0|0|1||0|0|3|\n"
      "5|kernel_in_c|0|1|1|32|0|0|1|cudaErrorInvalidConfiguration|0|0|0|");
}

// Before CUDA 12.3: the program links, and its launches have rows.
TEST_F(SessionTest, LaunchesWithARuntimeThatDoesNotTellNames) {
  const Output output =
      shell("cd '" + directory_.string() + "' && CUINSTRUMENT_DB=t.db '" CUI_OLD_LIBRARY_CHILD "'");
  EXPECT_EQ(output.text, "done\n");
  EXPECT_EQ(query("SELECT count(*), sum(kernel = ''), sum(instrumented) FROM launch"), "5|5|0");
}

TEST_F(SessionTest, DefaultNameIsProgramAndPid) {
  EXPECT_EQ(run("exit", "X=1").status, 0);
  unsigned found = 0;
  for (const auto& entry : fs::directory_iterator(directory_)) {
    const std::string name = entry.path().filename().string();
    found += name.starts_with("hostlib_session_child.") && name.ends_with(".trace.db");
  }
  EXPECT_EQ(found, 1u);
}

TEST_F(SessionTest, OffRecordsNothing) {
  const Output output = run("exit", "CUINSTRUMENT=off CUINSTRUMENT_DB=t.db");
  EXPECT_EQ(output.status, 0);
  EXPECT_EQ(output.text, "done\n");
  EXPECT_TRUE(fs::is_empty(directory_));
}

/// Else a flush that follows a commit closely leaves the next one to the drain thread.
constexpr const char* flushAlways = "CUINSTRUMENT_DB=t.db CUINSTRUMENT_FLUSH_MS=0";

TEST_F(SessionTest, AbortLeavesWhatWasFlushed) {
  EXPECT_EQ(run("abort", flushAlways).status, 128 + SIGABRT);
  EXPECT_EQ(query("SELECT count(*) FROM launch"), "1");
  EXPECT_EQ(query("SELECT sum(requests) FROM site_metric"), "10");
}

TEST_F(SessionTest, KillLeavesWhatWasFlushed) {
  EXPECT_EQ(run("kill", flushAlways).status, 128 + SIGKILL);
  EXPECT_EQ(query("SELECT count(*) FROM launch"), "1");
  EXPECT_EQ(query("SELECT sum(requests) FROM site_metric"), "10");
}

TEST_F(SessionTest, StaticDestructorsAreRecorded) {
  EXPECT_EQ(run("late").status, 0);
  EXPECT_EQ(query("SELECT count(*) FROM launch"), "2");
  EXPECT_EQ(query("SELECT count(*) FROM access"), "13");
}

TEST_F(SessionTest, ForkedChildDoesNotRecordNorHarm) {
  // What only the parent's drain thread points to would count as leaked by the child, which lacks that
  // thread.
  const Output output = run("fork", "CUINSTRUMENT_DB=t.db ASAN_OPTIONS=detect_leaks=0");
  EXPECT_EQ(output.status, 0) << output.text;
  EXPECT_EQ(query("SELECT count(*) FROM access"), "11");
  EXPECT_EQ(query("PRAGMA integrity_check"), "ok");
}

TEST_F(SessionTest, TwoProgramsOnOneName) {
  const Output output =
      shell("cd '" + directory_.string() +
            "' && export CUINSTRUMENT_DB=t.db && mkfifo in out && ('" CUI_CHILD
            "' wait < in > out &) && exec 3> in && head -n 1 < out > /dev/null && '" CUI_CHILD
            "' exit; echo status $?; exec 3>&-");
  EXPECT_NE(output.text.find("cuinstrument: "), std::string::npos) << output.text;
  EXPECT_NE(output.text.find("; not recording\n"), std::string::npos) << output.text;
  EXPECT_NE(output.text.find("done\nstatus 0\n"), std::string::npos) << output.text;
}

TEST_F(SessionTest, UnwritablePlaceIsOneLine) {
  const Output output = run("exit", "CUINSTRUMENT_DB=/proc/no/t.db");
  EXPECT_EQ(output.status, 0);
  EXPECT_TRUE(output.text.starts_with("cuinstrument: ")) << output.text;
  EXPECT_TRUE(output.text.ends_with("; not recording\ndone\n")) << output.text;
  EXPECT_EQ(std::count(output.text.begin(), output.text.end(), '\n'), 2) << output.text;
}

TEST_F(SessionTest, ForeignFileIsLeftAlone) {
  std::ofstream(directory_ / "t.db") << "my diary";
  const Output output = run("exit");
  EXPECT_EQ(output.status, 0);
  EXPECT_NE(output.text.find("; not recording\n"), std::string::npos) << output.text;
  std::string line;
  std::getline(std::ifstream(directory_ / "t.db"), line);
  EXPECT_EQ(line, "my diary");
}

TEST_F(SessionTest, FullDiskIsOneLineAndTheProgramGoesOn) {
  const Output output =
      shell("cd '" + directory_.string() +
            "' && ulimit -f 8 && trap '' XFSZ && CUINSTRUMENT_DB=t.db '" CUI_CHILD "' exit");
  EXPECT_EQ(output.status, 0) << output.text;
  EXPECT_NE(output.text.find("; not recording\n"), std::string::npos) << output.text;
  EXPECT_TRUE(output.text.ends_with("done\n")) << output.text;
}

TEST_F(SessionTest, ALimitOnFileSizesIsNoEndOfTheProgram) {
  // The limits (in blocks of 512 or 1,024 bytes) are met while the trace is made, written and closed.
  for (const char* const limit : {"8", "100", "180", "220", "360"}) {
    const Output output =
        shell("cd '" + directory_.string() + "' && rm -f t.db* && ulimit -c 0 && ulimit -f " + limit +
              " && CUINSTRUMENT_DB=t.db '" CUI_CHILD "' exit");
    EXPECT_EQ(output.status, 0) << limit << output.text;
    EXPECT_TRUE(output.text.ends_with("done\n")) << limit << output.text;
  }
}

TEST_F(SessionTest, OtherAbiVersionIsRefused) {
  const Output output = run("abi");
  EXPECT_EQ(output.status, 0);
  EXPECT_NE(output.text.find("another version of libcuinstrument"), std::string::npos) << output.text;
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(SessionTest, TakesPlainCodeByTheEnvironmentAlone) {
  EXPECT_EQ(run("plain").status, 0);
  EXPECT_EQ(run("plain", "CUINSTRUMENT=on").status, 0);
  EXPECT_EQ(run("plain", "CUINSTRUMENT=off").status, 1);
  EXPECT_EQ(run("plain", "CUINSTRUMENT_KERNELS=another,k*").status, 0);
  EXPECT_EQ(run("plain", "CUINSTRUMENT_KERNELS=anotherUnits").status, 1);
  EXPECT_EQ(run("plain", "CUINSTRUMENT_DB=/nowhere/t.db").status, 0);  // found out later
}

TEST_F(SessionTest, SitesOtherThanSaidAreRefused) {
  const Output output = run("rows", "CUINSTRUMENT_DB=t.db");
  EXPECT_EQ(output.status, 0);
  EXPECT_EQ(output.text,
            "cuinstrument: child.cu does not hold the sites that it says; rebuild it; not recording\n");
}

TEST_F(SessionTest, SecondHostSideIsRefused) {
  const Output output = run("hostside", "CUINSTRUMENT_DB=t.db");
  EXPECT_EQ(output.status, 0);
  EXPECT_EQ(
      output.text,
      "cuinstrument: child.cu was instrumented for another host side (in each file) than the program has (in "
      "libcuinstrument, version 2); rebuild all; not recording\n");
}

TEST_F(SessionTest, FilesCompiledForAnotherModeAreOneLineAndARow) {
  const Output trace = run("modes profile");
  EXPECT_EQ(trace.text,
            "cuinstrument: child.cu is compiled for CUINSTRUMENT_MODE=profile only: in mode trace its "
            "accesses are not "
            "recorded; set that, or compile it without --mode profile\n0 0 1\n"
            "cuinstrument: t.db: incomplete: 2 mode_not_compiled; see its table trace_stat\n");
  EXPECT_EQ(query("SELECT value, severity, detail FROM trace_stat WHERE name = 'mode_not_compiled'"),
            "2|error|child.cu is compiled for CUINSTRUMENT_MODE=profile only");
}

TEST_F(SessionTest, FilesCompiledForThePresentModeAreNoNews) {
  EXPECT_EQ(run("modes profile", "CUINSTRUMENT_DB=t.db CUINSTRUMENT_MODE=profile").text, "1 1 1\n");
  EXPECT_EQ(run("modes trace").text, "1 1 1\n");
  EXPECT_EQ(run("modes profile", "CUINSTRUMENT=off").text, "0 0 1\n");  // nobody asks for anything
}

TEST_F(SessionTest, BadVariableIsOneLineAndRecordingGoesOn) {
  const Output output = run("exit", "CUINSTRUMENT_BUFFER=lots CUINSTRUMENT_DB=t.db");
  EXPECT_EQ(output.text,
            "cuinstrument: CUINSTRUMENT_BUFFER=lots ignored: expected 128K to 16G, such as 64M\ndone\n");
  EXPECT_EQ(query("SELECT count(*) FROM access"), "10");
}

}  // namespace
