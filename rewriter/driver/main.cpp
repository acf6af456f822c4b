// cuinstrument-rewrite: see driver/rewrite.h for what it does.
#include "driver/options.h"
#include "driver/rewrite.h"

int main(int argc, char** argv) {
  cui::driver::Options options;
  const int done = cui::driver::parseCommandLine(argc, argv, options);
  return done >= 0 ? done : cui::driver::run(options, argv[0]);
}
