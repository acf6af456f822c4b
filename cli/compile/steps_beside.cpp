#include "cli/compile/steps_beside.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/beside.h"
#include "cli/base/errors.h"
#include "cli/base/files.h"
#include "cli/base/format_text.h"
#include "cli/base/temporary.h"
#include "cli/compile/late_images.h"

namespace cui::cli {
namespace fs = std::filesystem;
namespace {

/// Variables of our environment, and so of the processes that we start, for a while.
class Environment {
 public:
  explicit Environment(const std::vector<std::pair<std::string, std::string>>& variables) {
    before_.reserve(variables.size());
    for (const auto& [name, value] : variables) {
      const char* const before = std::getenv(name.c_str());
      before_.emplace_back(name, before == nullptr ? std::nullopt : std::optional<std::string>(before));
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  ~Environment() {
    for (auto variable = before_.rbegin(); variable != before_.rend(); ++variable) {
      const auto& [name, value] = *variable;
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

/// Not every file system has them.
bool makePipe(const fs::path& file) {
  constexpr mode_t ours = 0600;
  return ::mkfifo(file.c_str(), ours) == 0;
}

void makeLate(const fs::path& file) {
  if (!makePipe(file))
    throw Error(ExitCode::io, "cannot create '" + file.string() + "': " + std::strerror(errno));
}

/// Hands over what is complete to whoever waits for it, or comes for it yet: it ends once it was read. A
/// later reader finds a file.
Process handOver(const fs::path& text, const fs::path& lateText) {
  const char* const script = R"(exec > "$2" && ln -sf "$1" "$2" && cat "$1")";
  return Process({"/bin/sh", "-c", script, "sh", text.string(), lateText.string()});
}

/// A step as it runs.
struct State {
  std::optional<Process> process;
  bool done = false;
  ProcessResult result;
  // Of one that begins without what it reads at its end: who hands that over, and what is said of it before.
  std::optional<Process> stubs, images;
  bool asked = false;
  std::string textBefore;  ///< what stands for LateText::embedded; empty: that is not known

  bool succeeded() const { return done && result.succeeded(); }
  void end() {
    process.reset();
    stubs.reset();
    images.reset();
  }
};

class Running {
 public:
  Running(const NvccPlan& plan, const DependencyRule& rule)
      : plan_(plan), rule_(rule), states_(plan.steps.size()), failed_(plan.steps.size()) {
    for (const NvccStep& step : plan.steps) {
      if (!step.late) continue;
      makeLate(step.late->lateStubs);
      if (!step.late->images.empty()) makeLate(part(*step.late, 0));
    }
  }

  ProcessResult run() {
    while (begin()) finish(Process::firstToEnd(processes()));
    ProcessResult all;
    all.error = plan_.messages;
    for (std::size_t i = 0; i < std::min(failed_ + 1, states_.size()); ++i) {
      const ProcessResult& result = states_[i].result;
      all.output += result.output;
      all.error += result.error;
      all.exitCode = result.exitCode;
      all.signal = result.signal;
      // As nvcc says it.
      if (result.signal != 0)
        all.error +=
            formatText("nvcc error   : '{}' died due to signal {} \n", plan_.steps[i].program, result.signal);
    }
    return all;
  }

 private:
  /// Whether any runs then. What stands behind a step that has failed is not begun.
  bool begin() {
    unsigned long count = 0;  // without those that may wait
    for (std::size_t i = 0; i < states_.size(); ++i)
      count += states_[i].process && !plan_.steps[i].late ? 1 : 0;
    for (std::size_t i = 0; i < failed_; ++i) {
      const NvccStep& step = plan_.steps[i];
      State& state = states_[i];
      if (!state.process && !state.done && succeeded(step.after) && (step.late || count < jobs())) {
        if (!step.preprocessed.empty()) {
          writeDependencies(step);
          state.done = true;
          continue;
        }
        if (step.module != std::string::npos) makeModule(step.module);
        start(i);
        count += step.late ? 0 : 1;
      }
      if (step.late) goOn(i, *step.late);
    }
    return std::any_of(states_.begin(), states_.end(),
                       [](const State& state) { return state.process.has_value(); });
  }

  void start(std::size_t step) {
    states_[step].process.emplace(Words{"/bin/sh", "-c", plan_.steps[step].line}, Capture::everything);
  }

  /// Gives the step what it reads late, as far as that is complete.
  void goOn(std::size_t step, const LateText& late) {
    State& state = states_[step];
    // At once, whoever is first then: objects are the same each time, and our fatbinary changes the PTX.
    if (!state.asked && !late.images.empty() && succeeded(late.ptxAfter)) {
      state.asked = true;
      state.textBefore =
          textWithoutImages(plan_.steps[late.fatbinary].line, late.ptx, late.stubs.parent_path(), late.images)
              .value_or("");
    }
    if (!state.process) return;
    const bool complete = std::all_of(states_.begin(), states_.begin() + static_cast<std::ptrdiff_t>(step),
                                      [](const State& before) { return before.succeeded(); });
    const bool known = !state.textBefore.empty();
    if (!state.stubs && (known || complete) && succeeded(late.stubsAfter)) {
      if (known)
        replaceFile(late.embedded, state.textBefore);
      else if (!late.images.empty())
        fs::rename(late.images, late.embedded);
      state.stubs.emplace(handOver(late.stubs, late.lateStubs));
    }
    if (known && complete && !state.images) handOverImages(step, late);
  }

  void handOverImages(std::size_t step, const LateText& late) {
    State& state = states_[step];
    const EmbeddedImages images = takenApart(readFile(late.images), late.images);
    if (images.text == state.textBefore) {
      const fs::path first = late.images.string() + ".first";
      replaceFile(first, images.images.front());
      for (std::size_t i = 1; i < images.images.size(); ++i) replaceFile(part(late, i), images.images[i]);
      state.images.emplace(handOver(first, part(late, 0)));
      return;
    }
    // It was told something else: once more, now that all is there.
    state.end();
    state.textBefore.clear();
    fs::rename(late.images, late.embedded);
    fs::remove(late.lateStubs);
    fs::create_symlink(late.stubs, late.lateStubs);
    start(step);
    state.stubs.emplace(Words{"true"});
  }
  static fs::path part(const LateText& late, std::size_t number) {
    return late.images.string() + '.' + std::to_string(number);
  }

  bool succeeded(const std::vector<std::size_t>& steps) const {
    return std::all_of(steps.begin(), steps.end(), [&](std::size_t i) { return states_[i].succeeded(); });
  }

  void writeDependencies(const NvccStep& step) const {
    std::vector<std::string> texts;
    texts.reserve(step.preprocessed.size());
    for (const fs::path& file : step.preprocessed) texts.push_back(readFile(file));
    replaceFile(step.line, dependencyFileOf(texts, rule_));
  }

  void makeModule(std::size_t module) {
    if (made_.insert(module).second) makeModuleId(plan_.modules[module]);
  }

  std::vector<Process*> processes() {
    std::vector<Process*> processes;
    for (State& state : states_)
      if (state.process) processes.push_back(&*state.process);
    return processes;
  }

  void finish(Process* ended) {
    const auto found = std::find_if(states_.begin(), states_.end(), [&](const State& state) {
      return state.process && &*state.process == ended;
    });
    found->result = ended->wait();
    found->done = true;
    found->end();
    if (found->succeeded()) return;
    failed_ = static_cast<std::size_t>(found - states_.begin());
    for (auto state = std::next(found); state != states_.end(); ++state) state->end();
  }

  const NvccPlan& plan_;
  const DependencyRule& rule_;
  std::vector<State> states_;
  std::set<std::size_t> made_;  ///< modules
  std::size_t failed_;          ///< the first one; where all stand in front of it, none
};

/// GCC itself: what stands in front of it (ccache) may read a file before GCC does, and others' ways are not
/// known.
bool readsInOrder(const std::string& program) {
  std::error_code error;
  const fs::path path = fs::canonical(programOf(program), error);
  if (error || !beginsWith(path, "\177ELF")) return false;
  std::string name = path.filename();
  name.erase(name.find_last_not_of("-.0123456789") + 1);
  const auto endsWith = [&](std::string_view end) {
    return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
  };
  return endsWith("gcc") || (endsWith("g++") && !endsWith("clang++"));
}

}  // namespace

ProcessResult runSteps(const NvccPlan& plan, const DependencyRule& rule) {
  const Environment environment(plan.environment);
  return Running(plan, rule).run();
}

std::optional<ProcessResult> runBeside(const Words& command, const DependencyRule& rule) {
  const TemporaryDirectory folder("steps of " + shellLine(command) + fs::current_path().string());
  const Environment temporary({{"TMPDIR", folder.path().string()}});
  Words question = command;
  question.insert(question.begin() + 1, "--dryrun");
  const ProcessResult answer = runProcess(question, Capture::everything);
  if (!answer.succeeded() || !answer.output.empty()) return std::nullopt;
  const ReadsInOrder none = [](const std::string&) { return false; };
  const std::optional<NvccPlan> plan =
      planOf(answer.error, folder.path(), makePipe(folder.path() / "pipe") ? readsInOrder : none);
  if (!plan) return std::nullopt;
  return runSteps(*plan, rule);
}

}  // namespace cui::cli
