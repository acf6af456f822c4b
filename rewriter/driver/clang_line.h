// The command line that Clang is given: what the library's headers want, and the program's flags.
#pragma once

#include <string>
#include <vector>

#include "driver/compile_flags.h"
#include "driver/options.h"
#include "driver/toolchain.h"

namespace cui::driver {

using CommandWords = std::vector<std::string>;

/// Macros that nvcc defines because of the program's flags, as `-D` and an operand in turns.
CommandWords macrosOfNvcc(Backend backend, const CompileFlags& flags);
/// These, and all that the program's flags define or not, as `-D` or `-U` and an operand.
CommandWords macrosOf(Backend backend, const CompileFlags& flags);

class ClangLine {
 public:
  /// `otherWords`: there are declarations as in driver/other_words.h. `autoParameters`: the standard is one
  /// that has functions with such parameters.
  ClangLine(Backend backend, const Toolchain& toolchain, const CompileFlags& flags, bool otherWords,
            bool autoParameters);

  /// With the program's flags, or with some of them.
  CommandWords with(const CommandWords& flags, const std::string& input) const;

 private:
  CommandWords front_, back_;
};

}  // namespace cui::driver
