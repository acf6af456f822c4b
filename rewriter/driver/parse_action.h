// One parse by Clang: what its parser and preprocessor are shown on the way, and what is made of the tree.
// And the same for the library's headers alone, which are then kept (driver/precompiled.h).
#pragma once

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "constructs/preprocessing.h"
#include "driver/diagnostics.h"
#include "driver/launch_names.h"
#include "driver/places.h"
#include "driver/precompiled.h"
#include "driver/preferred_operators.h"
#include "driver/template_words.h"

namespace cui::driver {

/// What a parse is told of the program, and where it writes what it meets. All must outlive the action.
struct ParseInputs {
  constructs::Preprocessing& preprocessing;
  bool otherWords;  ///< some declarations are read in other words
  const NamePlaces& bothSides;
  MissingWords& missing;
  LaunchNames& launches;
  const PreferredOperators& operators;
  Diagnostics& diagnostics;
  llvm::raw_ostream& out;            ///< for what Clang says beside that
  std::vector<std::string> folders;  ///< those that -I names
  std::string gccVersion;            ///< which the program is told it is read by; "": it may know
};

using ParsedUnit = std::function<void(clang::CompilerInstance&)>;

/// Calls `parsed` while the tree is alive. `precompiled`: the file that has the library's headers; "": they
/// are read. With it, only the program's own declarations are walked through.
std::unique_ptr<clang::FrontendAction> parseAction(const ParseInputs& inputs, std::string precompiled,
                                                   ParsedUnit parsed);

/// Writes such a file, unless there are errors, and what it has met to `names`.
std::unique_ptr<clang::FrontendAction> precompileAction(const ParseInputs& inputs, std::string output,
                                                        LibraryNames& names, ParsedUnit parsed);

}  // namespace cui::driver
