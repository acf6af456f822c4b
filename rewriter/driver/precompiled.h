// The library's headers that every program has in front of its own text (the toolkit's, in Clang's wrapper of
// them, and ours), parsed once and kept: nine tenths of what a small file takes. Clang checks little of what
// such a file is good for; here the rest is: that no file has changed, that no macro of the command line is
// one that these headers know, and that no folder of the program's has another header of a name they ask for.
#pragma once

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cui::driver {

/// What the preprocessor has met in those headers.
struct LibraryNames {
  std::set<std::string> identifiers;
  std::map<std::string, std::string>
      headers;                     ///< as they are asked for, and where they were found, if at all
  std::vector<std::string> files;  ///< all that were read

  void addFrom(const clang::CompilerInstance& compiler);
};
/// Callbacks that fill in the headers.
std::unique_ptr<clang::PPCallbacks> recordHeaders(LibraryNames& names);

struct PrecompiledFile {
  std::string path;                ///< "": there is none
  std::vector<std::string> files;  ///< whose text is in it
};

class Precompiled {
 public:
  /// Writes the file `output` of the library's headers for a command line with these macros (as `-D`, `NAME`,
  /// …). False if they cannot be parsed, or it cannot be written.
  using Make = std::function<bool(const std::string& output, const std::vector<std::string>& macros,
                                  LibraryNames& names)>;

  /// `folder`: where they are kept; "": nowhere. `macros` are those of the command line, `folders` those in
  /// which the program's headers are looked for first.
  Precompiled(std::string folder, std::vector<std::string> macros, std::vector<std::string> folders)
      : folder_(std::move(folder)), macros_(std::move(macros)), folders_(std::move(folders)) {}

  /// The file for headers that are `parsedAs` (all that decides what they are, but for macros and folders),
  /// made if there is none. None if there cannot be one, or another process is about to make it.
  PrecompiledFile find(const std::string& parsedAs, const Make& make) const;

  /// The file is of no use: there is to be none until one of the headers changes.
  static void forsake(const std::string& path);

 private:
  struct Description;
  PrecompiledFile find(const std::string& parsedAs, const std::set<std::string>& known,
                       const Make& make) const;
  Description remade(const std::string& name, const std::vector<std::string>& macros, const Make& make) const;
  std::vector<std::string> macrosAmong(const std::set<std::string>& known) const;
  std::set<std::string> namesIn(const Description& description) const;
  bool hidesHeader(const Description& description) const;
  void makeRoom() const;

  std::string folder_;
  std::vector<std::string> macros_;  ///< `-D` or `-U` and an operand in turns
  std::vector<std::string> folders_;
};

}  // namespace cui::driver
