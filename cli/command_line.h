// The command line apart from compiler lines: subcommands, their options and help, by CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/check/check_command.h"
#include "cli/flags_command.h"
#include "cli/trace/diff_command.h"
#include "cli/trace/export_command.h"
#include "cli/trace/query_command.h"
#include "cli/trace/report_command.h"
#include "cli/trace/whatif_command.h"

namespace cui::cli {

class CommandLine {
 public:
  CommandLine();
  /// `command`: the index of the subcommand among the words.
  int run(const std::vector<std::string>& words, std::size_t command);

 private:
  void addCompilerCommands();
  void addFlagsCommand();
  void addReportCommand();
  void addDiffCommand();
  void addWhatIfCommand();
  void addCheckCommand();
  void addQueryCommand();
  void addExportCommand();
  void addTraceCommands();

  CLI::App app_{"Shows what a CUDA program does to memory: every access, by source expression, in SQL.",
                "cuinstrument"};
  int exitCode_ = 0;
  FlagsRequest flags_;
  ReportRequest report_;
  DiffRequest diff_;
  WhatIfRequest whatIf_;
  CheckRequest check_;
  QueryRequest query_{"", "", "table"};
  ExportRequest export_;
  std::string trace_;
  std::vector<std::string> merged_;
  std::string mergeOutput_;
};

}  // namespace cui::cli
