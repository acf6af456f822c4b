// See gpus.h.
#include "cli/trace/gpus.h"

#include <charconv>
#include <sstream>

#include "cli/base/errors.h"
#include "cli/base/format_text.h"

namespace cui::cli {
namespace {

constexpr const char* figures =
    "l1=BYTES, l2=BYTES (whole KiB, with K or M; 0: none), multiprocessors=N, dram=GB/s, clock=MHz";

/// False: not a whole number, or beyond `most`.
bool parse(std::string_view text, std::uint32_t most, std::uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value <= most;
}

/// Bytes, which have to be whole KiB, as a number of these.
bool parseKiB(std::string text, std::uint32_t most, std::uint32_t& value) {
  const char unit = text.empty() ? ' ' : text.back();
  if (unit == 'K' || unit == 'M') text.pop_back();
  if (!parse(text, unit == 'K' ? most : unit == 'M' ? most >> 10 : most << 10, value)) return false;
  if (unit == 'M') value <<= 10;
  if (unit == 'K' || unit == 'M') return true;
  const bool whole = value % 1024 == 0;
  value >>= 10;
  return whole;
}

bool change(db::GpuPreset& gpu, const std::string& name, const std::string& value) {
  constexpr std::uint32_t mostL1 = 1 << 10, mostL2 = 1 << 20, mostMultiprocessors = 1024,
                          mostRate = 1'000'000;
  if (name == "l1") return parseKiB(value, mostL1, gpu.l1KiB);
  if (name == "l2") return parseKiB(value, mostL2, gpu.l2KiB);
  if (name == "multiprocessors")
    return parse(value, mostMultiprocessors, gpu.multiprocessors) && gpu.multiprocessors != 0;
  std::uint32_t rate = 0;
  if ((name != "dram" && name != "clock") || !parse(value, mostRate, rate) || rate == 0) return false;
  (name == "dram" ? gpu.dramGBs : gpu.clockMHz) = rate;
  return true;
}

}  // namespace

std::string knownGpus() {
  std::string names;
  for (const db::GpuPreset& preset : db::gpuPresets())
    names += (names.empty() ? "" : ", ") + std::string(preset.name);
  return names;
}

ChosenGpu::ChosenGpu(const std::string& option, const std::string& text) {
  std::istringstream words(text);
  std::string name, word;
  std::getline(words, name, ',');
  const db::GpuPreset* const known = db::findGpuPreset(name);
  if (!known)
    throw Error(ExitCode::usage, formatText("{}: no GPU '{}'; there are: {}", option, name, knownGpus()));
  preset_ = *known;
  while (std::getline(words, word, ',')) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || !change(preset_, word.substr(0, equals), word.substr(equals + 1)))
      throw Error(ExitCode::usage, formatText("{}: '{}' is none of {}", option, word, figures));
  }
  title_ = known->title;
  if (text != name) title_ += " (" + text.substr(name.size() + 1) + ")";
  preset_.title = title_.c_str();
}

}  // namespace cui::cli
