// Whether nvcc is to link the recorder to units instead of compiling it in each (linking_toolchain.h), and
// doing that. Where it turns out to be impossible the recorder is compiled, as it is everywhere else.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "cli/base/beside.h"
#include "cli/base/errors.h"
#include "cli/base/files.h"
#include "cli/base/temporary.h"
#include "cli/compile/nvcc_job.h"
#include "cli/compile/plain_code.h"
#include "cli/compile/register_limit.h"
#include "cli/compile/steps_beside.h"

namespace cui::cli {
namespace {

/// The line of a program that links, if it is such a one that has failed, rather than the compiler in front
/// of them.
std::string lineOfLinking(const std::string& messages) {
  std::string first;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("Stack size for entry function") != std::string::npos)
      return line + " (functions call themselves)";
    for (const char* program : {"ptxas", "nvlink", "cuinstrument: "})
      if (first.empty() && line.find(program) != std::string::npos) first = line;
  }
  return first;
}

/// Whether there is machine code for that architecture (of -arch, -code and -gencode) that cannot be joined
/// with the recorder's: from compute capability 10.0 on it has all functions in a second form that nobody
/// describes.
bool isUnknownCode(const std::string& architectures) {
  constexpr long firstUnknown = 100;
  const std::string name = "sm_";
  if (architectures.compare(0, 3, "all") == 0 || architectures.find("lto_") != std::string::npos) return true;
  for (std::size_t at = 0; (at = architectures.find(name, at)) != std::string::npos;) {
    at += name.size();
    if (std::strtol(architectures.c_str() + at, nullptr, 10) >= firstUnknown) return true;
  }
  return false;
}

}  // namespace

/// Why this line's units cannot be linked with the recorder, as far as that is known in front; else nothing.
std::string NvccJob::whyNotLinked() const {
  if (isRelocatable())
    for (const NvccLine* line : {&prepended_, &line_, &appended_})
      for (const NvccOption option : {NvccOption::architecture, NvccOption::code, NvccOption::generateCode})
        for (const std::string& architectures : line->values(option))
          if (isUnknownCode(architectures))
            return "relocatable code of " + architectures + " cannot be joined with it";
  if (has({NvccOption::deviceLink, NvccOption::ptx, NvccOption::ltoir, NvccOption::optixIr,
           NvccOption::deviceLto, NvccOption::lto, NvccOption::optimizedLto, NvccOption::relocatablePtx}))
    return "what this line makes is no machine code, or becomes it when the program is linked";
  if (has({NvccOption::deviceDebug})) return "with -G nothing is inlined";
  if (has({NvccOption::run}))
    return "with --run nobody could tell the program's failure from that of linking";
  if (has({NvccOption::noProfile})) return "--noprof has nvcc find its parts without us";
  if (needsUnknownStack())
    return "functions call themselves, and only the program's own link knows what stack its kernels need";
  return {};
}

void NvccJob::chooseRecorder() {
  if (flags_.recorder == Recorder::compiled) return;
  std::string reason = whyNotLinked();
  if (reason.empty()) {
    linking_ = LinkingToolchain::find(compiler_.back(), installation_);
    if (linking_) return;
    reason = compiler_.back() + " does more than run a toolkit's nvcc, or there is no folder for a cache";
  }
  if (flags_.recorder != Recorder::linked) return;
  notLinked_ = std::move(reason);
  if (flags_.strict) throw Error(ExitCode::no, compiledInstead());
}

/// One line for whoever asked for it to be linked.
std::string NvccJob::compiledInstead() const {
  std::string names;
  for (const auto& [index, path] : rewritten_)
    names += (names.empty() ? "" : ", ") + line_.arguments()[index].value;
  return "the recorder " + std::string(flags_.strict ? "cannot be linked to " : "is compiled in ") + names +
         (flags_.strict ? ": " : ", not linked: ") + notLinked_ +
         "; --recorder=compiled has it compiled without this message";
}

bool NvccJob::isRelocatable() const {
  return value(NvccOption::relocatableDeviceCode) == "true" || has({NvccOption::deviceC});
}

/// Relocatable code, of which only the program's link knows what stack its kernels need, has as much as the
/// program says, to which as much is added as the compiled recorder takes. The linked one takes more.
bool NvccJob::needsUnknownStack() const {
  return isRelocatable() && anyDefines("CUI_RECURSIVE");
}

/// Of relocatable code in which the recorder is compiled: no kernel that calls functions may have fewer than
/// they do, which only the program's own link finds out, and kernels whose source says nothing have the usual
/// number. Where the source says something, ptxas tells of the unit's functions, but not with -G: then they
/// have what a multiprocessor full of threads leaves each, which debugged code has little use for.
long NvccJob::registersOfFunctions() const {
  constexpr long fullyOccupied = 32;
  return has({NvccOption::deviceDebug}) ? fullyOccupied : RecorderCode::usualRegisters;
}

bool NvccJob::anyDefines(const std::string& name) const {
  return std::any_of(rewritten_.begin(), rewritten_.end(), [&name](const auto& file) {
    const std::string text = readFile(file.second);
    return text.find("#define " + name + "\n") < text.find("#include \"cuinstrument/instrument.h\"");
  });
}

/// What nvcc's parts refuse of the instrumented form, and the word that gives it another.
struct OtherForm {
  const char *refused, *word;
  bool linked;           ///< also where the recorder is linked
  bool compact = false;  ///< only of sources with very many sites
};
constexpr OtherForm otherForms[] = {
    // cicc has mistaken a pointer's class where the recorder asks which memory it is to (site.h).
    {"Broken function found", "-DCUI_SPACES_BY_DETOUR", true, true},
    {"Broken function found", "-DCUI_SPACES_BY_ASSEMBLY", true},
    // The program has all of the constant memory for itself (device_state.h), which is where the linked
    // recorder looks for its state (identity.h).
    {"too much global constant data", "-DCUI_STATE_IN_GLOBAL_MEMORY", false},
};

namespace {

/// Gives -maxrregcount that value; of one of the user's that is less nothing is changed.
void limitRegisters(std::vector<std::string>& words, long registers) {
  const std::string limit = "-maxrregcount=" + std::to_string(registers);
  for (auto word = words.begin(); word != words.end(); ++word) {
    const std::string_view name = std::string_view(*word).substr(0, word->find('='));
    if (name != "-maxrregcount" && name != "--maxrregcount") continue;
    const bool apart = name.size() == word->size();
    if (apart && std::next(word) == words.end()) return;
    const std::string own = apart ? *std::next(word) : word->substr(name.size() + 1);
    if (std::strtol(own.c_str(), nullptr, 10) <= registers) return;
    *word = limit;
    if (apart) words.erase(std::next(word));
    return;
  }
  words.push_back(limit);
}

}  // namespace

/// The nvcc whose steps may run side by side for this line; nothing where somebody wants to see its files or
/// its times, or wants it to have several threads by itself, or where it is not known what runs.
std::optional<std::filesystem::path> NvccJob::nvccForSteps(const std::vector<std::string>& compiler) const {
  if (jobs() < 2 || compiler.size() != 1) return std::nullopt;
  if (has({NvccOption::run, NvccOption::verbose, NvccOption::keep, NvccOption::keepDirectory,
           NvccOption::saveTemporaries, NvccOption::time, NvccOption::threads, NvccOption::deviceTimeTrace,
           NvccOption::objectDirectoryAsTemporary, NvccOption::useLocalEnvironment, NvccOption::linkerScript,
           NvccOption::augmentLinkerScript, NvccOption::noProfile}))
    return std::nullopt;
  return linking_ ? linking_->nvcc() : nvccBehind(compiler.front());
}

ProcessResult NvccJob::compileWords(std::vector<std::string> words) {
  const bool runs = has({NvccOption::run});
  const auto compileOnce = [&](const std::vector<std::string>& compiler) {
    const std::vector<std::string> command = commandFor(compiler, words);
    if (const std::optional<std::filesystem::path> nvcc = nvccForSteps(compiler)) {
      std::vector<std::string> itself = command;
      itself.front() = *nvcc;
      if (std::optional<ProcessResult> result = runBeside(itself, dependencyRule()))
        return *std::move(result);
    }
    return runProcess(command, runs ? Capture::nothing : Capture::everything,
                      runs ? Group::shared : Group::own);
  };
  const auto compile = [&](const std::vector<std::string>& compiler) {
    ProcessResult result = compileOnce(compiler);
    for (const OtherForm& form : otherForms) {
      if (result.succeeded() || (linking_ && !form.linked)) continue;
      if (result.error.find(form.refused) == std::string::npos) continue;
      if (form.compact && !anyDefines("CUI_MANY_SITES")) continue;
      words.insert(words.begin(), form.word);
      result = compileOnce(compiler);
    }
    return result;
  };
  const auto compileRecorder = [&] {
    const std::optional<std::string> own = value(NvccOption::maxRegisters);  // also in option files
    if (isRelocatable() && (!own || std::strtol(own->c_str(), nullptr, 10) > registersOfFunctions()))
      limitRegisters(words, registersOfFunctions());
    ProcessResult result = compile(compiler_);
    if (isRelocatable() && !own) result.error = withoutIgnoredLimit(result.error);
    const std::optional<long> registers = result.succeeded() ? std::nullopt : fewestOfKernels(result.error);
    if (!registers || (own && !isRelocatable())) return result;
    limitRegisters(words, *registers);
    ProcessResult limited = compile(compiler_);
    return limited.succeeded() ? limited : result;
  };
  if (!linking_) return compileRecorder();
  std::vector<std::string> compiler = compiler_;
  compiler.back() = linking_->nvcc();
  words.emplace_back("-DCUI_RECORDER_LINKED");
  ::setenv(toolchainVariable, linking_->folder().c_str(), 1);
  const TemporaryDirectory plainCode("code without the recorder " + shellLine(words));
  // What is no object is not for a program that could choose, and of relocatable code it has what its own
  // link makes.
  if (flags_.plainCode && !isRelocatable() && !has({NvccOption::cubin, NvccOption::fatbin}))
    ::setenv(plainCodeVariable, plainCode.path().c_str(), 1);
  else
    ::unsetenv(plainCodeVariable);
  ProcessResult result = compile(compiler);
  if (result.succeeded()) return result;
  const std::string reason = lineOfLinking(result.error);
  if (reason.empty()) return result;
  if (flags_.recorder == Recorder::linked) {
    notLinked_ = reason;
    if (flags_.strict) {  // with nvcc's own exit code: it may be the program's fault
      result.error += "cuinstrument: " + compiledInstead() + "\n";
      return result;
    }
  }
  linking_.reset();
  words.pop_back();
  for (const OtherForm& form : otherForms)
    if (!form.linked && result.error.find(form.refused) != std::string::npos)
      words.insert(words.begin(), form.word);
  return compileRecorder();
}

}  // namespace cui::cli
