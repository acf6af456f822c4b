#include "driver/options.h"

#include <CLI/CLI.hpp>
#include <cstring>
#include <iostream>

namespace cui::driver {

int parseCommandLine(int argc, const char* const* argv, Options& options) {
  CLI::App app{"Rewrites a CUDA source file so that it records its memory accesses.", "cuinstrument-rewrite"};
  app.set_version_flag("--version", "cuinstrument-rewrite " CUI_VERSION);
  std::string backend = "cuda";
  bool noHeaderCache = false;
  app.add_option("--backend", backend, "What will compile the result: cuda (nvcc) or cpu (a C++ compiler)")
      ->check(CLI::IsMember({"cuda", "cpu"}))
      ->capture_default_str();
  app.add_option("--root", options.roots, "Instrument only files under DIR (default: all but system files)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("--include", options.included, "Instrument only files whose path matches GLOB")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  app.add_option("--exclude", options.excluded, "Do not instrument files whose path matches GLOB")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  app.add_option("-o,--output", options.output,
                 "Output (default: INPUT's name with .cui before its suffix; - for standard output)")
      ->type_name("FILE");
  app.add_option("--emit-metadata", options.metadata, "Also write the site table as JSON")->type_name("FILE");
  app.add_flag("--values", options.values, "Record the values of scalar loads and stores");
  app.add_flag("--separate", options.separate,
               "Record each access by itself, also where one call could record several");
  app.add_flag("--local-arrays", options.localArrays, "Also record arrays private to a thread");
  app.add_flag("--strict", options.strict, "Fail if an access cannot be instrumented");
  app.add_flag("--refuse-errors", options.refuseErrors,
               "Fail where Clang finds an error, or a header cannot be instrumented (default for nvcc: leave "
               "that function or header uninstrumented)");
  app.add_option("--leave", options.left, "Do not instrument functions on that line of a file")
      ->type_name("FILE:LINE")
      ->allow_extra_args(false);
  app.add_option("--leave-line", options.leftLines, "Do not instrument what is on that line of a file")
      ->type_name("FILE:LINE")
      ->allow_extra_args(false);
  app.add_option(
         "--take-includes", options.takenIncludes,
         "Instrument headers of the user's that -include names: the output then includes them itself, in "
         "place of the compiler, and their names are written to FILE")
      ->type_name("FILE");
  app.add_flag("--take-all-includes", options.takeAllIncludes,
               "With --take-includes: also where nothing in those headers is instrumented");
  app.add_option("--cuda-path", options.cudaPath, "CUDA toolkit (default: CUDA_PATH, nvcc, /usr/local/cuda)")
      ->type_name("DIR");
  app.add_option("--resource-dir", options.resourceDir, "Clang's own headers")->type_name("DIR");
  app.add_option("--header-cache", options.headerCache,
                 "Keep the toolkit's headers in DIR as Clang has parsed them, and read them from there")
      ->type_name("DIR")
      ->take_last();
  app.add_option("--forsake", options.forsaken,
                 "Not to be used again, nor others now: a parse with it crashed")
      ->type_name("FILE")
      ->take_last()
      ->group("");  // of our own making
  app.add_flag("--no-header-cache", noHeaderCache, "Read them anew, whatever --header-cache says");
  app.add_flag("--strip", options.strip, "Print the original of the instrumented file INPUT");
  app.add_option("input", options.input, "Source file")->type_name("INPUT");
  app.footer(
      "Compile flags (-I -D -U -isystem -include -std -arch …) go after --; unknown ones are ignored.");

  // Everything after -- is the compiler's, so CLI11 must not see it.
  int own = argc;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--") == 0) {
      own = i;
      break;
    }
  for (int i = own + 1; i < argc; ++i) options.compileFlags.emplace_back(argv[i]);
  try {
    app.parse(own, argv);
  } catch (const CLI::Success& request) {
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    std::cerr << "cuinstrument-rewrite: " << error.what() << "; see --help\n";
    return exitUsage;
  }
  // Not CLI11's required(): that would hide what is wrong with an unknown flag.
  if (options.input.empty()) {
    std::cerr << "cuinstrument-rewrite: no source file; see --help\n";
    return exitUsage;
  }
  options.backend = backend == "cpu" ? Backend::cpu : Backend::cuda;
  if (noHeaderCache || !options.forsaken.empty()) options.headerCache.clear();
  return -1;
}

}  // namespace cui::driver
