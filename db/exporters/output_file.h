// A file that is there whole or not at all.
#pragma once

#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include "db/store/error.h"

namespace cui::db {

class OutputFile {
 public:
  /// Writes into `path` with a suffix until finish(). A link or device that is there (/dev/stdout) is written
  /// directly.
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream() { return stream_; }
  /// Nothing more can be written: there is no use in going on.
  bool failed() const { return !stream_; }
  /// Gives the file its name. An error (io) if something could not be written.
  Error finish();

 private:
  std::string path_, temporary_;
  std::vector<char> buffer_;
  std::ofstream stream_;
  bool finished_ = false;
};

/// Makes the folder if it is not there.
Error makeFolder(const std::string& path);

}  // namespace cui::db
