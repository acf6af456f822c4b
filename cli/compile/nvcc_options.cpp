// See nvcc_options.h.
#include "cli/compile/nvcc_options.h"

#include <algorithm>
#include <iterator>

namespace cui::cli {
namespace {

constexpr OptionRow optionRows[] = {
#define CUI_NVCC_OPTION(id, longName, shortName, value, cpu) \
  {NvccOption::id, longName, shortName, OptionValue::value, CpuUse::cpu},
#include "cli/compile/nvcc_options.def"
};

constexpr std::string_view gnuValueOptions[] = {"-MQ",       "-idirafter", "-iquote",      "-iprefix",
                                                "-isysroot", "-imacros",   "-iwithprefix", "-A",
                                                "-B",        "-T",         "-u",           "-z",
                                                "--param",   "-aux-info",  "-Xassembler",  "-Xpreprocessor",
                                                "-dumpbase", "-dumpdir",   "-wrapper",     "-target"};
/// g++ options whose value may be glued on although nvcc wants it apart.
constexpr NvccOption gnuJoinedOptions[] = {NvccOption::output, NvccOption::language,
                                           NvccOption::systemInclude, NvccOption::preInclude};

constexpr std::string_view warningKinds[] = {
    "all-warnings",           "cross-execution-space-call", "reorder",
    "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
    "deprecated-declarations"};

const OptionRow& rowOf(NvccOption option) {
  return optionRows[static_cast<std::size_t>(option)];
}

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// Short options that take a glued value; exact names and `name=value` have been tried before.
OptionMatch matchJoined(std::string_view word, NvccLine::Dialect dialect) {
  for (const OptionRow& row : optionRows) {
    const bool gnuJoined = dialect == NvccLine::Dialect::gnu &&
                           std::find(std::begin(gnuJoinedOptions), std::end(gnuJoinedOptions), row.option) !=
                               std::end(gnuJoinedOptions);
    if (row.value != OptionValue::joined && !gnuJoined) continue;
    if (!startsWith(word.substr(1), row.shortName)) continue;
    const std::string_view value = word.substr(1 + row.shortName.size());
    // nvcc's -t is followed by a number, and -O by a level; g++ has longer names that begin alike.
    if (row.option == NvccOption::threads && value.find_first_not_of("0123456789") != std::string_view::npos)
      continue;
    return {&row, std::string(value)};
  }
  return {};
}

}  // namespace

OptionMatch matchOption(std::string_view word, NvccLine::Dialect dialect) {
  const bool isLong = startsWith(word, "--");
  const std::string_view body = word.substr(isLong ? 2 : 1);
  const std::size_t equals = body.find('=');
  for (const OptionRow& row : optionRows) {
    const std::string_view name = isLong ? row.longName : row.shortName;
    if (body == name) return {&row, std::nullopt};
    if (row.value != OptionValue::none && equals != std::string_view::npos && body.substr(0, equals) == name)
      return {&row, std::string(body.substr(equals + 1))};
  }
  return isLong ? OptionMatch{} : matchJoined(word, dialect);
}

bool standsAlone(NvccOption option, std::string_view next) {
  if (option == NvccOption::optimize) return next.size() != 1 || next[0] < '0' || next[0] > '3';
  if (option != NvccOption::warningsAsErrors) return false;
  return std::find(std::begin(warningKinds), std::end(warningKinds),
                   splitList(next).empty() ? "" : splitList(next)[0]) == std::end(warningKinds);
}

bool takesNextWord(std::string_view word) {
  return std::find(std::begin(gnuValueOptions), std::end(gnuValueOptions), word) != std::end(gnuValueOptions);
}

CpuUse cpuUse(NvccOption option) {
  return rowOf(option).cpu;
}
std::string longSpelling(NvccOption option) {
  return std::string("--").append(rowOf(option).longName);
}
std::string shortSpelling(NvccOption option) {
  return std::string("-").append(rowOf(option).shortName);
}

}  // namespace cui::cli
