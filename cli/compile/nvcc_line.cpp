// Taking an nvcc command line apart.
#include "cli/compile/nvcc_line.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "cli/base/errors.h"
#include "cli/compile/nvcc_options.h"

namespace cui::cli {
namespace {

constexpr int maxOptionFileDepth = 16;

/// nvcc: white space separates; double quotes group and go; a backslash protects what follows. shell: single
/// quotes group, too, and a backslash in front of anything but a quote, a space or a backslash is itself.
enum class Quoting { nvcc, shell };

std::vector<WordSource::Word> splitText(const std::string& text, Quoting quoting) {
  const auto isProtected = [&](char c) {
    return quoting == Quoting::nvcc || std::string_view("\"' \\").find(c) != std::string_view::npos;
  };
  std::vector<WordSource::Word> words;
  std::size_t i = 0;
  while (true) {
    while (i < text.size() && std::isspace(static_cast<unsigned char>(text[i]))) ++i;
    if (i == text.size()) return words;
    WordSource::Word word;
    word.begin = i;
    char quote = 0;
    for (; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\\' && i + 1 < text.size() && isProtected(text[i + 1])) {
        word.text += text[++i];
      } else if (quote != 0) {
        if (c == quote)
          quote = 0;
        else
          word.text += c;
      } else if (c == '"' || (c == '\'' && quoting == Quoting::shell)) {
        quote = c;
      } else if (std::isspace(static_cast<unsigned char>(c))) {
        break;
      } else {
        word.text += c;
      }
    }
    word.end = i;
    words.push_back(std::move(word));
  }
}

std::string extensionOf(std::string_view path) {
  return std::filesystem::path(path).extension().string();
}

}  // namespace

NvccLine::NvccLine(const std::vector<std::string>& words, Dialect dialect) : dialect_(dialect) {
  sources_.emplace_back();
  for (const std::string& word : words) sources_[0].words.push_back({word, 0, 0});
  parse(0, 0);
}

std::size_t NvccLine::openOptionFile(const std::string& path, bool ofHostCompiler) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    if (!file || file.peek() != std::ifstream::traits_type::eof())
      throw Error(ExitCode::io, "cannot read the options file '" + path + "'");
  WordSource source;
  source.path = path;
  source.text = text.str();
  source.words = splitText(source.text, ofHostCompiler ? Quoting::shell : Quoting::nvcc);
  sources_.push_back(std::move(source));
  return sources_.size() - 1;
}

void NvccLine::parse(std::size_t source, int depth) {
  if (depth > maxOptionFileDepth)
    throw Error(ExitCode::usage, "options file '" + sources_[source].path + "' includes itself");
  for (std::size_t i = 0; i < sources_[source].words.size(); ++i) {
    const std::string word = sources_[source].words[i].text;  // a copy: sources_ grows below
    NvccArgument argument;
    argument.source = source;
    argument.word = i;
    argument.value = word;
    std::vector<std::string> files;
    if (word.size() > 1 && word[0] == '@' && std::filesystem::is_regular_file(word.substr(1))) {
      argument.option = NvccOption::optionsFile;
      files.push_back(word.substr(1));
    } else if (word.size() > 1 && word[0] == '-') {
      const OptionMatch match = matchOption(word, dialect_);
      const bool gnuValue = dialect_ == Dialect::gnu && !match.row && takesNextWord(word);
      argument.option = match.row ? match.row->option : NvccOption::unknown;
      const bool last = i + 1 == sources_[source].words.size();
      const bool bareInGnu = dialect_ == Dialect::gnu && match.row &&
                             standsAlone(argument.option, last ? "" : sources_[source].words[i + 1].text);
      if (match.value) {
        argument.value = *match.value;
      } else if (gnuValue || (match.row && match.row->value != OptionValue::none && !bareInGnu)) {
        if (last) throw Error(ExitCode::usage, "option '" + word + "' needs a value");
        argument.value = sources_[source].words[++i].text;
        argument.words = 2;
      } else if (match.row) {
        argument.value.clear();
      }
      if (argument.option == NvccOption::optionsFile) files = splitList(argument.value);
    }
    argument.opensSource = !files.empty();
    const std::size_t index = arguments_.size();
    arguments_.push_back(std::move(argument));
    for (const std::string& file : files) {
      const std::size_t opened = openOptionFile(file, word[0] == '@');
      arguments_[index].opened.push_back(opened);
      parse(opened, depth + 1);
    }
  }
}

bool NvccLine::has(NvccOption option) const {
  return std::any_of(arguments_.begin(), arguments_.end(),
                     [&](const NvccArgument& argument) { return argument.option == option; });
}

std::optional<std::string> NvccLine::value(NvccOption option) const {
  for (auto it = arguments_.rbegin(); it != arguments_.rend(); ++it)
    if (it->option == option) return it->value;
  return std::nullopt;
}

std::vector<std::string> NvccLine::values(NvccOption option) const {
  std::vector<std::string> found;
  for (const NvccArgument& argument : arguments_)
    if (argument.option == option) found.push_back(argument.value);
  return found;
}

std::vector<std::string> NvccLine::wordsOf(const NvccArgument& argument) const {
  std::vector<std::string> words;
  words.reserve(argument.words);
  for (std::size_t i = 0; i < argument.words; ++i)
    words.push_back(sources_[argument.source].words[argument.word + i].text);
  return words;
}

std::vector<std::string> NvccLine::expanded() const {
  std::vector<std::string> words;
  for (const NvccArgument& argument : arguments_) {
    if (argument.opensSource) continue;
    for (std::string& word : wordsOf(argument)) words.push_back(std::move(word));
  }
  return words;
}

std::vector<std::string> NvccLine::withInputs(const std::map<std::size_t, std::string>& replacements,
                                              const std::filesystem::path& directory,
                                              NvccOption without) const {
  // New text of each source's words, none where they go; option files are opened by arguments that come
  // before their words, so walking backwards meets a file's words before the word that names it.
  std::vector<std::map<std::size_t, std::string>> changed(sources_.size());
  for (std::size_t index = arguments_.size(); index-- > 0;) {
    const NvccArgument& argument = arguments_[index];
    const std::size_t lastWord = argument.word + argument.words - 1;
    if (const auto found = replacements.find(index); found != replacements.end()) {
      changed[argument.source][lastWord] = found->second;
      continue;
    }
    if (without != NvccOption::unknown && argument.option == without) {
      for (std::size_t i = 0; i < argument.words; ++i) changed[argument.source][argument.word + i].clear();
      continue;
    }
    if (!argument.opensSource) continue;
    std::string names;
    bool anyChanged = false;
    for (std::size_t opened : argument.opened) {
      const WordSource& source = sources_[opened];
      std::string path = source.path;
      if (!changed[opened].empty()) {
        anyChanged = true;
        std::string text;
        std::size_t position = 0;
        for (const auto& [word, replacement] : changed[opened]) {
          text.append(source.text, position, source.words[word].begin - position);
          if (!replacement.empty()) text += '"' + replacement + '"';
          position = source.words[word].end;
        }
        text.append(source.text, position);
        path = directory / ("options-" + std::to_string(opened));
        if (!(std::ofstream(path, std::ios::binary) << text))
          throw Error(ExitCode::io, "cannot write '" + path + "'");
      }
      names += (names.empty() ? "" : ",") + path;
    }
    if (!anyChanged) continue;
    const std::string& word = sources_[argument.source].words[lastWord].text;
    const std::size_t prefix = word[0] == '@' ? 1 : argument.words == 2 ? 0 : word.find('=') + 1;
    changed[argument.source][lastWord] = word.substr(0, prefix) + names;
  }
  std::vector<std::string> words;
  for (std::size_t i = 0; i < sources_[0].words.size(); ++i) {
    const auto found = changed[0].find(i);
    if (found == changed[0].end())
      words.push_back(sources_[0].words[i].text);
    else if (!found->second.empty())
      words.push_back(found->second);
  }
  return words;
}

std::vector<std::string> splitList(std::string_view list, std::string_view separators) {
  std::vector<std::string> items;
  std::string item;
  bool quoted = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size()) {
      item += list[i++];
    } else if (list[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && separators.find(list[i]) != std::string_view::npos) {
      if (!item.empty()) items.push_back(std::move(item));
      item.clear();
      continue;
    }
    item += list[i];
  }
  if (!item.empty()) items.push_back(std::move(item));
  return items;
}

std::vector<std::string> splitWords(const std::string& text) {
  std::vector<std::string> words;
  for (WordSource::Word& word : splitText(text, Quoting::shell)) words.push_back(std::move(word.text));
  return words;
}

std::string raisedStandard(const std::string& standard) {
  constexpr std::string_view older[] = {"98", "03", "0x", "11"};
  const std::size_t year = standard.find("++") == std::string::npos ? 0 : standard.find("++") + 2;
  const bool raise = year != 0 && std::find(std::begin(older), std::end(older),
                                            std::string_view(standard).substr(year)) != std::end(older);
  return raise ? standard.substr(0, year) + "14" : standard;
}

std::vector<std::string> parsingFlags(const NvccLine& line) {
  std::vector<std::string> flags;
  for (const NvccArgument& argument : line.arguments()) {
    switch (argument.option) {
      case NvccOption::includePath:
      case NvccOption::systemInclude:
      case NvccOption::preInclude:
      case NvccOption::define:
      case NvccOption::undefine:
        for (std::string& item : splitList(argument.value)) {
          flags.push_back(shortSpelling(argument.option));
          flags.push_back(std::move(item));
        }
        break;
      case NvccOption::compilerOptions:
        for (std::string& item : splitList(argument.value, ", ")) flags.push_back(std::move(item));
        break;
      case NvccOption::standard:
        flags.push_back("-std=" + raisedStandard(argument.value));
        break;
      case NvccOption::architecture:
      case NvccOption::generateCode:
      case NvccOption::relocatableDeviceCode:
      case NvccOption::hostCompiler:
        flags.push_back(shortSpelling(argument.option) + "=" + argument.value);
        break;
      case NvccOption::defaultStream:
        if (argument.value == "per-thread") flags.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        break;
      case NvccOption::deviceC:
      case NvccOption::relaxedConstexpr:
      case NvccOption::extendedLambda:
      case NvccOption::exptExtendedLambda:
      case NvccOption::fastMath:
      case NvccOption::deviceDebug:
        flags.push_back(shortSpelling(argument.option));
        break;
      case NvccOption::unknown:
        flags.push_back(argument.words == 2 ? line.sources()[argument.source].words[argument.word].text
                                            : argument.value);
        if (argument.words == 2) flags.push_back(argument.value);
        break;
      default:
        break;
    }
  }
  return flags;
}

bool isCudaInput(std::string_view path, const std::optional<std::string>& language) {
  const std::string extension = extensionOf(path);
  if (!language) return extension == ".cu";
  // Under -x cu nvcc takes every input for CUDA, whatever it is called.
  constexpr std::string_view binaries[] = {".o", ".obj", ".lo", ".a", ".so"};
  return *language == "cu" && path != "-" &&
         std::find(std::begin(binaries), std::end(binaries), extension) == std::end(binaries);
}

bool isSourceInput(std::string_view path) {
  constexpr std::string_view extensions[] = {".cu", ".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".CPP"};
  return std::find(std::begin(extensions), std::end(extensions), extensionOf(path)) != std::end(extensions);
}

bool isRunInput(std::string_view path) {
  constexpr std::string_view extensions[] = {".o",      ".obj", ".a", ".lib", ".so",      ".ptx",   ".cubin",
                                             ".fatbin", ".gpu", ".i", ".ii",  ".optixir", ".ltoir", ".res"};
  return !isSourceInput(path) &&
         std::find(std::begin(extensions), std::end(extensions), extensionOf(path)) == std::end(extensions);
}

}  // namespace cui::cli
