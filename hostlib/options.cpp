#include "hostlib/options.h"

#include <algorithm>
#include <limits>
#include <thread>

#include "db/store/numbers.h"

namespace cui::hostlib {
namespace {

using db::parseNumber;

std::optional<bool> parseSwitch(std::string_view text) {
  for (const std::string_view yes : {"1", "on", "yes", "true"})
    if (text == yes) return true;
  for (const std::string_view no : {"0", "off", "no", "false"})
    if (text == no) return false;
  return std::nullopt;
}

std::string replaceAll(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// `parse`, but only numbers from `least` to `most`.
auto within(std::optional<std::uint64_t> (*parse)(std::string_view), std::uint64_t least,
            std::uint64_t most) {
  return [=](std::string_view text) {
    const std::optional<std::uint64_t> value = parse(text);
    return value && *value >= least && *value <= most ? value : std::nullopt;
  };
}

/// Reads variables and complains about those that make no sense.
class Reader {
 public:
  Reader(const Environment& environment, const Complain& complain)
      : environment_(environment), complain_(complain) {}

  /// An unset or empty variable leaves `value` alone.
  template <class T, class Parse>
  void read(const char* name, T& value, const char* expected, Parse parse) const {
    const char* text = environment_(name);
    if (text == nullptr || *text == '\0') return;
    if (const auto parsed = parse(std::string_view(text)))
      value = static_cast<T>(*parsed);
    else
      complain_(std::string(name) + "=" + text + " ignored: expected " + expected);
  }

  void readSwitch(const char* name, bool& value) const { read(name, value, "on or off", parseSwitch); }

  /// Milliseconds to nanoseconds; a day at most.
  void readMilliseconds(const char* name, std::uint64_t& ns) const {
    read(name, ns, "milliseconds, 0 to 86400000", [](std::string_view text) -> std::optional<std::uint64_t> {
      const auto ms = within(parseNumber, 0, 86'400'000)(text);
      if (!ms) return std::nullopt;
      return *ms * 1'000'000;
    });
  }

 private:
  const Environment& environment_;
  const Complain& complain_;
};

}  // namespace

std::optional<std::uint64_t> parseBytes(std::string_view text) {
  unsigned shift = 0;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K':
        shift = 10;
        break;
      case 'm':
      case 'M':
        shift = 20;
        break;
      case 'g':
      case 'G':
        shift = 30;
        break;
      default:
        break;
    }
    if (shift != 0) text.remove_suffix(1);
  }
  const auto value = parseNumber(text);
  if (!value || *value > (std::numeric_limits<std::uint64_t>::max() >> shift)) return std::nullopt;
  return *value << shift;
}

Options readOptions(const Environment& environment, const std::string& program, long pid,
                    const Complain& complain) {
  Options options;
  const Reader reader(environment, complain);
  const std::string name = program.substr(program.rfind('/') + 1);
  options.database = name + "." + std::to_string(pid) + ".trace.db";
  if (const char* database = environment("CUINSTRUMENT_DB"); database != nullptr && *database != '\0')
    options.database = replaceAll(replaceAll(database, "%p", std::to_string(pid)), "%n", name);

  // Nsight Compute runs each kernel several times to read all counters: every access would be recorded as
  // often.
  const char* const asked = environment("CUINSTRUMENT");
  if (environment("NV_COMPUTE_PROFILER_PERFWORKS_DIR") != nullptr && (asked == nullptr || *asked == '\0')) {
    options.enabled = false;
    complain(
        "Nsight Compute runs kernels again and again: not recording; CUINSTRUMENT=on records all the same");
  }
  reader.readSwitch("CUINSTRUMENT", options.enabled);
  reader.read("CUINSTRUMENT_MODE", options.profile, "trace or profile",
              [](std::string_view text) -> std::optional<bool> {
                if (text == "profile") return true;
                if (text == "trace") return false;
                return std::nullopt;
              });
  reader.readSwitch("CUINSTRUMENT_VALUES", options.recordValues);
  reader.read("CUINSTRUMENT_TIMESTAMPS", options.timestamps, "off, warps or accesses",
              [](std::string_view text) -> std::optional<Timestamps> {
                if (text == "accesses") return Timestamps::ofAccesses;
                if (text == "warps") return Timestamps::ofWarps;
                const auto on = parseSwitch(text);
                if (!on) return std::nullopt;
                return *on ? Timestamps::ofWarps : Timestamps::off;
              });
  reader.readSwitch("CUINSTRUMENT_BARRIERS", options.barriers);
  reader.readSwitch("CUINSTRUMENT_VERBOSE", options.verbose);
  reader.readMilliseconds("CUINSTRUMENT_WAIT_MS", options.waitNs);
  reader.readMilliseconds("CUINSTRUMENT_FLUSH_MS", options.flushNs);
  constexpr std::uint64_t kib = 1024, gib = kib * kib * kib;
  reader.read("CUINSTRUMENT_BUFFER", options.bufferBytes, "128K to 16G, such as 64M",
              within(parseBytes, 128 * kib, 16 * gib));
  reader.read("CUINSTRUMENT_POOL", options.poolBytes, "0 to 64G, such as 1G",
              within(parseBytes, 0, 64 * gib));
  reader.read("CUINSTRUMENT_CHUNKS", options.chunkBytes, "0 to 4G, such as 64M",
              within(parseBytes, 0, 4 * gib));
  reader.read("CUINSTRUMENT_CPU_THREADS", options.cpuThreads, "1 to 1024", within(parseNumber, 1, 1024));
  reader.read("CUINSTRUMENT_MAX_TRACE", options.maxTraceBytes, "a number of bytes, such as 10G, or 0",
              parseBytes);
  // A GPU makes records faster than eight cores encode them; most of few cores are left to the program.
  const unsigned cores = std::thread::hardware_concurrency();
  options.encoders = cores < 8 ? cores / 4 : std::min(8u, cores / 2);
  reader.read("CUINSTRUMENT_ENCODERS", options.encoders, "0 to 64", within(parseNumber, 0, 64));
  // Each copies some 100 million records a second from where a GPU writes.
  options.readers = std::min(4u, cores / 8);
  reader.read("CUINSTRUMENT_READERS", options.readers, "0 to 16", within(parseNumber, 0, 16));
  constexpr std::uint64_t notGiven = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t materializeLimit = notGiven;
  reader.read("CUINSTRUMENT_MATERIALIZE", materializeLimit, "a number of rows", parseNumber);
  if (materializeLimit != notGiven) options.materializeLimit = materializeLimit;
  reader.read("CUINSTRUMENT_SAMPLE_BLOCKS", options.sampleBlocks, "1 to 1000000",
              within(parseNumber, 1, 1'000'000));
  reader.read("CUINSTRUMENT_SAMPLE_WARPS", options.sampleWarps, "1 to 1000000",
              within(parseNumber, 1, 1'000'000));
  reader.read("CUINSTRUMENT_PLAIN_LAUNCHES", options.plainLaunches, "auto, on or off",
              [](std::string_view text) -> std::optional<PlainLaunches> {
                if (text == "auto") return PlainLaunches::whereTheyPay;
                const auto on = parseSwitch(text);
                if (!on) return std::nullopt;
                return *on ? PlainLaunches::always : PlainLaunches::off;
              });
  reader.readMilliseconds("CUINSTRUMENT_MAX_TIME_MS", options.maxTimeNs);
  if (const char* kernels = environment("CUINSTRUMENT_KERNELS"); kernels != nullptr)
    options.selection.setKernels(kernels);
  if (const char* launches = environment("CUINSTRUMENT_LAUNCHES");
      launches != nullptr && *launches != '\0' && !options.selection.setLaunches(launches))
    complain("CUINSTRUMENT_LAUNCHES=" + std::string(launches) +
             " ignored: expected launch numbers, such as 3,10-20,100-");
  return options;
}

}  // namespace cui::hostlib
