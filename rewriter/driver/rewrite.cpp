#include "driver/rewrite.h"

#include <clang/AST/ASTContext.h>
#include <algorithm>

#include <clang/Basic/SourceManager.h>

#include <filesystem>
#include <iostream>

#include "constructs/expansion.h"
#include "constructs/host_text.h"
#include "constructs/private_pointers.h"
#include "constructs/unparsed.h"
#include "constructs/walker.h"
#include "driver/architectures.h"
#include "driver/compile_flags.h"
#include "driver/emit.h"
#include "driver/file_output.h"
#include "driver/includes.h"
#include "driver/loop_groups.h"
#include "driver/macros_in_front.h"
#include "driver/parse.h"
#include "driver/policy.h"
#include "driver/precompiled.h"
#include "driver/toolchain.h"
#include "edit/forms.h"
#include "edit/strip.h"

namespace cui::driver {
namespace {

namespace fs = std::filesystem;

int fail(ExitCode code, const std::string& message) {
  std::cerr << "cuinstrument-rewrite: " << message << '\n';
  return code;
}

std::string defaultOutput(const std::string& input) {
  const fs::path path(input);
  return path.stem().string() + ".cui" + path.extension().string();
}

/// From so many sites on in all kernels, or in one, nvcc takes twice as long or more over what is at each,
/// two calls and the spaces of addresses, than over one mere call (docs/benchmarks/compile-time.md).
constexpr std::uint64_t manySites = 1000, manySitesOfKernel = 300;
/// Where so many registers hold something across a call, a call that is always made costs more than a branch
/// in front of it; and where no kernel has very many sites by itself, the branch costs nvcc little.
constexpr std::uint64_t manyWords = 32;

/// Everything between the parse and the files.
class Rewriting {
 public:
  Rewriting(const Options& options, const Toolchain& toolchain) : options_(options), toolchain_(toolchain) {}

  int run() {
    if (!parseWith(options_)) return exitNo;
    if (code_ != exitOk) return code_;
    if (refused_) {
      Options strict = options_;
      strict.refuseErrors = true;
      if (!parseWith(strict)) return exitNo;
    }
    if (code_ != exitOk) return code_;
    if (!options_.forsaken.empty()) Precompiled::forsake(options_.forsaken);
    std::string error;
    return writeAll(files_, error, folders_, links_) ? exitOk : fail(exitInputOutput, error);
  }

 private:
  bool parseWith(const Options& options) {
    return parse(options, toolchain_, preprocessing_,
                 [this, &options](clang::CompilerInstance& compiler, const auto& errors, bool complete) {
                   consume(compiler, errors, complete, options.refuseErrors);
                 });
  }

  /// Excludes from being edited what cannot be, or is not to be.
  std::vector<constructs::Unparsed> leave(clang::ASTContext& ast,
                                          const std::vector<constructs::SourceError>& errors,
                                          const constructs::Ranges& ranges, constructs::Findings& findings,
                                          bool& lostCode) const {
    leaveUnreached(ranges.preprocessing(), ranges.sources(), taken_);
    constructs::leaveFunctions(ast, options_.left, ranges);
    constructs::leaveLines(options_.leftLines, ranges.sources());
    return constructs::leaveUnparsed(ast, errors, ranges, findings, lostCode);
  }

  /// `kept`: nothing of the device's code is missing in the tree.
  static void find(clang::ASTContext& ast, const constructs::Ranges& ranges, const CompileFlags& flags,
                   const constructs::Settings& settings, bool kept, constructs::Findings& findings) {
    if (kept) constructs::markPrivatePointers(ast, flags.relocatable || settings.cpu);
    constructs::walk(ast, ranges, settings, findings);
  }

  /// What that architecture's code has and the last one's has not. False for errors that have been printed.
  bool readFor(const std::string& architecture, const CompileFlags& flags,
               const constructs::Settings& settings, OtherArchitectures& others) {
    Options options = options_;
    options.compileFlags.push_back("-arch=" + (architecture.empty() ? "default" : architecture));
    constructs::Preprocessing preprocessing;
    return parse(options, toolchain_, preprocessing,
                 [&](clang::CompilerInstance& compiler, const std::vector<constructs::SourceError>& errors,
                     bool complete) {
                   const clang::SourceManager& manager = compiler.getSourceManager();
                   constructs::Sources sources(manager, policyOf(options_, toolchain_),
                                               preprocessing.written);
                   const constructs::Ranges ranges(manager, compiler.getLangOpts(), sources, preprocessing);
                   constructs::Findings findings(preprocessing);
                   bool lostCode = !complete;
                   const std::vector<constructs::Unparsed> unparsed =
                       leave(compiler.getASTContext(), errors, ranges, findings, lostCode);
                   find(compiler.getASTContext(), ranges, flags, settings, !lostCode, findings);
                   others.add(findings, preprocessing, sources);
                   // What is in the text of all is edited as the last one's code says.
                   for (const constructs::Unparsed& one : unparsed)
                     if (!one.harmless && others.isOnlyThere(one.place, sources)) tell(one, sources);
                 });
  }

  /// `refusing`: errors that are there all the same are Clang's own doing.
  void consume(clang::CompilerInstance& compiler, const std::vector<constructs::SourceError>& errors,
               bool complete, bool refusing) {
    const clang::SourceManager& manager = compiler.getSourceManager();
    constructs::Sources sources(manager, policyOf(options_, toolchain_), preprocessing_.written);
    constructs::FileIndex mainFile = 0;
    sources.find(manager.getMainFileID(), mainFile);
    const constructs::Ranges ranges(manager, compiler.getLangOpts(), sources, preprocessing_);
    constructs::Findings findings(preprocessing_);
    constructs::Settings settings;
    settings.values = options_.values;
    settings.separate = options_.separate;
    settings.localArrays = options_.localArrays;
    const CompileFlags flags = readCompileFlags(options_.compileFlags);
    settings.relaxedConstexpr = flags.relaxedConstexpr;
    settings.cpu = options_.backend == Backend::cpu;
    if (!options_.takenIncludes.empty()) taken_ = flags.forced();
    macros_ = macrosInFront(flags, preprocessing_, sources);
    bool lostCode = !complete;
    const std::vector<constructs::Unparsed> unparsed =
        leave(compiler.getASTContext(), errors, ranges, findings, lostCode);
    // Our own headers say what the CPU backend has not (#error).
    const auto matters = [](const constructs::Unparsed& one) {
      return !one.harmless || one.message.find("cuinstrument: ") != std::string::npos;
    };
    // nvcc compiles what is left as it was; a C++ compiler cannot know what a kernel or a launch is.
    refused_ = settings.cpu && !refusing && std::any_of(unparsed.begin(), unparsed.end(), matters);
    // Clang says best what is wrong, but not if it would say first what is not.
    if (refused_ && std::all_of(unparsed.begin(), unparsed.end(), matters)) return;
    for (const constructs::Unparsed& one : unparsed)
      if (matters(one)) tell(one, sources);
    if (refused_) {
      code_ = exitNo;
      return;
    }
    find(compiler.getASTContext(), ranges, flags, settings, !lostCode, findings);
    constructs::tellHostText(compiler.getASTContext(), ranges, settings, findings);
    OtherArchitectures others(preprocessing_, sources, compiler.getSourceManager());
    if (!settings.cpu && others.mayDiffer())
      for (const std::string& architecture : flags.others)
        if (!readFor(architecture, flags, settings, others)) code_ = exitNo;
    if (code_ != exitOk) return;
    others.giveTo(findings);
    std::vector<constructs::AccessFound> accesses = findings.takeAccesses();
    LoopGroups loops(accesses, sources);
    const constructs::UnitSize unit =
        constructs::expansionOf(compiler.getASTContext(), ranges, accesses, flags.relocatable);
    const constructs::KernelSize& size = unit.largest;
    if (unit.sites >= manySites || size.sites >= manySitesOfKernel) {
      settings_ += edit::manySitesLine;
      if (size.sites < manySites || size.words >= manyWords) settings_ += edit::manyRegistersLine;
      if (size.sites >= manySites && size.words >= manyWords) settings_ += edit::veryManySitesLine;
    }
    if (options_.localArrays) settings_ += edit::localArraysLine;
    if (size.recursive && size.sites != 0) settings_ += edit::recursiveLine;
    if (preprocessing_.hasMacro("auto")) settings_ += edit::withoutAutoLine;
    others.giveTo(accesses);
    Emission emission =
        emit(findings, std::move(accesses), std::move(loops), preprocessing_, sources, mainFile);
    spell(emission, sources, mainFile);
  }

  /// Once, of what several architectures have.
  void tell(const constructs::Unparsed& one, const constructs::Sources& sources) {
    std::string line = sources.file(one.place.file).path + ':' +
                       std::to_string(sources.line(one.place.file, one.place.begin)) + ':' +
                       std::to_string(sources.column(one.place.file, one.place.begin)) + ": ";
    if (refused_)
      line += "error: " + one.message;
    else
      line += "warning: " +
              (one.statement          ? "a statement of '" + one.function + "'"
               : one.function.empty() ? "this"
                                      : "function '" + one.function + "'") +
              " is not instrumented, because Clang rejects it: " + one.message;
    if (told_.insert(line).second) std::cerr << line << '\n';
  }

  /// Of each header that is left alone as a whole where it has something to record; false if that is an
  /// error.
  bool tellUnreached(const sites::Table& table) {
    bool any = false;
    for (const sites::Site& site : table.sites()) {
      if (site.status != sites::Status::skipped || !isUnreached(site.reason)) continue;
      const std::string line = table.files()[site.place.file].path +
                               (options_.refuseErrors ? ": error: " : ": warning: ") +
                               "this file is not instrumented: " + site.reason;
      if (told_.insert(line).second) std::cerr << line << '\n';
      any = true;
    }
    if (any && options_.refuseErrors) code_ = exitNo;
    return code_ == exitOk;
  }

  void spell(Emission& emission, constructs::Sources& sources, constructs::FileIndex mainFile) {
    if (!tellUnreached(emission.table) || !checkSkipped(emission.table)) return;
    const std::string output = options_.output.empty() ? defaultOutput(options_.input) : options_.output;
    const std::string target =
        constructs::absolutePath(output == "-" ? defaultOutput(options_.input) : output);
    const std::string mirrorFolder = target + ".d";
    std::set<constructs::FileIndex> edited;
    for (const auto& [file, plan] : emission.plans) edited.insert(file);
    Mirror mirror =
        planMirror(preprocessing_, sources, edited, mirrorFolder, fs::path(target).parent_path().string());
    const auto planOf = [&](constructs::FileIndex file) -> edit::EditPlan& {
      return emission.plans.try_emplace(file, sources.file(file).text.str()).first->second;
    };
    settings_ += setAside(macros_);
    const std::string forced =
        forcedIncludes(preprocessing_, sources, taken_, mirror, mirrorFolder, options_.takeAllIncludes);
    if (!forced.empty()) files_.push_back({options_.takenIncludes, forced});
    folders_ = mirror.folders;
    links_ = mirror.links;
    for (const IncludeEdit& one : mirror.edits) planOf(one.file).insert(one.offset, one.text, 0);

    for (const constructs::FileIndex file : mirror.files) {
      const constructs::SourceFile& source = sources.file(file);
      add(mirrorFolder + source.absolute,
          edit::frame(planOf(file).apply(), edit::mirrorPreamble(source.path), ""), source);
    }
    add(output,
        edit::frame(planOf(mainFile).apply(),
                    settings_ + emission.table.preamble(bringBack(macros_) + forced),
                    emission.table.epilogue(withoutKeywords(preprocessing_))),
        sources.file(mainFile));
    if (!options_.metadata.empty()) files_.push_back({options_.metadata, emission.table.json()});
  }

  void add(std::string path, std::string text, const constructs::SourceFile& source) {
    if (edit::strip(text) != std::string_view(source.text.data(), source.text.size()))
      code_ = fail(exitInternal, source.path + ": internal error: the result does not strip to the original");
    files_.push_back({std::move(path), std::move(text)});
  }

  bool checkSkipped(const sites::Table& table) {
    if (!options_.strict) return true;
    for (const sites::Site& site : table.sites()) {
      if (site.status != sites::Status::skipped || site.reason.starts_with(barrierReason)) continue;
      code_ = fail(exitNo, table.files()[site.place.file].path + ":" + std::to_string(site.place.line) + ":" +
                               std::to_string(site.place.column) + ": " + site.expression +
                               " is not instrumented: " + site.reason + " (--strict)");
      return false;
    }
    return true;
  }

  const Options& options_;
  const Toolchain& toolchain_;
  constructs::Preprocessing preprocessing_;
  std::vector<OutputFile> files_;
  std::set<std::string> folders_;
  std::map<std::string, std::string> links_;
  std::vector<std::string> taken_;  ///< headers that -include names and the output is to include
  std::set<std::string> macros_;    ///< what our headers must not see
  std::string settings_;            ///< lines in front of the preamble
  std::set<std::string> told_;
  bool refused_ = false;  ///< for errors that were not printed
  int code_ = exitOk;
};

}  // namespace

int run(const Options& options, const char* program) {
  std::string text, error;
  if (!readFile(options.input, text, error)) return fail(exitInputOutput, error);
  if (options.strip) {
    const std::string output = options.output.empty() ? "-" : options.output;
    return writeAll({{output, edit::strip(text)}}, error) ? exitOk : fail(exitInputOutput, error);
  }
  if (edit::TokenIndex(text).usesReservedName())
    return fail(exitUsage,
                options.input + ": is instrumented already (it uses a CUI_ name); --strip undoes that");
  Toolchain toolchain;
  if (!findToolchain(options, program, toolchain, error)) return fail(exitInputOutput, error);
  return Rewriting(options, toolchain).run();
}

}  // namespace cui::driver
