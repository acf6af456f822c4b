#include "driver/parse_action.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/SemaConsumer.h>

#include <utility>
#include <vector>

#include "constructs/of_library.h"
#include "driver/both_sides.h"
#include "driver/concept_sides.h"
#include "driver/constant_members.h"
#include "driver/own_compiler.h"
#include "driver/own_functions.h"
#include "driver/shift_operators.h"
#include "driver/toolkit_lists.h"
#include "driver/toolkit_sides.h"
#include "driver/trait_sides.h"

namespace cui::driver {
namespace {

class Consumer : public clang::SemaConsumer {
 public:
  Consumer(clang::CompilerInstance& compiler, const ParseInputs& inputs, ParsedUnit parsed)
      : compiler_(compiler),
        launches_(inputs.launches),
        operators_(inputs.operators),
        diagnostics_(inputs.diagnostics),
        parsed_(std::move(parsed)) {}

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
  void HandleTranslationUnit(clang::ASTContext& ast) override {
    leaveKept(ast);
    parsed_(compiler_);
  }
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

  /// What a precompiled header declares is read when it is asked for. Visitors ask for none of it: it is the
  /// library's.
  static void leaveKept(clang::ASTContext& ast) {
    if (!ast.getExternalSource()) return;
    std::vector<clang::Decl*> own;
    for (clang::Decl* declared : ast.getTranslationUnitDecl()->noload_decls())
      if (!declared->isFromASTFile()) own.push_back(declared);
    ast.setTraversalScope(own);
  }

  clang::CompilerInstance& compiler_;
  const LaunchNames& launches_;
  const PreferredOperators& operators_;
  Diagnostics& diagnostics_;
  clang::Sema* sema_ = nullptr;
  ParsedUnit parsed_;
};

void prepare(clang::CompilerInstance& compiler, const ParseInputs& inputs) {
  compiler.getFrontendOpts().SkipFunctionBodies = true;
  compiler.getLangOpts().GPUAllowDeviceInit = inputs.otherWords;
  // A launch in a default argument is outside any function, and to Clang on both sides: it refuses that
  // where the device cannot launch. nvcc is the one to say whether it can.
  compiler.getLangOpts().GPURelocatableDeviceCode = true;
  // Of what that means only this matters: `p > 0` of a pointer is no error, as with nvcc.
  compiler.getLangOpts().DebuggerSupport = true;
  compiler.getPreprocessor().addPPCallbacks(
      constructs::recordPreprocessing(compiler.getPreprocessor(), inputs.folders, inputs.preprocessing));
  if (!inputs.gccVersion.empty())
    compiler.getPreprocessor().addPPCallbacks(hideClang(compiler.getPreprocessor(), inputs.gccVersion));
  compiler.getPreprocessor().setTokenWatcher(
      [sides = BothSidesWatcher(compiler, inputs.bothSides), words = TemplateWords(compiler, inputs.missing),
       shifts = ShiftOperators(compiler), constants = ConstantMembers(compiler, inputs.missing.objects),
       launches = LaunchNameWatcher(compiler, inputs.launches),
       builtins = OwnBuiltins(compiler.getSourceManager()),
       &diagnostics = inputs.diagnostics](const clang::Token& token) mutable {
        diagnostics.forgiveNoLiterals();
        shifts(token);
        sides(token);
        words(token);
        builtins(token);
        launches(token);  // the last ones: they may make another token of it
        constants(token);
      });
}

class Parse : public clang::ASTFrontendAction {
 public:
  Parse(const ParseInputs& inputs, std::string precompiled, ParsedUnit parsed)
      : inputs_(inputs), precompiled_(std::move(precompiled)), parsed_(std::move(parsed)) {}

 protected:
  /// What the command line includes and the file has, Clang leaves out, and macros that the file does not
  /// know it adds. That nothing else differs precompiled.h sees to, so that Clang need not.
  bool BeginInvocation(clang::CompilerInstance& compiler) override {
    compiler.setVerboseOutputStream(inputs_.out);
    if (precompiled_.empty()) return true;
    compiler.getPreprocessorOpts().ImplicitPCHInclude = precompiled_;
    compiler.getPreprocessorOpts().DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH;
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    prepare(compiler, inputs_);
    return std::make_unique<Consumer>(compiler, inputs_, parsed_);
  }

 private:
  ParseInputs inputs_;
  std::string precompiled_;
  ParsedUnit parsed_;
};

class Precompile : public clang::GeneratePCHAction {
 public:
  Precompile(const ParseInputs& inputs, std::string output, LibraryNames& names, ParsedUnit parsed)
      : inputs_(inputs), output_(std::move(output)), names_(names), parsed_(std::move(parsed)) {}

 protected:
  bool BeginInvocation(clang::CompilerInstance& compiler) override {
    compiler.setVerboseOutputStream(inputs_.out);
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef input) override {
    prepare(compiler, inputs_);
    compiler.getPreprocessor().addPPCallbacks(recordHeaders(names_));
    compiler.getFrontendOpts().OutputFile = output_;
    // Else each parse does.
    compiler.getLangOpts().PCHInstantiateTemplates = true;
    std::vector<std::unique_ptr<clang::ASTConsumer>> both;
    both.push_back(std::make_unique<Consumer>(compiler, inputs_, parsed_));
    both.push_back(GeneratePCHAction::CreateASTConsumer(compiler, input));
    if (!both.back()) return nullptr;
    return std::make_unique<clang::MultiplexConsumer>(std::move(both));
  }

 private:
  ParseInputs inputs_;
  std::string output_;
  LibraryNames& names_;
  ParsedUnit parsed_;
};

}  // namespace

std::unique_ptr<clang::FrontendAction> parseAction(const ParseInputs& inputs, std::string precompiled,
                                                   ParsedUnit parsed) {
  return std::make_unique<Parse>(inputs, std::move(precompiled), std::move(parsed));
}

std::unique_ptr<clang::FrontendAction> precompileAction(const ParseInputs& inputs, std::string output,
                                                        LibraryNames& names, ParsedUnit parsed) {
  return std::make_unique<Precompile>(inputs, std::move(output), names, std::move(parsed));
}

}  // namespace cui::driver
