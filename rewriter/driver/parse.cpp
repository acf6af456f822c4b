#include "driver/parse.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/Version.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "driver/both_sides.h"
#include "driver/clang_line.h"
#include "driver/compile_flags.h"
#include "driver/crash.h"
#include "driver/diagnostics.h"
#include "driver/launch_names.h"
#include "driver/library_files.h"
#include "driver/other_words.h"
#include "driver/parse_action.h"
#include "driver/parsed_files.h"
#include "driver/precompiled.h"
#include "driver/preferred_operators.h"
#include "driver/template_words.h"

namespace cui::driver {
namespace {

/// Whether some of the places are in these files.
template <class PlacesByFile>
bool areIn(const std::vector<std::string>& files, const PlacesByFile& places) {
  return !places.empty() && llvm::any_of(files, [&places](const std::string& path) {
    llvm::sys::fs::UniqueID file;
    return !llvm::sys::fs::getUniqueID(path, file) && places.count(file) > 0;
  });
}

/// Parses, with other words in some places, and some functions for both sides.
class Parser {
 public:
  using Judge = std::function<bool(clang::CompilerInstance&, const Diagnostics&)>;
  /// `precompiled`: with the library's headers from `options.headerCache`, if they can be had.
  Parser(const Options& options, const Toolchain& toolchain, constructs::Preprocessing& preprocessing,
         bool precompiled)
      : options_(options),
        toolchain_(toolchain),
        preprocessing_(preprocessing),
        flags_(readCompileFlags(options.compileFlags)) {
    if (options.backend == Backend::cuda)
      leaveFolders(flags_, {toolchain.cudaPath + "/include", toolchain.cudaPath + "/include/cccl"});
    // The compiler of the CPU backend wants those words, too, and says it best of the source as it is.
    again_ = options.backend == Backend::cuda ? Diagnostics::Again::otherSidesOrWords
                                              : Diagnostics::Again::otherSides;
    // Macros of -imacros stand in front of all headers.
    if (!precompiled || llvm::is_contained(flags_.clang, "-imacros")) return;
    CommandWords folders = flags_.searchedFolders();
    if (options.backend == Backend::cpu) folders.emplace_back(".");  // has what -include names
    headers_.emplace(options.headerCache, macrosOf(options.backend, flags_), std::move(folders));
  }

  /// From now on knows what the errors tell of the program; false if there is nothing new.
  bool learn(const clang::CompilerInstance& compiler, const Diagnostics& diagnostics) {
    const bool own = diagnostics.definesWarpSize() && !std::exchange(wishes_.declaredWarpSize, true);
    // nvcc has such functions before C++20, and so does GCC; another compiler of the CPU backend says that it
    // has not.
    const bool newer = diagnostics.hasAutoParameters() && !std::exchange(hasAutoParameters_, true);
    const bool vectors = diagnostics.wantsIndexVectors() && !std::exchange(wishes_.vectors, true);
    const std::size_t met = missing_.met();
    const bool more = met > std::exchange(met_, met);
    const bool launches =
        addLaunchNames(compiler, diagnostics.unknownNames(), diagnostics.withoutCandidates(), launches_);
    const bool operators =
        operators_.add(compiler.getSourceManager(), compiler.getLangOpts(), diagnostics.preferredOperators());
    return addMissingWords(compiler, diagnostics.complaints(), missing_) || own || newer || vectors || more ||
           launches || operators;
  }

  /// From now on errors are printed, whatever might help. False if they have been.
  bool giveUp() { return std::exchange(again_, Diagnostics::Again::never) != Diagnostics::Again::never; }

  /// Errors are for nvcc to judge, or for the C++ compiler of the CPU backend.
  bool tolerant() const { return !options_.refuseErrors; }

  /// All is to be done again without precompiled headers: the last parse had them and did not come to a tree,
  /// or the next one cannot have them, for they are not there any more, or have what is to be read otherwise.
  /// Clang's places of one parse are those of another only if both, or neither, have them.
  bool wantsHeadersRead() const { return wantsHeadersRead_; }

  /// False if there is no tree, for errors that have been printed, or `judge` does not want it.
  bool run(const OtherWords& words, const NamePlaces& bothSides, const Judge& judge) {
    preprocessing_ = {};
    const LibraryFiles files = libraryFiles(options_.backend, toolchain_, wishes_);
    const PrecompiledFile precompiled = precompiledFile(files);
    if (precompiled.path.empty() ? hadHeaders_
                                 : areIn(precompiled.files, words) || areIn(precompiled.files, bothSides)) {
      wantsHeadersRead_ = true;
      return false;
    }
    hadHeaders_ = !precompiled.path.empty();
    if (!hadHeaders_) headers_.reset();  // nor has another parse them
    std::string printed;
    llvm::raw_string_ostream later(printed);
    // With other words, the errors may be ours: none is printed.
    llvm::raw_ostream& out = hadHeaders_ ? later : static_cast<llvm::raw_ostream&>(llvm::errs());
    Diagnostics diagnostics(out, tolerant() || !words.empty() || !bothSides.empty(), again_);
    bool judged = false, wanted = false;
    const ParsedUnit parsed = [&](clang::CompilerInstance& compiler) {
      preprocessing_.droppedAttributes = diagnostics.droppedAttributes();
      judged = !diagnostics.refused();
      wanted = judged && judge(compiler, diagnostics);
    };
    const ParseInputs inputs{preprocessing_, !words.empty(), bothSides, missing_,         launches_,
                             operators_,     diagnostics,    out,       flags_.folders(), gccVersion()};
    std::optional<BeginsAgain> ifItCrashes;
    if (hadHeaders_) ifItCrashes.emplace(precompiled.path);
    invoke(line(words).with(programFlags(), options_.input), overlay(files, words, preprocessing_.written),
           diagnostics, parseAction(inputs, precompiled.path, parsed));
    wantsHeadersRead_ = hadHeaders_ && !judged;
    if (!wantsHeadersRead_) llvm::errs() << later.str();
    return wanted;
  }

 private:
  ClangLine line(const OtherWords& words) const {
    return ClangLine(options_.backend, toolchain_, flags_, !words.empty(), hasAutoParameters_);
  }
  CommandWords programFlags() const {
    CommandWords result = macrosOfNvcc(options_.backend, flags_);
    result.insert(result.end(), flags_.clang.begin(), flags_.clang.end());
    return result;
  }

  /// What it returns is false also for errors that nvcc accepts.
  static void invoke(const CommandWords& words, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> system,
                     Diagnostics& diagnostics, std::unique_ptr<clang::FrontendAction> action) {
    auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), std::move(system));
    clang::tooling::ToolInvocation invocation(words, std::move(action), files.get());
    invocation.setDiagnosticConsumer(&diagnostics);
    invocation.run();
  }

  /// Of the library's headers as this parse wants them.
  PrecompiledFile precompiledFile(const LibraryFiles& files) const {
    if (!headers_) return {};
    const ClangLine clang = line({});
    std::string parsedAs = clang::getClangFullVersion();
    for (const std::string& word : clang.with({}, "")) parsedAs += '\n' + word;
    for (const auto& [path, text] : files) parsedAs += '\n' + path + '\n' + text;
    for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
      if (const char* value = std::getenv(variable)) parsedAs += '\n' + std::string(value);
    return headers_->find(parsedAs,
                          [&](const std::string& output, const CommandWords& macros, LibraryNames& names) {
                            return precompile(clang.with(macros, libraryFile), files, output, names);
                          });
  }

  bool precompile(const CommandWords& words, const LibraryFiles& files, const std::string& output,
                  LibraryNames& names) const {
    Diagnostics diagnostics(llvm::nulls(), true, Diagnostics::Again::never);
    constructs::Preprocessing preprocessing;
    const NamePlaces bothSides;
    MissingWords missing;
    LaunchNames launches;
    const PreferredOperators operators;
    const ParseInputs inputs{preprocessing, false,       bothSides,     missing, launches,
                             operators,     diagnostics, llvm::nulls(), {},      gccVersion()};
    bool made = false;
    invoke(words, overlay(files, {}, preprocessing.written), diagnostics,
           precompileAction(inputs, output, names, [&](clang::CompilerInstance& compiler) {
             made = !diagnostics.refused() && !compiler.getDiagnostics().hasErrorOccurred();
             names.addFrom(compiler);
           }));
    return made;
  }

  /// The compiler of the CPU backend may be a Clang, and so may nvcc's.
  std::string gccVersion() const {
    return options_.backend == Backend::cpu || flags_.hostIsClang ? "" : toolchain_.gccVersion;
  }
  static llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> overlay(
      const LibraryFiles& files, const OtherWords& words, std::map<const char*, std::string>& written) {
    auto result = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
        parsedFiles(llvm::vfs::getRealFileSystem(), words, written));
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    for (const auto& [path, text] : files)
      memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
    result->pushOverlay(memory);
    return result;
  }

  const Options& options_;
  const Toolchain& toolchain_;
  constructs::Preprocessing& preprocessing_;
  CompileFlags flags_;
  std::optional<Precompiled> headers_;
  IndexWishes wishes_;
  bool hasAutoParameters_ = false;  ///< which are C++20's
  bool hadHeaders_ = false;         ///< precompiled, in the parse before
  bool wantsHeadersRead_ = false;
  MissingWords missing_;
  LaunchNames launches_;
  PreferredOperators operators_;
  std::size_t met_ = 0;  ///< how many places in front of such words the parse before knew
  Diagnostics::Again again_;
};

/// False if there is no tree.
bool parseWith(Parser& parser, const Consume& consume) {
  OtherWords words;
  NamePlaces bothSides;
  std::size_t rejectedFunctions = 0;
  // Where a word stands in a macro, it may belong to other declarations too, which want the original.
  for (bool renaming = true;;) {
    bool again = false;
    const bool done =
        parser.run(words, bothSides, [&](clang::CompilerInstance& compiler, const Diagnostics& diagnostics) {
          const RejectedDeclarations& rejected = diagnostics.rejected();
          const bool wrong = diagnostics.storageClash() || rejected.functions.size() > rejectedFunctions ||
                             (!parser.tolerant() && !diagnostics.errors().empty());
          if (parser.learn(compiler, diagnostics)) {
            again = true;
          } else if (!(words.empty() && bothSides.empty()) && wrong) {
            words.clear();
            bothSides.clear();
            renaming = false;
            again = true;
          } else if (renaming) {
            again = addOtherWords(compiler.getASTContext(), rejected, words);
            again |= addBothSides(compiler.getASTContext(), rejected, bothSides);
            rejectedFunctions = rejected.functions.size();
          }
          if (!again && !parser.tolerant() && !diagnostics.errors().empty()) again = parser.giveUp();
          if (!again) {
            markBothSides(compiler.getASTContext(), bothSides);
            consume(compiler, diagnostics.errors(), diagnostics.complete());
          }
          return !again;
        });
    if (!again || parser.wantsHeadersRead()) return done;
  }
}

}  // namespace

bool parse(const Options& options, const Toolchain& toolchain, constructs::Preprocessing& preprocessing,
           const Consume& consume) {
  for (const bool precompiled : {true, false}) {
    Parser parser(options, toolchain, preprocessing, precompiled);
    const bool done = parseWith(parser, consume);
    if (done || !parser.wantsHeadersRead()) return done;
  }
  return false;
}

}  // namespace cui::driver
