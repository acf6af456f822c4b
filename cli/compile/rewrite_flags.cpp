// The options in front of nvcc, cpu and launcher: one row each.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "cli/base/errors.h"
#include "cli/base/words.h"
#include "cli/compile/nvcc_line.h"
#include "cli/compile/rewrite.h"

namespace cui::cli {
namespace {

using Value = const std::string&;

void forward(RewriteFlags& flags, std::string_view name, Value) {
  flags.forwarded.emplace_back(name);
}
void forwardValue(RewriteFlags& flags, std::string_view name, Value value) {
  flags.forwarded.push_back(std::string(name) + "=" + value);
}

void takeMode(RewriteFlags& flags, std::string_view, Value value) {
  if (value != "trace" && value != "profile" && value != "both")
    throw Error(ExitCode::usage, "--mode is trace, profile or both, not '" + value + "'");
  flags.mode = value == "both" ? "" : value;
}

void takeRecorder(RewriteFlags& flags, std::string_view, Value value) {
  if (value != "linked" && value != "compiled")
    throw Error(ExitCode::usage, "--recorder is linked or compiled, not '" + value + "'");
  flags.recorder = value == "linked" ? Recorder::linked : Recorder::compiled;
}

void takeJobs(RewriteFlags& flags, std::string_view, Value value) {
  const bool isNumber = value.size() < 4 && value.find_first_not_of("0123456789") == std::string::npos;
  if (!isNumber || std::strtol(value.c_str(), nullptr, 10) < 1)
    throw Error(ExitCode::usage, "--jobs is a number from 1 to 999, not '" + value + "'");
  flags.jobs = value;
}

struct RewriteOption {
  std::string_view name;
  bool hasValue;  ///< `--name value` or `--name=value`
  void (*take)(RewriteFlags& flags, std::string_view name, Value value);
};
constexpr RewriteOption rewriteOptions[] = {
    {"--values", false, forward},
    {"--separate", false, forward},
    {"--root", true, forwardValue},
    {"--include", true, forwardValue},
    {"--exclude", true, forwardValue},
    {"--no-header-cache", false, forward},
    {"--mode", true, takeMode},
    {"--recorder", true, takeRecorder},
    {"--no-plain-code", false, [](RewriteFlags& flags, std::string_view, Value) { flags.plainCode = false; }},
    {"--jobs", true, takeJobs},
    {"--strict", false, [](RewriteFlags& flags, std::string_view, Value) { flags.strict = true; }},
    {"--verbose", false, [](RewriteFlags& flags, std::string_view, Value) { flags.verbose = true; }},
    {"--keep-rewritten", true,
     [](RewriteFlags& flags, std::string_view, Value value) { flags.keepRewritten = value; }},
    {"--emit-metadata", true,
     [](RewriteFlags& flags, std::string_view, Value value) { flags.metadata = value; }},
};

const RewriteOption* findOption(std::string_view name) {
  const auto* const found = std::find_if(std::begin(rewriteOptions), std::end(rewriteOptions),
                                         [&](const RewriteOption& o) { return o.name == name; });
  return found == std::end(rewriteOptions) ? nullptr : found;
}

bool isOption(const std::string& word) {
  return word.size() > 1 && word[0] == '-';
}

void takeInto(RewriteFlags& flags, Words& words) {
  std::size_t taken = 0;
  while (taken < words.size() && isOption(words[taken])) {
    const std::string& word = words[taken++];
    const std::size_t equals = word.find('=');
    const RewriteOption* const option = findOption(std::string_view(word).substr(0, equals));
    if (option == nullptr || (equals != std::string::npos && !option->hasValue))
      throw Error(ExitCode::usage, "unknown option '" + word + "'; see cuinstrument --help");
    std::string value;
    if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (option->hasValue) {
      if (taken == words.size()) throw Error(ExitCode::usage, "option '" + word + "' needs a value");
      value = words[taken++];
    }
    option->take(flags, option->name, value);
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(taken));
}

bool isSet(const char* name) {
  const char* value = std::getenv(name);
  return value && *value && std::string_view(value) != "0";
}

}  // namespace

std::size_t countRewriteFlags(const Words& words) {
  std::size_t count = 0;
  while (count < words.size() && isOption(words[count])) {
    const RewriteOption* const option = findOption(words[count]);
    count += option != nullptr && option->hasValue ? 2 : 1;
  }
  return std::min(count, words.size());
}

RewriteFlags takeRewriteFlags(Words& words) {
  RewriteFlags flags;
  flags.strict = isSet("CUINSTRUMENT_STRICT");
  if (const char* configured = std::getenv("CUINSTRUMENT_REWRITE_FLAGS")) {
    Words fromEnvironment = splitWords(configured);
    takeInto(flags, fromEnvironment);
    if (!fromEnvironment.empty())
      throw Error(ExitCode::usage,
                  "CUINSTRUMENT_REWRITE_FLAGS: '" + fromEnvironment.front() + "' is no option");
  }
  takeInto(flags, words);
  return flags;
}

}  // namespace cui::cli
