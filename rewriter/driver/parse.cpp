#include "driver/parse.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/Support/MemoryBuffer.h>

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <utility>

#include "constructs/clang_version.h"
#include "constructs/of_library.h"
#include "driver/both_sides.h"
#include "driver/compile_flags.h"
#include "driver/concept_sides.h"
#include "driver/constant_members.h"
#include "driver/diagnostics.h"
#include "driver/launch_names.h"
#include "driver/other_words.h"
#include "driver/own_compiler.h"
#include "driver/own_functions.h"
#include "driver/parsed_files.h"
#include "driver/preferred_operators.h"
#include "driver/shift_operators.h"
#include "driver/template_words.h"
#include "driver/toolkit_lists.h"
#include "driver/toolkit_sides.h"
#include "driver/trait_sides.h"

namespace cui::driver {
namespace {

/// Laid over the file system, so that there is no file to lose.
constexpr const char* compatibilityHeader = "/cuinstrument/compatibility.h";
constexpr const char* wordHeader = "/cuinstrument/other_words.h";
constexpr const char* listHeader = "/cuinstrument/launch_list.h";
constexpr const char* toolkitFolder = "/cuinstrument/toolkit";  ///< searched before the toolkit's own
constexpr const char* compatibilityText =
#include "driver/compatibility.inc"
    ;

class Consumer : public clang::SemaConsumer {
 public:
  Consumer(clang::CompilerInstance& compiler, const LaunchNames& launches,
           const PreferredOperators& operators, Diagnostics& diagnostics,
           const std::function<void(clang::CompilerInstance&)>& consume)
      : compiler_(compiler),
        launches_(launches),
        operators_(operators),
        diagnostics_(diagnostics),
        consume_(consume) {}

  void InitializeSema(clang::Sema& sema) override {
    sema_ = &sema;
    askOutsideFunctions(sema);
    findTemplatesElsewhere(sema, launches_);
    diagnostics_.listenTo(sema);
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    for (clang::Decl* declared : declarations) {
      if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declared)) askOnBothSides(*space);
      joinSides(*sema_, *declared);
      forgetRawAssignment(*sema_, *declared);
    }
    return true;
  }
  /// Of a method in its class, whose tokens have been shown when they were not yet understood.
  void HandleInlineFunctionDefinition(clang::FunctionDecl*) override { diagnostics_.forgiveNoLiterals(); }
  void HandleTagDeclDefinition(clang::TagDecl* defined) override {
    if (const auto* record = llvm::dyn_cast<clang::RecordDecl>(defined)) askOnBothSides(*record);
  }
  void HandleTranslationUnit(clang::ASTContext&) override { consume_(compiler_); }
  /// Library code is never edited: its bodies need no parsing. Asked when a body begins.
  bool shouldSkipFunctionBody(clang::Decl* decl) override {
    deferHostCalls(*decl);
    forgiveSecondBody(*decl);
    operators_.declare(*decl);
    const clang::SourceManager& manager = compiler_.getSourceManager();
    return constructs::isOfLibrary(*decl, manager);
  }

 private:
  /// What a function for both sides calls of the host's, nvcc only warns of. To Clang it is an error, at once
  /// where other units could call the function, and then the tree lacks the call; of an inline one it says so
  /// when all is parsed.
  static void deferHostCalls(clang::Decl& decl) {
    auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl);
    if (function && !function->isInlined() && !function->isDependentContext() &&
        function->hasAttr<clang::CUDAHostAttr>() && function->hasAttr<clang::CUDADeviceAttr>())
      function->setImplicitlyInline();
  }

  clang::CompilerInstance& compiler_;
  const LaunchNames& launches_;
  const PreferredOperators& operators_;
  Diagnostics& diagnostics_;
  clang::Sema* sema_ = nullptr;
  const std::function<void(clang::CompilerInstance&)>& consume_;
};

class Action : public clang::ASTFrontendAction {
 public:
  Action(constructs::Preprocessing& preprocessing, bool otherWords, const NamePlaces& bothSides,
         MissingWords& missing, LaunchNames& launches, const PreferredOperators& operators,
         Diagnostics& diagnostics, std::vector<std::string> folders, std::string gccVersion,
         const std::function<void(clang::CompilerInstance&)>& consume)
      : preprocessing_(preprocessing),
        otherWords_(otherWords),
        bothSides_(bothSides),
        missing_(missing),
        launches_(launches),
        operators_(operators),
        diagnostics_(diagnostics),
        folders_(std::move(folders)),
        gccVersion_(std::move(gccVersion)),
        consume_(consume) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    compiler.getLangOpts().GPUAllowDeviceInit = otherWords_;
    // A launch in a default argument is outside any function, and to Clang on both sides: it refuses that
    // where the device cannot launch. nvcc is the one to say whether it can.
    compiler.getLangOpts().GPURelocatableDeviceCode = true;
    // Of what that means only this matters: `p > 0` of a pointer is no error, as with nvcc.
    compiler.getLangOpts().DebuggerSupport = true;
    compiler.getPreprocessor().addPPCallbacks(constructs::recordPreprocessing(
        compiler.getSourceManager(), compiler.getLangOpts(), folders_, preprocessing_));
    if (!gccVersion_.empty())
      compiler.getPreprocessor().addPPCallbacks(hideClang(compiler.getPreprocessor(), gccVersion_));
    compiler.getPreprocessor().setTokenWatcher(
        [sides = BothSidesWatcher(compiler, bothSides_), words = TemplateWords(compiler, missing_),
         shifts = ShiftOperators(compiler), constants = ConstantMembers(compiler, missing_.objects),
         launches = LaunchNameWatcher(compiler, launches_),
         &diagnostics = diagnostics_](const clang::Token& token) mutable {
          diagnostics.forgiveNoLiterals();
          shifts(token);
          sides(token);
          words(token);
          launches(token);  // the last ones: they may make another token of it
          constants(token);
        });
    return std::make_unique<Consumer>(compiler, launches_, operators_, diagnostics_, consume_);
  }

 private:
  constructs::Preprocessing& preprocessing_;
  bool otherWords_;
  const NamePlaces& bothSides_;
  MissingWords& missing_;
  LaunchNames& launches_;
  const PreferredOperators& operators_;
  Diagnostics& diagnostics_;
  std::vector<std::string> folders_;
  std::string gccVersion_;  ///< which the program is told it is read by; "": it may know
  const std::function<void(clang::CompilerInstance&)>& consume_;
};

std::vector<std::string> commandLine(const Options& options, const Toolchain& toolchain, bool otherWords,
                                     bool autoParameters) {
  const CompileFlags flags = readCompileFlags(options.compileFlags);
  std::vector<std::string> line{
      "clang++", "-fsyntax-only", "-x", "cuda", "--cuda-device-only", "-resource-dir", toolchain.resourceDir,
      "--cuda-gpu-arch=" + flags.architecture, "-nocudalib",
      // Warnings are for the compiler that builds the result. What nvcc accepts
      // with a warning must not be an error here, and "-w" leaves those that are errors unless told
      // otherwise.
      "-w", "-Wno-everything",
      // nvcc knows `typeof`, whatever the standard.
      "-fgnu-keywords",
      // Left out by the driver with -nocudalib; decides how launches are configured. A version that every
      // Clang knows, because to one that is older than the toolkit a launch would be an error.
      "-Xclang", "-target-sdk-version=12.0", "-ferror-limit=0", "-I", toolchain.devlib};
  if (!flags.hasStandard) line.push_back("-std=c++17");
  if (flags.relaxedConstexpr) line.push_back("-D__CUDACC_RELAXED_CONSTEXPR__=1");
  if (options.backend == Backend::cuda) {
    line.push_back("--cuda-path=" + toolchain.cudaPath);
    line.insert(line.end(), {"-isystem", toolkitFolder});
    // Where nvcc also looks: libcu++, Thrust and CUB since CUDA 13.
    line.insert(line.end(), {"-isystem", toolchain.cudaPath + "/include/cccl"});
    for (const std::string& macro : flags.nvccMacros) line.push_back("-D" + macro);
    line.push_back("-DCUI_COMPATIBILITY_MAJOR=" + toolchain.cudaVersionMajor);
    line.push_back("-DCUI_COMPATIBILITY_MINOR=" + toolchain.cudaVersionMinor);
    line.insert(line.end(), {"-include", compatibilityHeader});
  } else {
    line.insert(line.end(), {"-nocudainc", "-isystem", toolchain.devlib + "/cuinstrument/backend/cpu/toolkit",
                             "-isystem", toolkitFolder, "-include", "cuda_runtime.h"});
  }
  line.insert(line.end(), {"-include", listHeader});
  if (otherWords) line.insert(line.end(), {"-include", wordHeader});
  line.insert(line.end(), flags.clang.begin(), flags.clang.end());
  if (autoParameters) line.push_back("-std=c++20");
  // For omp.h.
  if (!toolchain.gccHeaders.empty()) line.insert(line.end(), {"-idirafter", toolchain.gccHeaders});
  line.push_back(options.input);
  return line;
}

/// What Clang's wrapper finds as "cuda.h", which nvcc includes only if asked: it brings <stdint.h>, whose
/// names some programs declare otherwise, and a user's header of that name is not it. The wrapper needs two
/// things of it.
std::string driverHeader(const Toolchain& toolchain) {
  return "#ifdef CUI_COMPATIBILITY_WRAPPED\n"
         "#include \"" +
         toolchain.cudaPath +
         "/include/cuda.h\"\n"
         "#else\n"
         "#define CUDA_VERSION (CUI_COMPATIBILITY_MAJOR * 1000 + CUI_COMPATIBILITY_MINOR * 10)\n"
         "typedef __UINT32_TYPE__ cuuint32_t;\n"
         "#endif\n";
}

/// GCC's own defines it for C++, too, whatever the standard; Clang's does where it is a GNU one.
constexpr const char* booleanHeader =
    "#include_next <stdbool.h>\n"
    "#undef _Bool\n"
    "#define _Bool bool\n";

/// The toolkit's headers of random numbers that have macros with names of programs'. Clang's wrapper includes
/// one, nvcc only who asks: behind the wrapper these names are what the command line says of them, and here
/// the headers' own again, which included once more say nothing themselves.
constexpr const char* mtgpHeaderNames[] = {"curand_kernel.h", "curand_mtgp32.h", "curand_mtgp32_host.h",
                                           "curand_mtgp32_kernel.h"};
/// `vectors`: the wrapper's macros that make `dim3` and `uint3` there what `blockDim` and `threadIdx` are of
/// are wrong.
std::string mtgpHeader(const std::string& name, bool vectors) {
  const std::string header = "#include_next <" + name + ">\n";
  std::string setAside, broughtBack;
  std::vector<const char*> macros = {"MEXP", "THREAD_NUM", "LARGE_SIZE", "TBL_SIZE", "QUALIFIERS"};
  if (vectors) macros.insert(macros.end(), {"dim3", "uint3"});
  for (const char* macro : macros) {
    setAside.append("#pragma push_macro(\"").append(macro).append("\")\n#undef ").append(macro).append("\n");
    broughtBack.append("#pragma pop_macro(\"").append(macro).append("\")\n");
  }
  return "#ifdef CUI_COMPATIBILITY_WRAPPED\n"
         "#define MEXP 11213\n"
         "#define THREAD_NUM MTGPDC_FLOOR_2P\n"
         "#define LARGE_SIZE (THREAD_NUM * 3)\n"
         "#define TBL_SIZE 16\n" +
         header + "#else\n" + setAside + header + broughtBack + "#endif\n";
}

void replaceAll(std::string& text, const std::string& old, const std::string& now) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += now.size())
    text.replace(at, old.size(), now);
}

/// Those that ask for <memory.h>, where a folder of the program's may have another: nvcc does not read them
/// unasked. What they want of it is the system's <string.h>.
constexpr const char* memoryUserNames[] = {"curand_mtgp32_host.h", "curand_mtgp32_kernel.h"};
std::string withoutMemoryHeader(const std::string& path) {
  const auto file = llvm::MemoryBuffer::getFile(path);
  std::string text = file ? (*file)->getBuffer().str() : "";
  replaceAll(text, "#include <memory.h>", "#include <string.h>");
  return text;
}

/// Clang's header of `threadIdx` and its kin, whose copies it forbids and nvcc does not; "" if it has none.
/// `declared`: `warpSize` has no value there, as with nvcc, for the program gives it one. `vectors`: they are
/// of nvcc's types, as the program's templates and operators want them. Else they keep Clang's, of which the
/// constructs know each coordinate.
std::string indexHeader(const std::string& path, bool declared, bool vectors) {
  const auto file = llvm::MemoryBuffer::getFile(path);
  std::string text = file ? (*file)->getBuffer().str() : "";
  replaceAll(text, "=delete", "");
  replaceAll(text, "private:", "public:");
  if (declared) replaceAll(text, "const int warpSize = 32", "extern const int warpSize");
  if (vectors)
    for (const char* name : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
      const std::string type = llvm::StringRef(name).ends_with("Idx") ? "uint3 " : "dim3 ";
      replaceAll(text, std::string("__CUDA_BUILTIN_VAR __cuda_builtin_") + name + "_t ",
                 "struct " + type + ";\n__CUDA_BUILTIN_VAR struct " + type);
    }
  return text;
}

/// Parses, with other words in some places, and some functions for both sides.
class Parser {
 public:
  using Judge = std::function<bool(clang::CompilerInstance&, const Diagnostics&)>;

  Parser(const Options& options, const Toolchain& toolchain, constructs::Preprocessing& preprocessing)
      : options_(options), toolchain_(toolchain), preprocessing_(preprocessing) {
    // The compiler of the CPU backend wants those words, too, and says it best of the source as it is.
    again_ = options.backend == Backend::cuda ? Diagnostics::Again::otherSidesOrWords
                                              : Diagnostics::Again::otherSides;
  }

  /// From now on knows what the errors tell of the program; false if there is nothing new.
  bool learn(const clang::CompilerInstance& compiler, const Diagnostics& diagnostics) {
    const bool own = diagnostics.definesWarpSize() && !std::exchange(warpSizeDeclared_, true);
    // nvcc has such functions before C++20, and so does GCC; another compiler of the CPU backend says that it
    // has not.
    const bool newer = diagnostics.hasAutoParameters() && !std::exchange(hasAutoParameters_, true);
    const bool vectors = diagnostics.wantsIndexVectors() && !std::exchange(hasIndexVectors_, true);
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

  /// Errors are for nvcc to judge.
  bool tolerant() const { return options_.backend == Backend::cuda && !options_.refuseErrors; }

  /// False if there is no tree, for errors that have been printed, or `judge` does not want it.
  bool run(const OtherWords& words, const NamePlaces& bothSides, const Judge& judge) {
    preprocessing_ = {};
    auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay(words));
    // With other words, the errors may be ours: none is printed.
    Diagnostics diagnostics(llvm::errs(), tolerant() || !words.empty() || !bothSides.empty(), again_);
    bool wanted = false;
    const std::function<void(clang::CompilerInstance&)> consume = [&](clang::CompilerInstance& compiler) {
      preprocessing_.droppedAttributes = diagnostics.droppedAttributes();
      wanted = !diagnostics.refused() && judge(compiler, diagnostics);
    };
    clang::tooling::ToolInvocation invocation(
        commandLine(options_, toolchain_, !words.empty(), hasAutoParameters_),
        std::make_unique<Action>(preprocessing_, !words.empty(), bothSides, missing_, launches_, operators_,
                                 diagnostics, readCompileFlags(options_.compileFlags).folders(), gccVersion(),
                                 consume),
        files.get());
    invocation.setDiagnosticConsumer(&diagnostics);
    invocation.run();  // false also for errors that nvcc accepts
    return wanted;
  }

 private:
  /// The compiler of the CPU backend may be a Clang, and so may nvcc's.
  std::string gccVersion() const {
    if (options_.backend == Backend::cpu || readCompileFlags(options_.compileFlags).hostIsClang) return "";
    return toolchain_.gccVersion;
  }
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> overlay(const OtherWords& words) const {
    auto result = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
        parsedFiles(llvm::vfs::getRealFileSystem(), words, preprocessing_.written));
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    memory->addFile(compatibilityHeader, 0, llvm::MemoryBuffer::getMemBuffer(compatibilityText));
    memory->addFile(wordHeader, 0, llvm::MemoryBuffer::getMemBuffer(otherWordsHeader));
    memory->addFile(listHeader, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(
                        llvm::Twine(launchListHeader).concat(constantMemberHeader).str()));
    if (options_.backend == Backend::cuda) {
      memory->addFile(toolchain_.resourceDir + "/include/cuda.h", 0,
                      llvm::MemoryBuffer::getMemBufferCopy(driverHeader(toolchain_)));
      for (const char* name : mtgpHeaderNames)
        memory->addFile(llvm::Twine(toolkitFolder) + "/" + name, 0,
                        llvm::MemoryBuffer::getMemBufferCopy(mtgpHeader(name, hasIndexVectors_)));
      for (const char* name : memoryUserNames) {
        const std::string path = toolchain_.cudaPath + "/include/" + name;
        if (const std::string text = withoutMemoryHeader(path); !text.empty())
          memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
      }
    }
    memory->addFile(llvm::Twine(toolkitFolder) + "/stdbool.h", 0,
                    llvm::MemoryBuffer::getMemBuffer(booleanHeader));
    const std::string indices = toolchain_.resourceDir + "/include/__clang_cuda_builtin_vars.h";
    if (const std::string text = indexHeader(indices, warpSizeDeclared_, hasIndexVectors_); !text.empty())
      memory->addFile(indices, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
    if (const llvm::StringRef text = compat::textureHeaderText; !text.empty())
      memory->addFile(llvm::Twine(toolkitFolder) + "/" + compat::textureHeaderName, 0,
                      llvm::MemoryBuffer::getMemBuffer(text));
    result->pushOverlay(memory);
    return result;
  }

  const Options& options_;
  const Toolchain& toolchain_;
  constructs::Preprocessing& preprocessing_;
  bool warpSizeDeclared_ = false;
  bool hasAutoParameters_ = false;  ///< which are C++20's
  bool hasIndexVectors_ = false;    ///< `threadIdx` and its kin are of nvcc's types
  MissingWords missing_;
  LaunchNames launches_;
  PreferredOperators operators_;
  std::size_t met_ = 0;  ///< how many places in front of such words the parse before knew
  Diagnostics::Again again_;
};

}  // namespace

bool parse(const Options& options, const Toolchain& toolchain, constructs::Preprocessing& preprocessing,
           const Consume& consume) {
  Parser parser(options, toolchain, preprocessing);
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
            consume(compiler, diagnostics.errors());
          }
          return !again;
        });
    if (!again) return done;
  }
}

}  // namespace cui::driver
