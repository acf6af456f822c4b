// Traces of programs and disks that die, and names that are taken.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

/// Runs `action` in a child process; its exit status, or 128 + the signal.
template <class F>
int inChild(F&& action) {
  const pid_t child = fork();
  if (child == 0) _exit(action());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Survival, AKilledProgramLeavesWhatItFlushed) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  const int status = inChild([&] {
    auto writer = openWriter(path);
    const auto record = header(0, 0, 4, ~0u, 4, Space::global);
    if (writer->addLaunch(launchRow(1)) || writer->addRecords(1, &record, 1) || writer->flush()) return 1;
    if (writer->addRecords(1, &record, 1)) return 2;  // after the flush: lost
    raise(SIGKILL);
    return 3;
  });
  ASSERT_EQ(status, 128 + SIGKILL);
  EXPECT_EQ(stockSqlite(path, "SELECT count(*) FROM access"), "1");
  EXPECT_EQ(stockSqlite(path, "SELECT requests FROM hot_site"), "1");
  EXPECT_EQ(stockSqlite(path, "SELECT count(*) FROM access_lane"), "32");
  const auto reader = openReader(path);
  EXPECT_FALSE(reader->complete());
  EXPECT_NE(problems(*reader).find("complete data_loss"), std::string::npos);
  // The dead process's lock is gone: the name can be used again.
  EXPECT_OK(openWriter(path)->close());
  EXPECT_EQ(rows(path, "SELECT count(*) FROM launch"), "0");
}

TEST(Survival, ATraceIsReadableWhileItIsWritten) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  auto writer = openWriter(path);
  EXPECT_OK(writer->addLaunch(launchRow(1)));
  EXPECT_OK(writer->flush());
  EXPECT_EQ(stockSqlite(path, "SELECT count(*) FROM launch"), "1");
  EXPECT_OK(writer->addLaunch(launchRow(2)));
  EXPECT_OK(writer->close());
  EXPECT_EQ(stockSqlite(path, "SELECT count(*) FROM launch"), "2");
}

TEST(Survival, TwoWritersOfOneName) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  auto first = openWriter(path);
  EXPECT_OK(first->addLaunch(launchRow(1)));
  EXPECT_OK(first->flush());
  const int status = inChild([&] {
    Error error;
    const auto second = TraceWriter::open(path, {}, error);
    return !second && error.code == ErrorCode::busy &&
                   error.message.starts_with(path + ": another running process")
               ? 0
               : 1;
  });
  EXPECT_EQ(status, 0);
  Error error;
  EXPECT_EQ(TraceWriter::open(path, {}, error), nullptr);  // nor may the same process
  EXPECT_EQ(error.code, ErrorCode::busy);
  EXPECT_OK(first->close());
  EXPECT_EQ(rows(path, "SELECT count(*) FROM launch"), "1");
}

TEST(Survival, OnlyTracesAreReplaced) {
  TemporaryFolder folder;
  const std::string text = folder.file("notes.txt");
  std::ofstream(text)
      << "my notes, more than a hundred bytes of them, because that is what the header takes .........."
         "..............";
  const std::string before = readFile(text);
  Error error;
  EXPECT_EQ(TraceWriter::open(text, {}, error), nullptr);
  EXPECT_EQ(error.message, text + ": exists and is not a trace; choose another name or remove it");
  EXPECT_EQ(readFile(text), before);
  EXPECT_EQ(TraceWriter::open(folder.path(), {}, error), nullptr);  // a folder
  EXPECT_EQ(error.code, ErrorCode::io);
  EXPECT_EQ(TraceWriter::open(folder.file("no/such/folder.db"), {}, error), nullptr);
  EXPECT_EQ(error.code, ErrorCode::io);
  EXPECT_NE(error.message.find("create its folder first"), std::string::npos);
}

TEST(Survival, ANameIsAFileNameWhateverSqliteMakesOfIt) {
  TemporaryFolder folder;
  for (const char* name : {":memory:", "file:a.db?mode=memory", "a b%20'c.db"}) {
    EXPECT_EQ(inChild([&] {
                if (chdir(folder.path().c_str()) != 0) return 1;
                auto writer = openWriter(name);
                if (!writer || writer->addLaunch(launchRow(1)) || writer->close()) return 2;
                return rows(name, "SELECT count(*) FROM launch") == "1" ? 0 : 3;
              }),
              0)
        << name;
    EXPECT_TRUE(std::filesystem::exists(folder.file(name))) << name;
  }
}

TEST(Survival, AReadOnlyFolder) {
  TemporaryFolder folder;
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  const std::string path = folder.file("a.db");
  const int status = inChild([&] {
    if (getuid() == 0 && setuid(65534) != 0) return 2;  // root may write anywhere
    Error error;
    const auto writer = TraceWriter::open(path, {}, error);
    return !writer && error.code == ErrorCode::io &&
                   error.message ==
                       path +
                           ": cannot create the trace: Permission denied; choose a place that can be "
                           "written"
               ? 0
               : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST(Survival, AFinishedTraceIsReadableWhereNothingCanBeWritten) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  auto writer = openWriter(path);
  EXPECT_OK(writer->addLaunch(launchRow(1)));
  EXPECT_OK(writer->close());
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  EXPECT_EQ(inChild([&] {
              if (getuid() == 0 && setuid(65534) != 0) return 2;
              return rows(path, "SELECT count(*) FROM launch") == "1" ? 0 : 1;
            }),
            0);
}

TEST(Survival, AFullDiskIsOneErrorAndAValidFile) {
  // A limit on the size of files stands in for a full disk: the write fails in the same place. Each size
  // makes another step fail: creating, committing, checkpointing, closing.
  for (const rlim_t limit : {2'000u, 100'000u, 400'000u, 700'000u, 1'500'000u}) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.db");
    const int status = inChild([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit size = {limit, limit};
      setrlimit(RLIMIT_FSIZE, &size);
      Error error;
      auto writer = TraceWriter::open(path, {}, error);
      if (!writer)
        return error.code == ErrorCode::io &&
                       error.message == path + ": disk full; free space or write the trace elsewhere"
                   ? 10
                   : 1;
      error = writer->addUnit(unit, siteBase);
      for (std::uint64_t launch = 1; launch < 2000 && !error; ++launch) {
        Slots slots;
        for (unsigned i = 0; i < 100; ++i)
          slots.push_back(header(0, (launch * 1000 + i * i) % 9973 * 64, 4, ~0u, 4, Space::global));
        error = writer->addLaunch(launchRow(launch));
        if (!error) error = writer->addRecords(launch, slots.data(), slots.size());
        if (!error) error = writer->flush();
      }
      if (!error) return 2;
      if (error.code != ErrorCode::io || error.message.find("disk full") == std::string::npos) return 3;
      // Inert now, with the same error.
      if (writer->addLaunch(launchRow(9000)).message != error.message) return 4;
      if (writer->close().message != error.message) return 5;
      return 20;
    });
    ASSERT_TRUE(status == 10 || status == 20) << status << " at " << limit;
    EXPECT_EQ(status, limit <= 100'000 ? 10 : 20) << limit;
    if (status == 10) continue;
    const auto reader = openReader(path);
    ASSERT_NE(reader, nullptr) << limit;
    EXPECT_FALSE(reader->complete());
    EXPECT_EQ(rows(*reader, "PRAGMA integrity_check"), "ok") << limit;
    EXPECT_EQ(
        rows(*reader,
             "SELECT count(*) FROM access a LEFT JOIN launch l USING(launch_id) WHERE l.launch_id IS NULL"),
        "0");
  }
}

TEST(Survival, MemoryStaysBoundedOverMillionsOfRecords) {
  // 5,000,000 records in one launch without a flush: chunks go out as they fill.
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  const int status = inChild([&] {
    WriterOptions options;
    options.materializeLimit = 1000;
    auto writer = openWriter(path, options);
    Slots slots(1000);
    if (writer->addLaunch(launchRow(1, 100'000, 256))) return 1;
    rusage before = {}, after = {};
    getrusage(RUSAGE_SELF, &before);
    for (std::uint32_t batch = 0; batch < 5000; ++batch) {
      for (std::uint32_t i = 0; i < slots.size(); ++i) {
        const std::uint32_t n = batch * 1000 + i;
        slots[i] = header(n % 2, std::uint64_t{n / 2} * 128 + (n % 2 << 30), 4, ~0u, 4, Space::global,
                          AddressForm::affine, false, n / 16, n / 2 % 8);
      }
      if (writer->addRecords(1, slots.data(), slots.size())) return 2;
    }
    if (writer->close()) return 3;
    getrusage(RUSAGE_SELF, &after);
    return after.ru_maxrss - before.ru_maxrss < 96 * 1024 ? 0 : 4;  // KiB; the records are 160 MB
  });
  ASSERT_EQ(status, 0);
  EXPECT_LT(std::filesystem::file_size(path), 5'000'000u);  // under a byte a record
  EXPECT_EQ(rows(path, "SELECT sum(requests), sum(sectors) FROM site_metric"), "5000000|20000000");
}

}  // namespace
}  // namespace cui::db
