// Running cuinstrument-rewrite on one source file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/base/beside.h"
#include "cli/base/installation.h"

namespace cui::cli {

/// Where units have the device's side of recording from.
enum class Recorder {
  chosen,    ///< linked where that can be, and compiled elsewhere, without a word
  linked,    ///< the same, but where it is compiled that is said, and an error with --strict
  compiled,  ///< in each unit
};

/// Options that stand before the compiler's name: `cuinstrument --values nvcc …`, and those of
/// $CUINSTRUMENT_REWRITE_FLAGS, which come first.
struct RewriteFlags {
  std::vector<std::string> forwarded;   ///< for the rewriter, as it takes them
  std::string metadata;                 ///< where the site table goes, too; empty: nowhere
  std::filesystem::path keepRewritten;  ///< where rewritten files stay; empty: a temporary directory
  std::string mode;                     ///< the only CUINSTRUMENT_MODE to compile for; empty: both
  Recorder recorder = Recorder::chosen;
  bool plainCode = true;  ///< objects have code without the recorder, too, where it is linked
  std::string jobs;       ///< how many processes beside each other; empty: not said
  bool strict = false;    ///< what cannot be instrumented is an error
  bool verbose = false;   ///< print the commands that run
};
/// Takes the leading options off `words`; stops at the first word that is none. Throws Error (usage).
RewriteFlags takeRewriteFlags(std::vector<std::string>& words);
/// How many words they are, with their values; options that are not known count, too.
std::size_t countRewriteFlags(const std::vector<std::string>& words);

enum class Backend { cuda, cpu };

/// The rewriter's option that says where the toolkit's headers are kept, parsed; empty if nothing can be
/// kept.
std::vector<std::string> headerCacheFlags();

/// May the output include what -include names, in place of the compiler?
enum class Includes { leave, whereRewritten, always };

struct RewriteJob {
  Backend backend = Backend::cuda;
  std::string input;                       ///< as on the command line
  std::filesystem::path output;            ///< absolute
  std::vector<std::string> compilerFlags;  ///< what decides how the source parses: -I, -D, -std, -arch, …
  std::vector<std::string> left;           ///< `file:line` where functions are to be left alone
  std::vector<std::string> leftLines;      ///< where no more is than what is on the line
  Includes includes = Includes::leave;
};

struct RewriteOutcome {
  bool done = false;
  bool tookIncludes = false;  ///< the output includes what -include names: the compiler must not
  std::string reason;         ///< why not, on one line
  std::string diagnostics;    ///< all the rewriter said
};

/// A source that is being rewritten, beside what is done next.
class Rewriting {
 public:
  Rewriting(const RewriteJob& job, const RewriteFlags& flags, const Installation& installation);
  /// Once. Never throws for a source that cannot be rewritten. The caller decides what becomes of the
  /// diagnostics.
  RewriteOutcome outcome();

 private:
  std::filesystem::path taken_;  ///< is there if the output includes what -include names
  Beside rewriter_;
};

/// One line on stderr: `cuinstrument: warning: …`.
void warn(const std::string& message);

/// Where rewritten files of one command go: a temporary directory, or --keep-rewritten's.
std::filesystem::path rewrittenPath(const std::filesystem::path& directory, const std::string& input,
                                    std::size_t index);

}  // namespace cui::cli
