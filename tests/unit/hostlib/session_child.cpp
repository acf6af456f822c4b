// A program as the CPU backend would make it: registers a unit, launches, submits records, and ends in
// the way its argument says. session_test.cpp reads what is left in the trace.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cuinstrument/host/abi.h"

// The user's own SQLite, of a version we know nothing of: both must coexist.
extern "C" const char* sqlite3_libversion() {
  return "the user's own";
}
extern "C" int sqlite3_open(const char*, void**) {
  return 77;
}

namespace {

using cui::format::KernelEntry;
using cui::format::LaunchEntry;
using cui::format::SiteEntry;
using cui::format::UnitTable;
using cui::format::WarpRecord;

const cui::format::FileEntry files[] = {{"child.cu", "/src/child.cu", 1}};
const SiteEntry sites[] = {{11, 0, 3, 1, 3, 5, cui::format::Kind::load, cui::format::Space::global,
                            cui::format::Status::instrumented, 4, 0, "k", "p[i]", "p", "i", "float", "", "",
                            ""}};
const KernelEntry kernels[] = {{"k", 0, 2, 1}};
const LaunchEntry launches[] = {{"k", "k", "main", 0, 9, 1, 0}};
const UnitTable unit = {cui::format::unitFormatVersion,
                        5,
                        "child.cu",
                        "1",
                        1,
                        1,
                        1,
                        1,
                        0,
                        0,
                        files,
                        sites,
                        kernels,
                        launches,
                        nullptr,
                        nullptr};

std::uint32_t siteBase;

void launchWithRecords(int count) {
  CuiLaunch launch = {};
  launch.unit = &unit;
  for (int i = 0; i < 3; ++i) launch.grid[i] = launch.block[i] = 1;
  launch.block[0] = 32;
  launch.hostBeginNs = cuiNow();
  const std::uint64_t id = cuiLaunchBegin(&launch);
  for (int i = 0; i < count; ++i) {
    WarpRecord record = {};
    record.address = 0x1000 + 128 * static_cast<std::uint64_t>(i);
    record.activeMask = 0xffffffff;
    record.warpAndBytes = cui::format::makeWarpAndBytes(0, 4);
    record.flags = cui::format::makeFlags(cui::format::RecordType::access, cui::format::AddressForm::affine,
                                          cui::format::Space::global, false);
    record.siteAndGeneration = siteBase;
    record.launch = static_cast<std::uint32_t>(id);
    record.stride = 4;
    cuiSubmit(&record, 1);
  }
  const CuiCounter counter = {id, siteBase, static_cast<std::uint64_t>(count),
                              static_cast<std::uint64_t>(count) * 32};
  cuiCounters(0, &counter, 1);
  cuiLaunchEnd(id, cuiNow(), 0, "");
}

/// Launches in its destructor, which runs after main() and after every atexit handler of main's.
struct LaunchesLate {
  ~LaunchesLate() { launchWithRecords(3); }
};

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "exit";
  if (std::strcmp(sqlite3_libversion(), "the user's own") != 0 || sqlite3_open("", nullptr) != 77) return 9;
  if (mode == "plain") return cuiTakesPlainCode(&unit);  // before anything else is called
  if (mode == "hostside") {
    cuiHostSide(&unit, 2, 2);
    if (cuiRegisterUnit(CUI_ABI_VERSION, &unit) != 0 || cuiRecording() == 0) return 7;
    cuiHostSide(&unit, 2, 2);
    if (cuiRecording() == 0) return 6;
    cuiHostSide(&unit, 0, 0);
    cuiHostSide(&unit, 1, 2);  // said once
    return cuiRecording();
  }
  if (mode == "rows") {  // two sites are said, one is there
    const char* const rows[] = {"1f 0 3 1 3 5 load global instrumented 4 0\0k\0p[i]\0p\0i\0float\0\0\0\0",
                                nullptr};
    static SiteEntry space[2];
    UnitTable damaged = unit;
    damaged.siteCount = 2;
    damaged.sites = damaged.siteSpace = space;
    damaged.siteRows = rows;
    cuiRegisterUnit(CUI_ABI_VERSION, &damaged);
    return cuiRecording();
  }
  siteBase = cuiRegisterUnit(mode == "abi" ? CUI_ABI_VERSION + 1 : CUI_ABI_VERSION, &unit);
  if (cuiRegisterUnit(CUI_ABI_VERSION, &unit) != siteBase) return 8;
  if (mode == "modes") {  // two files compiled for one mode, one for both
    const int modes = argc > 2 && std::strcmp(argv[2], "trace") == 0 ? CUI_MODE_TRACE : CUI_MODE_PROFILE;
    for (int i = 0; i < 2; ++i) std::printf("%d ", cuiUnitModes(&unit, modes));
    std::printf("%d\n", cuiUnitModes(&unit, CUI_MODE_TRACE | CUI_MODE_PROFILE));
    std::fflush(stdout);
    return 0;
  }
  launchWithRecords(10);
  cuiFlush();
  if (mode == "abort") std::abort();
  if (mode == "kill") ::raise(SIGKILL);
  if (mode == "late") static const LaunchesLate late;
  if (mode == "fork") {
    const pid_t child = ::fork();
    if (child == 0) {
      const bool recording = cuiRecording() != 0;
      launchWithRecords(100);
      cuiFlush();
      std::exit(recording ? 5 : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 6;
    launchWithRecords(1);
  }
  if (mode == "wait") {  // until the test closes our stdin
    std::puts("ready");
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
  }
  std::puts("done");
  return 0;
}
