// The files of one translation unit, each once however often it is included, and which are the user's.
#pragma once

#include <memory>

#include <clang/Basic/SourceManager.h>

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "edit/token_index.h"

namespace cui::constructs {

using FileIndex = unsigned;

struct SourceFile {
  std::string path;      ///< as the compiler would print it
  std::string absolute;  ///< lexically normal
  llvm::StringRef text;  ///< as written; owned by the SourceManager or `written`
  bool user = false;     ///< may be edited
  bool wanted = false;   ///< and instrumented
  bool main = false;
  bool joined = false;  ///< Clang has another text, of the same length (driver/parsed_files.h)
  clang::FileID id;     ///< the first of its inclusions
};

class Sources {
 public:
  /// Decides about an absolute path: is it the user's, is it to be instrumented.
  struct Policy {
    std::function<bool(const std::string&)> user, wanted;
  };

  /// `written`: Preprocessing::written.
  Sources(const clang::SourceManager& manager, Policy policy,
          const std::map<const char*, std::string>& written)
      : manager_(manager), policy_(std::move(policy)), written_(written) {}

  /// False for what is no file: predefined macros, pasted tokens.
  bool find(clang::FileID id, FileIndex& index);
  bool find(const clang::FileEntry* entry, FileIndex& index) const;

  /// No text in [begin, end) is to be edited, for this reason.
  void exclude(FileIndex index, unsigned begin, unsigned end, std::string reason);
  /// The reason, if [begin, end) and an excluded range have a byte in common, else "".
  std::string whyExcluded(FileIndex index, unsigned begin, unsigned end) const;

  const clang::SourceManager& manager() const { return manager_; }
  const SourceFile& file(FileIndex index) const { return files_[index].file; }
  std::size_t size() const { return files_.size(); }
  const edit::TokenIndex& tokens(FileIndex index);
  unsigned line(FileIndex index, unsigned offset) const;
  unsigned column(FileIndex index, unsigned offset) const;
  /// Of the token at `offset`, which to Clang begins with the end of the line before it where that is
  /// continued without a blank in front of the backslash.
  unsigned beginOfToken(FileIndex index, unsigned offset) const;
  /// Past the token at `offset`, which is `length` characters for Clang.
  unsigned endOfToken(FileIndex index, unsigned offset, unsigned length) const;
  /// Where a line begins; the end of the text for lines that it has not.
  unsigned offset(FileIndex index, unsigned line) const;

 private:
  struct Entry {
    SourceFile file;
    std::unique_ptr<edit::TokenIndex> tokens;
    struct Exclusion {
      unsigned begin, end;
      std::string reason;
    };
    std::vector<Exclusion> exclusions;
  };

  const clang::SourceManager& manager_;
  Policy policy_;
  const std::map<const char*, std::string>& written_;
  std::deque<Entry> files_;
  std::unordered_map<const clang::FileEntry*, FileIndex> byEntry_;
  std::unordered_map<unsigned, FileIndex> byId_;
};

/// Absolute and without `.` and `..`, as text: symbolic links stay, so that names lead where the user's do.
std::string absolutePath(llvm::StringRef path);

}  // namespace cui::constructs
