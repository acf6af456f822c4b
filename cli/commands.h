// The subcommands. Those that take another program's command line see it untouched; the rest use CLI11.
#pragma once

#include <string>
#include <vector>

namespace cui::cli {

/// `words`: the command line without the program's name. Returns the exit code; throws Error, Interrupted.
int runCommandLine(const std::vector<std::string>& words);

/// The same for a program that was called `name`: a link called nvcc is `cuinstrument nvcc`.
int runProgram(const std::string& name, const std::vector<std::string>& words);

}  // namespace cui::cli
