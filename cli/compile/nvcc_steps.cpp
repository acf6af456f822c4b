#include "cli/compile/nvcc_steps.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <numeric>
#include <set>

#include "cli/base/files.h"
#include "cli/base/format_text.h"
#include "cli/base/replaced_text.h"
#include "cli/base/text_hash.h"
#include "cli/base/words.h"
#include "cli/compile/nvcc_line.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

/// Names of nvcc's temporary files begin with it, and its process' number.
constexpr std::string_view temporaryName = "tmpxft_";

/// What nvcc says of the one step that it does itself; the file's name follows.
constexpr std::string_view filtering = "-- Filter Dependencies -- > ";

/// All with the same number: folders differ, and objects, which have such names, do not.
std::string withoutProcess(std::string_view text) {
  constexpr std::size_t digits = 8;
  const std::size_t at = text.find(temporaryName);
  if (at == std::string_view::npos) return std::string(text);
  return replaced(text, text.substr(at, temporaryName.size() + digits),
                  std::string(temporaryName) + std::string(digits, '0'));
}

/// `NAME` of a line `NAME=value`; empty if it is none.
std::string_view variableOf(std::string_view line) {
  const auto isOfName = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  const auto end = std::find_if_not(line.begin(), line.end(), isOfName);
  if (end == line.begin() || end == line.end() || *end != '=') return {};
  return line.substr(0, static_cast<std::size_t>(end - line.begin()));
}

/// Whether a shell would wait for more: nvcc prints line breaks in macros as they are.
bool isCutOff(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\' && quote != '\'')
      ++i;
    else if (quote == 0 && (c == '"' || c == '\'' || c == '`'))
      quote = c;
    else if (c == quote)
      quote = 0;
  }
  return quote != 0;
}

/// No command, but something that nvcc does itself.
bool isUnknown(std::string_view line) {
  return line.substr(0, 1) == "-" && line.substr(0, filtering.size()) != filtering;
}

/// A step's line, taken apart.
struct Command {
  explicit Command(const std::string& line) : words(splitWords(line)) {
    if (!words.empty()) program = fs::path(words.front()).filename();
  }

  bool has(const std::string& word) const {
    return std::find(words.begin(), words.end(), word) != words.end();
  }
  std::string valueOf(const std::string& option) const {
    const auto at = std::find(words.begin(), words.end(), option);
    return at == words.end() || std::next(at) == words.end() ? std::string() : *std::next(at);
  }
  bool isHostFrontEnd() const { return program == "cudafe++"; }
  bool preprocesses() const { return has("-E"); }
  /// None of those that need no more than the files they name: what links, collects or removes.
  bool needsAll() const {
    const std::set<std::string> known = {"cudafe++", "cicc", "ptxas", "fatbinary"};
    return known.count(program) == 0 && !preprocesses() && !has("-c");
  }

  Words words;
  std::string program;
};

class Planning {
 public:
  Planning(NvccPlan& plan, const fs::path& folder, ReadsInOrder readsInOrder)
      : plan_(plan), folder_(folder), readsInOrder_(readsInOrder) {
    for (const NvccStep& step : plan.steps) commands_.emplace_back(step.line);
  }

  void run() {
    for (std::size_t i = 0; i < commands_.size(); ++i) takeModule(i);
    for (const Command& command : commands_) outputs_.insert(command.valueOf("-o"));
    for (const Command& command : commands_) files_.push_back(filesOf(command));
    for (std::size_t i = 0; i < commands_.size(); ++i) {
      NvccStep& step = plan_.steps[i];
      if (writesDependencies(i)) continue;
      step.program = commands_[i].program;
      step.after = neededBy(i);
      findModule(i);
      findStubs(i);
    }
  }

 private:
  void takeModule(std::size_t at) {
    const Command& command = commands_[at];
    const std::string making = "--gen_module_id_file", file = command.valueOf("--module_id_file_name");
    if (!command.isHostFrontEnd() || !command.has(making) || file.empty()) return;
    plan_.steps[at].line = replaced(plan_.steps[at].line, making + ' ', "");
    plan_.modules.push_back(
        {file, command.words.back(), fs::path(command.valueOf("--orig_src_file_name")).filename()});
  }

  std::size_t moduleOf(const std::string& file) const {
    const auto found = std::find_if(plan_.modules.begin(), plan_.modules.end(),
                                    [&](const ModuleId& module) { return module.file == file; });
    return found == plan_.modules.end() ? std::string::npos
                                        : static_cast<std::size_t>(found - plan_.modules.begin());
  }

  /// Of all that the preprocessor has made of the source.
  bool writesDependencies(std::size_t at) {
    NvccStep& step = plan_.steps[at];
    if (step.line.compare(0, filtering.size(), filtering) != 0) return false;
    step.line.erase(0, filtering.size());
    for (std::size_t i = 0; i < at; ++i)
      if (commands_[i].preprocesses()) {
        step.after.push_back(i);
        step.preprocessed.emplace_back(commands_[i].valueOf("-o"));
      }
    return true;
  }

  /// Files that steps hand to each other: nvcc's temporary ones, and what one writes; not those that it only
  /// names in a text.
  std::set<std::string> filesOf(const Command& command) const {
    std::set<std::string> files;
    std::string option;
    for (const std::string& word : command.words) {
      const bool onlyNamed = option == "--include_file_name" ||
                             (option == "--stub_file_name" && command.isHostFrontEnd()) ||
                             (option == "--module_id_file_name" && moduleOf(word) != std::string::npos);
      for (std::size_t at = word.find(temporaryName); !onlyNamed && at != std::string::npos;) {
        const std::size_t end = std::min(word.find_first_of(",\"", at), word.size());
        files.insert(word.substr(at, end - at));
        at = word.find(temporaryName, end);
      }
      if (outputs_.count(word) != 0) files.insert(word);
      option = word;
    }
    return files;
  }

  bool share(std::size_t some, std::size_t others) const {
    return std::any_of(files_[some].begin(), files_[some].end(),
                       [&](const std::string& file) { return files_[others].count(file) != 0; });
  }

  std::vector<std::size_t> neededBy(std::size_t at) const {
    std::vector<std::size_t> needed;
    for (std::size_t i = 0; i < at; ++i)
      if (commands_[i].needsAll() || commands_[at].needsAll() || share(i, at)) needed.push_back(i);
    return needed;
  }

  void findModule(std::size_t at) {
    NvccStep& step = plan_.steps[at];
    step.module = moduleOf(commands_[at].valueOf("--module_id_file_name"));
    if (step.module == std::string::npos || commands_[at].isHostFrontEnd()) return;
    const fs::path preprocessed = plan_.modules[step.module].preprocessed.filename();
    for (std::size_t i = 0; i < at; ++i)
      if (commands_[i].preprocesses() && files_[i].count(preprocessed) != 0) step.after.push_back(i);
  }

  /// What reads the host front end's text reads the stubs, too, and what these include.
  void findStubs(std::size_t at) {
    NvccStep& step = plan_.steps[at];
    const Command& command = commands_[at];
    for (std::size_t i = 0; i < at; ++i) {
      const Command& front = commands_[i];
      if (!front.isHostFrontEnd() || !command.has(front.valueOf("--gen_c_file_name"))) continue;
      const std::string stubs = front.valueOf("--stub_file_name");
      if (command.has("-c") && !stubs.empty() && readsInOrder_(command.words.front())) {
        plan_.steps[i].line = replaced(plan_.steps[i].line, '"' + stubs + '"', '"' + stubs + ".late\"");
        step.late = LateText{folder_ / stubs, folder_ / (stubs + ".late"), {}, {}, {}, 0, {}, {}};
        findImages(at, *step.late);
      } else {
        step.after.resize(at);
        std::iota(step.after.begin(), step.after.end(), 0);
      }
    }
  }

  void findImages(std::size_t at, LateText& late) {
    const Command& host = commands_[at];
    // What is in assembly then is put off until the program's link.
    const bool putOff = std::any_of(host.words.begin(), host.words.end(),
                                    [](const std::string& word) { return word.compare(0, 5, "-flto") == 0; });
    std::string embedded;
    for (std::size_t i = 0; i < at; ++i) {
      const Command& command = commands_[i];
      if (command.program != "ptxas" && command.program != "fatbinary") late.stubsAfter.push_back(i);
      if (command.program != "cicc") continue;
      if (fs::path(command.valueOf("--stub_file_name")).filename() == late.stubs.filename())
        embedded = (folder_ / command.valueOf("--include_file_name")).string();
    }
    for (std::size_t i = 0; i < at; ++i) {
      const Command& command = commands_[i];
      const std::string file = '"' + embedded + '"';
      std::string& line = plan_.steps[i].line;
      if (command.program == "cicc" && folder_ / command.valueOf("--include_file_name") == embedded) {
        late.ptx.emplace_back(command.valueOf("-o"));
        late.ptxAfter.push_back(i);
      }
      if (putOff || command.program != "fatbinary" ||
          line.find("--embedded-fatbin=" + file) == std::string::npos)
        continue;
      late.embedded = embedded;
      late.images = embedded + ".images";
      late.fatbinary = i;
      line = replaced(line, file, '"' + late.images.string() + '"');
    }
  }

  NvccPlan& plan_;
  const fs::path& folder_;
  ReadsInOrder readsInOrder_;
  std::vector<Command> commands_;
  std::set<std::string> outputs_;
  std::vector<std::set<std::string>> files_;
};

}  // namespace

std::optional<NvccPlan> planOf(std::string_view dryRun, const fs::path& folder, ReadsInOrder readsInOrder) {
  constexpr std::string_view mark = "#$ ";
  const std::string text = withoutProcess(dryRun), temporary = (folder / temporaryName).string();
  NvccPlan plan;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.substr(0, mark.size()) != mark) {
      plan.messages += std::string(line) + '\n';
      continue;
    }
    const std::string_view said = line.substr(mark.size()), variable = variableOf(said);
    if (!variable.empty())
      plan.environment.emplace_back(variable, said.substr(variable.size() + 1));
    else if (isCutOff(said) || isUnknown(said))
      return std::nullopt;
    else if (said.substr(0, temporary.size() + 3) != "rm " + temporary)  // all of them are removed
      plan.steps.push_back({std::string(said), {}, {}, {}, std::string::npos, {}});
  }
  const auto filters = [](const NvccStep& step) {
    return step.line.compare(0, filtering.size(), filtering) == 0;
  };
  if (plan.steps.empty() || std::count_if(plan.steps.begin(), plan.steps.end(), filters) > 1)
    return std::nullopt;
  Planning(plan, folder, readsInOrder).run();
  return plan;
}

void makeModuleId(const ModuleId& module) {
  std::string name = module.source;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  const std::string hash = textHash(readFile(module.preprocessed));
  const std::size_t half = hash.size() / 2;
  replaceFile(module.file,
              formatText("_{}_{}_{}_{}", hash.substr(0, half), name.size(), name, hash.substr(half)));
}

}  // namespace cui::cli
