#include "hostlib/session.h"

#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

#include "hostlib/message.h"
#include "hostlib/nvtx.h"
#include "hostlib/trace_sink.h"

namespace cui::hostlib {
namespace {

std::string programPath() {
  char buffer[4096];
  const ssize_t length = ::readlink("/proc/self/exe", buffer, sizeof buffer);
  return length > 0 ? std::string(buffer, static_cast<std::size_t>(length)) : std::string("program");
}

/// The arguments, separated by spaces.
std::string commandLine() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!text.empty() && text.back() == '\0') text.pop_back();
  for (char& c : text)
    if (c == '\0') c = ' ';
  return text;
}

std::int64_t clockNs(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

db::WriterOptions writerOptions(const Options& settings, const std::string& program) {
  db::WriterOptions options;
  if (settings.materializeLimit) options.materializeLimit = *settings.materializeLimit;
  options.encoderThreads = settings.encoders;
  options.maxFileBytes = settings.maxTraceBytes;
  options.storeAccesses = !settings.profile;
  options.accessTimes = settings.timestamps == Timestamps::ofAccesses;
  options.program = program;
  options.commandLine = commandLine();
  char directory[4096];
  if (::getcwd(directory, sizeof directory) != nullptr) options.workingDirectory = directory;
  options.monotonicNs = clockNs(CLOCK_MONOTONIC);
  options.realtimeNs = clockNs(CLOCK_REALTIME);
  return options;
}

/// Destructor functions run after every atexit handler and static destructor of the program.
[[gnu::destructor]] void closeAtExit() {
  Session::instance().close();
}

}  // namespace

Session& Session::instance() {
  static Session* const session = new Session;  // never destroyed: threads may outlive exit handlers
  return *session;
}

void Session::readEnvironment() {
  if (environmentRead_) return;
  environmentRead_ = true;
  settings_ = readOptions([](const char* name) { return std::getenv(name); }, programPath(), ::getpid(), say);
  options_.bufferBytes = settings_.bufferBytes;
  options_.waitNs = settings_.waitNs;
  options_.recordValues = settings_.recordValues && !settings_.profile ? 1 : 0;
  options_.cpuThreads = settings_.cpuThreads;
  options_.poolBytes = settings_.profile ? 0 : settings_.poolBytes;  // nothing waits there
  options_.chunkBytes = settings_.chunkBytes;
  options_.profile = settings_.profile ? 1 : 0;
  options_.sampleLimit = format::sampleLimit(settings_.sampleBlocks);
  options_.warpSampleLimit = format::sampleLimit(settings_.sampleWarps);
  options_.timestamps = settings_.timestamps != Timestamps::off ? 1 : 0;
  options_.barriers = settings_.barriers && !settings_.profile ? 1 : 0;
  options_.plainLaunches = static_cast<std::uint32_t>(settings_.plainLaunches);
  options_.choosesLaunches = settings_.selection.choosesLaunches() ? 1 : 0;
}

const CuiOptions& Session::options() {
  const std::lock_guard lock(mutex_);
  readEnvironment();
  return options_;
}

bool Session::takesPlainCode(const format::UnitTable& unit) {
  const std::lock_guard lock(mutex_);
  readEnvironment();
  return !settings_.enabled || !settings_.selection.includesAnyOf(unit);
}

std::uint32_t Session::registerUnit(std::uint32_t abiVersion, const format::UnitTable& unit) {
  {
    const std::lock_guard lock(mutex_);
    readEnvironment();
    if (abiVersion != CUI_ABI_VERSION || unit.formatVersion != format::unitFormatVersion) {
      opened_ = true;
      stopRecording(std::string(unit.mainFile) +
                    " was instrumented for another version of libcuinstrument (" +
                    std::to_string(abiVersion) + "." + std::to_string(unit.formatVersion) + ", this is " +
                    std::to_string(CUI_ABI_VERSION) + "." + std::to_string(format::unitFormatVersion) +
                    "); rebuild it");
    } else if (!opened_) {
      open();
    }
  }
  const UnitRegistry::Registration registration = units_.add(unit);
  if (!registration.isWhole) {
    const std::lock_guard lock(mutex_);
    stopRecording(std::string(unit.mainFile) + " does not hold the sites that it says; rebuild it");
  }
  if (registration.isNew)
    if (Drain* const target = drain()) target->push(UnitEvent{&unit, registration.siteBase});
  return registration.siteBase;
}

/// Two host sides would each number the grids of one device.
void Session::checkHostSide(const format::UnitTable& unit, std::uint32_t expected, std::uint32_t present) {
  const std::lock_guard lock(mutex_);
  if (!hostSide_) hostSide_ = present;
  if (refusedHostSide_ || (expected == present && present == *hostSide_)) return;
  refusedHostSide_ = opened_ = true;
  const auto spell = [](std::uint32_t side) {
    return side == 0 ? std::string("in each file") : "in libcuinstrument, version " + std::to_string(side);
  };
  stopRecording(std::string(unit.mainFile) + " was instrumented for another host side (" + spell(expected) +
                ") than the program has (" + spell(expected == present ? *hostSide_ : present) +
                "); rebuild all");
}

/// One line for all units, as most programs' are compiled alike; the row counts them.
bool Session::checkModes(const format::UnitTable& unit, std::uint32_t modes) {
  const std::lock_guard lock(mutex_);
  readEnvironment();
  if ((modes & (settings_.profile ? CUI_MODE_PROFILE : CUI_MODE_TRACE)) != 0) return true;
  if (!recording()) return false;
  const std::string present = settings_.profile ? "profile" : "trace";
  const std::string compiled = settings_.profile ? "trace" : "profile";
  const std::string what =
      std::string(unit.mainFile) + " is compiled for CUINSTRUMENT_MODE=" + compiled + " only";
  if (!saidMode_)
    say(what + ": in mode " + present +
        " its accesses are not recorded; set that, or compile it without --mode " + compiled);
  saidMode_ = true;
  if (Drain* const target = drain()) target->push(StatEvent{"mode_not_compiled", "error", 1, 0, what});
  return false;
}

void Session::open() {
  opened_ = true;
  if (!settings_.enabled) return;
  std::string error;
  const std::string program = programPath();
  std::unique_ptr<RecordSink> sink =
      openTraceSink(settings_.database, writerOptions(settings_, program), settings_.barriers, error);
  if (sink == nullptr) return stopRecording(error);
  DrainSettings drain;
  drain.queueBytes = settings_.bufferBytes;
  drain.holdBytes = 4 * settings_.bufferBytes;
  drain.flushInterval = std::chrono::nanoseconds(settings_.flushNs);
  drain.patience = std::chrono::nanoseconds(settings_.waitNs);
  drain.readers = settings_.readers;
  drain.selection = settings_.selection;
  if (settings_.maxTimeNs != 0)
    untilNs_ = clockNs(CLOCK_MONOTONIC) + static_cast<std::int64_t>(settings_.maxTimeNs);
  drain.untilNs = untilNs_;
  drain_ = std::make_unique<Drain>(
      std::move(sink), units_, [this] { return nextLaunchId(); }, drain,
      [this](const std::string& failure) { stopRecording(failure); });
  if (settings_.sampleBlocks != 1)
    drain_->push(StatEvent{"blocks_sampled", "info", settings_.sampleBlocks, 0,
                           "one block in so many is recorded; all numbers are of those"});
  if (settings_.sampleWarps != 1)
    drain_->push(StatEvent{"warps_sampled", "info", settings_.sampleWarps, 0,
                           "one warp in so many is recorded; all numbers are of those"});
  static const int forkHandlers = ::pthread_atfork(&beforeFork, &afterForkInParent, &afterForkInChild);
  recording_.store(forkHandlers == 0, std::memory_order_release);
  nvtx::offer();
}

bool Session::launchSelected(const format::UnitTable* unit, std::uint32_t launchEntry,
                             std::uint64_t launchId) const {
  constexpr std::uint64_t ahead = 16;
  if (settings_.maxTimeNs != 0 && clockNs(CLOCK_MONOTONIC) >= untilNs_) return false;
  const std::uint64_t first = launchId != 0 ? launchId : launches_.load(std::memory_order_relaxed) + 1;
  const std::uint64_t count = launchId != 0 ? 1 : ahead;
  if (namesVariable(unit, launchEntry)) return settings_.selection.includesAnyId(first, count);
  return settings_.selection.includesAny(kernelOf(unit, launchEntry), first, count);
}

void Session::stopRecording(const std::string& reason) {
  recording_.store(false, std::memory_order_release);
  say(reason + "; not recording");
}

void Session::atClose(void (*function)()) {
  const std::lock_guard lock(mutex_);
  closers_.push_back(function);
}

void Session::close() {
  std::vector<void (*)()> closers;
  {
    const std::lock_guard lock(mutex_);
    closers.swap(closers_);
  }
  if (drain_ == nullptr) return;
  if (recording())
    for (void (*closer)() : closers) closer();
  const bool wasRecording = recording_.exchange(false, std::memory_order_acq_rel);
  if (drain_ == nullptr) return;
  const bool complete = drain_->close();
  if (wasRecording) summarise(complete);
  forgetDrain();
}

/// Leaves the drain where it is, undestroyed: threads that still run may hold the pointer.
void Session::forgetDrain() {
  [[maybe_unused]] static const Drain* volatile kept;  // a root, so that leak checkers see it
  kept = drain_.release();
}

/// One line if anything is missing, nothing was chosen, or the user asked for it.
void Session::summarise(bool complete) {
  std::ostringstream line;
  line << settings_.database << ": ";
  if (!complete) {
    line << "not finished in time; it holds what was committed last";
  } else if (!drain_->losses().empty()) {
    line << "incomplete:";
    const char* separator = " ";
    for (const auto& [name, value] : drain_->losses()) {
      line << separator << value << ' ' << name;
      separator = ", ";
    }
    line << "; see its table trace_stat";
  } else if (const std::string launched = drain_->nothingSelected(); !launched.empty()) {
    line << "no accesses: CUINSTRUMENT_KERNELS and CUINSTRUMENT_LAUNCHES choose none of " << launched;
  } else if (settings_.verbose) {
    line << "complete, " << launches_.load(std::memory_order_relaxed) << " launches, "
         << drain_->slotsWritten() << " record slots";
  } else {
    return;
  }
  say(line.str());
}

// A forked child shares the trace's file but not the drain thread: it does not record.

void Session::beforeFork() {
  instance().mutex_.lock();
  instance().units_.mutex().lock();
}
void Session::afterForkInParent() {
  instance().units_.mutex().unlock();
  instance().mutex_.unlock();
}
void Session::afterForkInChild() {
  Session& session = instance();
  session.recording_.store(false, std::memory_order_release);
  session.forgetDrain();  // its thread, locks and database connection are the parent's
  session.closers_.clear();
  session.units_.mutex().unlock();
  session.mutex_.unlock();
}

}  // namespace cui::hostlib
