#include "cli/compile/steps_beside.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/beside.h"
#include "cli/base/errors.h"
#include "cli/base/files.h"
#include "cli/base/format_text.h"
#include "cli/base/temporary.h"

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

void makeLate(const fs::path& file) {
  constexpr mode_t ours = 0600;
  if (::mkfifo(file.c_str(), ours) != 0)
    throw Error(ExitCode::io, "cannot create '" + file.string() + "': " + std::strerror(errno));
}

/// Hands over what is complete to whoever waits for it, or comes for it yet: it ends once it was read. A
/// later reader finds a file.
Process handOver(const fs::path& text, const fs::path& lateText) {
  const char* const script = R"(exec > "$2" && ln -sf "$1" "$2" && cat "$1")";
  return Process({"/bin/sh", "-c", script, "sh", text.string(), lateText.string()});
}

class Running {
 public:
  Running(const NvccPlan& plan, const DependencyRule& rule)
      : plan_(plan), rule_(rule), states_(plan.steps.size()), failed_(plan.steps.size()) {
    for (std::size_t i = 0; i < plan.steps.size(); ++i)
      if (const fs::path& late = plan.steps[i].lateText; !late.empty()) makeLate(late);
  }

  ProcessResult run() {
    while (begin()) finish(Process::firstToEnd(processes()));
    ProcessResult all;
    all.error = plan_.messages;
    for (std::size_t i = 0; i < std::min(failed_ + 1, states_.size()); ++i) {
      const ProcessResult& result = *states_[i].result;
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
  struct State {
    std::optional<Process> process, text;  ///< `text` hands over what it waits for
    std::optional<ProcessResult> result;
    bool succeeded() const { return result && result->succeeded(); }
  };

  /// Whether any runs then. What stands behind a step that has failed is not begun.
  bool begin() {
    unsigned long count = 0;
    bool any = false;
    for (const State& state : states_)
      count += state.process && plan_.steps[indexOf(state)].lateText.empty() ? 1 : 0;
    for (std::size_t i = 0; i < failed_; ++i) {
      const NvccStep& step = plan_.steps[i];
      State& state = states_[i];
      if (!state.process && !state.result && isReady(i) && (count < jobs() || !step.lateText.empty())) {
        if (!step.preprocessed.empty()) {
          writeDependencies(step);
          state.result.emplace();
          continue;
        }
        if (step.module != std::string::npos) makeModule(step.module);
        state.process.emplace(Words{"/bin/sh", "-c", step.line}, Capture::everything);
        count += step.lateText.empty() ? 1 : 0;
      }
      if (state.process && !step.lateText.empty() && !state.text && allSucceeded(i))
        state.text.emplace(handOver(step.text, step.lateText));
      any |= state.process.has_value();
    }
    return any;
  }

  bool isReady(std::size_t step) const {
    const std::vector<std::size_t>& after = plan_.steps[step].after;
    return std::all_of(after.begin(), after.end(), [&](std::size_t i) { return states_[i].succeeded(); });
  }
  bool allSucceeded(std::size_t before) const {
    return std::all_of(states_.begin(), states_.begin() + static_cast<std::ptrdiff_t>(before),
                       [](const State& state) { return state.succeeded(); });
  }

  void writeDependencies(const NvccStep& step) const {
    std::vector<std::string> texts;
    texts.reserve(step.preprocessed.size());
    for (const fs::path& file : step.preprocessed) texts.push_back(readFile(file));
    replaceFile(step.line, dependencyFileOf(texts, rule_));
  }

  void makeModule(std::size_t module) {
    if (std::find(made_.begin(), made_.end(), module) != made_.end()) return;
    makeModuleId(plan_.modules[module]);
    made_.push_back(module);
  }

  std::size_t indexOf(const State& state) const { return static_cast<std::size_t>(&state - states_.data()); }

  std::vector<Process*> processes() {
    std::vector<Process*> processes;
    for (State& state : states_)
      if (state.process) processes.push_back(&*state.process);
    return processes;
  }

  void finish(const Process* ended) {
    const auto found = std::find_if(states_.begin(), states_.end(), [&](const State& state) {
      return state.process && &*state.process == ended;
    });
    found->result = found->process->wait();
    found->process.reset();
    found->text.reset();
    if (found->result->succeeded()) return;
    failed_ = indexOf(*found);
    for (auto state = std::next(found); state != states_.end(); ++state) {
      state->process.reset();  // ends it
      state->text.reset();
    }
  }

  const NvccPlan& plan_;
  const DependencyRule& rule_;
  std::vector<State> states_;
  std::vector<std::size_t> made_;
  std::size_t failed_;  ///< the first one; where all stand in front of it, none
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
  const std::optional<NvccPlan> plan = planOf(answer.error, folder.path(), readsInOrder);
  if (!plan) return std::nullopt;
  return runSteps(*plan, rule);
}

}  // namespace cui::cli
