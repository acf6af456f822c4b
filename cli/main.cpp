// `cuinstrument`: finds the subcommand and turns every failure into one line and an exit code.
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/base/errors.h"
#include "cli/base/signals.h"
#include "cli/commands.h"

int main(int argc, char** argv) {
  using cui::cli::ExitCode;
  ExitCode code = ExitCode::internal;
  try {
    return cui::cli::runProgram(argv[0], std::vector<std::string>(argv + 1, argv + argc));
  } catch (const cui::cli::Interrupted& interrupted) {
    std::fflush(stdout);
    cui::cli::dieBySignal(interrupted.signal());
  } catch (const cui::cli::Error& error) {
    code = error.code();
    std::fprintf(stderr, "cuinstrument: %s\n", error.what());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "cuinstrument: out of memory\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuinstrument: internal error: %s\n", error.what());
  }
  return static_cast<int>(code);
}
