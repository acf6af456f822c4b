// See command_line.h.
#include "cli/command_line.h"

#include "cli/base/errors.h"
#include "cli/trace/gpus.h"
#include "db/exporters/exporters.h"
#include "db/exporters/trace_formats.h"

namespace cui::cli {
namespace {

constexpr const char* footer = R"(Examples:
  cuinstrument cpu vec.cu -o vec && ./vec         build and run without a GPU
  cuinstrument nvcc -O3 -arch=sm_90 vec.cu -o vec the same with nvcc
  cuinstrument report vec.4711.trace.db           what the memory accesses cost
  cuinstrument query vec.4711.trace.db "SELECT * FROM hot_site"

Before nvcc, cpu or launcher:
  --values               record loaded and stored values too
  --separate             each access by a call of its own (slower)
  --mode trace|profile   compile for one CUINSTRUMENT_MODE only (nvcc: faster)
  --recorder compiled    compile the recorder in each file instead of linking it (nvcc: slower; GPU: faster)
  --no-plain-code        no second device code, for CUINSTRUMENT=off (nvcc: faster; switched off: slower)
  --jobs N               processes at the same time (nvcc; default 2); from 3 on threads of ptxas, too
  --root DIR             instrument only files under DIR
  --include/--exclude GLOB
  --strict               a file, header or function that cannot be instrumented is an error
  --emit-metadata FILE   also write the table of accesses as JSON
  --keep-rewritten DIR   leave the rewritten files in DIR
  --verbose              print the commands that run

A program built this way writes <program>.<pid>.trace.db, or $CUINSTRUMENT_DB; CUINSTRUMENT=off turns
recording off.

Exit codes: 0 ok; 1 no (does not compile, validation failed); 2 wrong usage; 3 a file cannot be read or
written, or is no trace; 4 internal error. nvcc and cpu pass on the compiler's own.)";

}  // namespace

CommandLine::CommandLine() {
  app_.set_version_flag("--version", "cuinstrument " CUI_VERSION);
  app_.require_subcommand(1);
  app_.footer(footer);
  addCompilerCommands();
  addReportCommand();
  addDiffCommand();
  addWhatIfCommand();
  addCheckCommand();
  addQueryCommand();
  addExportCommand();
  addTraceCommands();
  addFlagsCommand();
}

/// These run before CLI11 sees the line; here they are for the help only.
void CommandLine::addCompilerCommands() {
  const auto add = [&](const char* name, const char* usage, const char* description) {
    CLI::App* command = app_.add_subcommand(name, description);
    command->footer(usage);
    command->prefix_command();
  };
  add("nvcc", "Usage: cuinstrument [OPTIONS] nvcc <any nvcc command line>",
      "Run an nvcc line (compile, link, several sources, …) with its CUDA sources instrumented");
  add("launcher", "Usage: cuinstrument [OPTIONS] launcher [ccache] /path/to/nvcc <nvcc options>",
      "The same for build systems that prefix the compiler: "
      "CMAKE_CUDA_COMPILER_LAUNCHER=\"cuinstrument;launcher\"");
  add("cpu", "Usage: cuinstrument [OPTIONS] cpu <sources, objects, g++ or nvcc options> -o program",
      "Build CUDA sources for the CPU backend: no GPU, no CUDA toolkit");
  add("rewrite", "Usage: cuinstrument rewrite <options of cuinstrument-rewrite>",
      "Run cuinstrument-rewrite, the source-to-source step alone");
}

void CommandLine::addFlagsCommand() {
  CLI::App* command =
      app_.add_subcommand("flags", "Print what a build of your own needs: compiler and linker flags, paths");
  command->add_option("--backend", flags_.backend, "cuda or cpu")
      ->check(CLI::IsMember({"cuda", "cpu"}))
      ->capture_default_str();
  command->add_flag("--compile", flags_.compile, "Only the compiler's flags");
  CLI::Option* compile = command->get_option("--compile");
  command->add_flag("--link", flags_.link, "Only the linker's");
  command->add_flag("--whole", flags_.whole, "The linker's, for where they stand in front of the objects")
      ->excludes(compile);
  command->add_flag("--makefile", flags_.makefile, "The path of the fragment for Makefiles");
  command->add_flag("--prefix", flags_.prefix, "The folder of this installation, for CMAKE_PREFIX_PATH");
  command->callback([this] { exitCode_ = runFlags(flags_); });
}

void CommandLine::addReportCommand() {
  CLI::App* command =
      app_.add_subcommand("report", "Say what the accesses cost, worst source expression first");
  command->add_option("trace", report_.trace, "Trace database")->required()->type_name("TRACE");
  command->add_option("--analysis", report_.analyses, "Only this analysis (may be repeated)")
      ->type_name("NAME");
  command->add_flag("--all", report_.all, "Also the analyses that only describe");
  command
      ->add_option(
          "--gpu", report_.gpu,
          "Predict times for this GPU (figures of its own may follow: h100,dram=2000): " + knownGpus())
      ->type_name("GPU");
  command->add_option("--source-root", report_.sourceRoot, "SARIF names files relative to this folder")
      ->type_name("DIR");
  command->add_option("--format", report_.format, "text, markdown, json, html or sarif")
      ->check(CLI::IsMember({"text", "markdown", "json", "html", "sarif"}))
      ->capture_default_str();
  command->add_option("--limit", report_.limit, "Findings per analysis")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->callback([this] { exitCode_ = runReport(report_); });
}

void CommandLine::addDiffCommand() {
  CLI::App* command = app_.add_subcommand(
      "diff",
      "Compare two traces of a program, before and after a change: exit code 1 if something got worse");
  command->add_option("before", diff_.before, "Trace database")->required()->type_name("BEFORE");
  command->add_option("after", diff_.after, "Trace database")->required()->type_name("AFTER");
  command
      ->add_option("--threshold", diff_.thresholdPercent, "Growth in cost that is still the same, in percent")
      ->check(CLI::NonNegativeNumber)
      ->type_name("PERCENT")
      ->capture_default_str();
  command->add_option("--format", diff_.format, "text, markdown or json")
      ->check(CLI::IsMember({"text", "markdown", "json"}))
      ->capture_default_str();
  command->add_option("--limit", diff_.limit, "Kernels and sites that are listed")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--all", diff_.all, "List also what did not change");
  command->callback([this] { exitCode_ = runDiff(diff_); });
}

void CommandLine::addWhatIfCommand() {
  CLI::App* command = app_.add_subcommand(
      "whatif", "Recompute what the recorded accesses would cost after a change, before anybody makes it");
  command->add_option("trace", whatIf_.trace, "Trace database")->required()->type_name("TRACE");
  command->add_option("--pad", whatIf_.pad, "N more elements after each row of the array")
      ->type_name("NAME=+N");
  command->add_option("--layout", whatIf_.layout, "An array of structs as one array for each field")
      ->type_name("NAME=soa");
  command->add_option("--swap-index", whatIf_.swap, "a[i][j] as a[j][i]")->type_name("NAME");
  command->add_option("--row", whatIf_.row, "How long a row is, where the declaration does not say so")
      ->type_name("NAME=ELEMENTS");
  command
      ->add_option("--cache", whatIf_.cache,
                   "Simulate the caches of a GPU (of other sizes: h100,l1=64K,l2=10M): " + knownGpus())
      ->type_name("GPU");
  command->add_flag("--cold", whatIf_.cold,
                    "With --cache: L2 is empty when a launch begins, as in a profiler");
  command->add_option("--format", whatIf_.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_option("--limit", whatIf_.limit, "Sites that are listed")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->callback([this] { exitCode_ = runWhatIf(whatIf_); });
}

void CommandLine::addCheckCommand() {
  CLI::App* command = app_.add_subcommand(
      "check",
      "Check assertions about a trace, from files and from comments in the source: exit code 1 if one fails");
  command->add_option("trace", check_.trace, "Trace database")->required()->type_name("TRACE");
  command->add_option("checks", check_.files, "Files of checks (TOML)")->type_name("FILE");
  command->add_option("--assert", check_.assertions, "For every access, such as \"bank_conflicts == 0\"")
      ->type_name("ASSERTION");
  command->add_flag("--no-source", check_.noSource, "Ignore // cui: comments in the sources");
  command->add_flag("--allow-incomplete", check_.allowIncomplete, "A trace with losses is no failure");
  command->add_option("--junit", check_.junit, "Write the results as JUnit XML")->type_name("FILE");
  command->add_option("--sarif", check_.sarif, "Write the failures as SARIF")->type_name("FILE");
  command->add_option("--source-root", check_.sourceRoot, "SARIF names files relative to this folder")
      ->type_name("DIR");
  command->add_flag("--quiet", check_.quiet, "Print failures only");
  command->callback([this] { exitCode_ = runCheck(check_); });
}

void CommandLine::addQueryCommand() {
  std::vector<std::string> formats = {"table"};
  for (const db::Exporter& exporter : db::exporters()) formats.emplace_back(exporter.name);
  CLI::App* command = app_.add_subcommand("query", "Run one SQL statement; it cannot change the trace");
  command->add_option("trace", query_.trace, "Trace database")->required()->type_name("TRACE");
  command->add_option("sql", query_.sql, "SQL statement, or - to read it from standard input")
      ->required()
      ->type_name("SQL");
  command->add_option("--format", query_.format, "How to print the rows")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
  command->callback([this] { exitCode_ = runQuery(query_); });
}

void CommandLine::addExportCommand() {
  std::vector<std::string> formats;
  std::string descriptions = "Formats:";
  for (const db::TraceFormat& format : db::traceFormats()) {
    formats.emplace_back(format.name);
    descriptions += std::string("\n  ") + format.name + ": " + format.description +
                    (format.folder ? " (a folder)" : " (a file)");
  }
  CLI::App* command = app_.add_subcommand("export", "Write a whole trace in another tool's format");
  command->add_option("trace", export_.trace, "Trace database")->required()->type_name("TRACE");
  command->add_option("--format", export_.format, "What to write")->required()->check(CLI::IsMember(formats));
  command->add_option("-o,--output", export_.output, "The file or folder")->required()->type_name("PATH");
  command->add_option("--table", export_.tables, "Only this table or view (may be repeated); csv and jsonl")
      ->type_name("NAME");
  command->add_option("--launch", export_.launch, "Only this launch; drcachesim and accelsim")
      ->check(CLI::PositiveNumber)
      ->type_name("ID");
  command->footer(descriptions);
  command->callback([this] { exitCode_ = runExport(export_); });
}

void CommandLine::addTraceCommands() {
  const auto add = [&](const char* name, const char* description, int (*action)(const std::string&)) {
    CLI::App* command = app_.add_subcommand(name, description);
    command->add_option("trace", trace_, "Trace database")->required()->type_name("TRACE");
    command->callback([this, action] { exitCode_ = action(trace_); });
  };
  add("validate", "Check that a trace is complete and consistent: exit code 0 if so, 1 if not", runValidate);
  add("materialize", "Add the tables access and access_lane to a large trace, for clients without this tool",
      runMaterialize);
  CLI::App* merge =
      app_.add_subcommand("merge", "Make one trace of several: of runs, or of the processes of a run");
  merge->add_option("traces", merged_, "Trace databases, two or more")->required()->type_name("TRACE");
  merge->add_option("-o,--output", mergeOutput_, "The new trace")->required()->type_name("FILE");
  merge->callback([this] { exitCode_ = runMerge(merged_, mergeOutput_); });
  add("upgrade", "Make a trace that an older cuinstrument wrote readable by this one", runUpgrade);
}

int CommandLine::run(const std::vector<std::string>& words, std::size_t index) {
  const std::vector<CLI::App*> commands = app_.get_subcommands(
      [&](const CLI::App* command) { return index < words.size() && command->check_name(words[index]); });
  if (index < words.size() && commands.empty())
    throw Error(ExitCode::usage, "unknown command '" + words[index] + "'; see cuinstrument --help");
  try {
    app_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& request) {
    return app_.exit(request);
  } catch (const CLI::ParseError& error) {
    throw Error(ExitCode::usage, std::string(error.what()) + "; see cuinstrument --help");
  }
  return exitCode_;
}

}  // namespace cui::cli
