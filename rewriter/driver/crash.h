// Clang's reader of precompiled headers may crash over a file that it wrote itself (22 does over some of the
// toolkit's headers, by the macros that they were made with), and over one that a disk has spoilt. That must
// cost the program's source nothing: the rewriter then begins again without the file.
#pragma once

#include <string>

namespace cui::driver {

/// While it lives, a crash begins this program again, with the words it was called with and `--forsake` of
/// the precompiled headers. Not more than one at a time.
class BeginsAgain {
 public:
  explicit BeginsAgain(const std::string& headers);
  ~BeginsAgain();
  BeginsAgain(const BeginsAgain&) = delete;
  BeginsAgain& operator=(const BeginsAgain&) = delete;
};

}  // namespace cui::driver
