// Library calls that access memory in ways of their own (calls.def): block copies, asynchronous or not, and
// wmma tiles, textures and surfaces, recorded by wrapping the function's name; what else there is is only
// said.
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <unordered_map>

#include "constructs/access.h"
#include "constructs/catalogue.h"
#include "constructs/describe.h"
#include "constructs/storage.h"

namespace cui::constructs {
namespace {

using edit::Form;
using sites::Kind;

enum class Family { copy, spacedCopy, tile, texture, skipped };

struct LibraryRow {
  Family family;
  Kind kind;
  const char* reason;
};

const LibraryRow* find(const std::string& name) {
  static const std::unordered_map<std::string, LibraryRow> all{
#define CUI_COPY_FUNCTION(name) {#name, {Family::copy, Kind::copy, ""}},
#define CUI_SPACED_COPY_FUNCTION(name) {#name, {Family::spacedCopy, Kind::copy, ""}},
#define CUI_TILE_FUNCTION(name, kind) {#name, {Family::tile, Kind::kind, ""}},
#define CUI_TEXTURE_FUNCTION(name, kind) {#name, {Family::texture, Kind::kind, ""}},
#define CUI_SKIPPED_FUNCTION(name, kind, reason) {#name, {Family::skipped, Kind::kind, reason}},
#include "constructs/calls.def"
  };
  const auto row = all.find(name);
  return row == all.end() ? nullptr : &row->second;
}

bool isPointer(const clang::Expr& argument) {
  const clang::QualType type = argument.IgnoreImpCasts()->getType();
  return type->isPointerType() || type->isArrayType();
}

/// One side of a call: what the wrap of the function's name records.
struct Side {
  Kind kind;
  const clang::Expr* pointer;
  Form form;
  Layer layer;
  Measures measures;
  std::uint32_t bytes;
  std::string reason;
};

/// The parts of fragment<Use, m, n, k, T, Layout>.
struct Fragment {
  std::string use, element, layout;
  long m = 0, n = 0, k = 0;
};

constexpr std::uint32_t packedRowBytes = 16;  ///< 128 elements of a bit, 32 of four

bool read(const clang::Expr& argument, Fragment& fragment) {
  const auto* record = clang::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      argument.getType()->getAsCXXRecordDecl());
  if (!record || record->getName() != "fragment" || record->getTemplateArgs().size() < 6) return false;
  const clang::TemplateArgumentList& arguments = record->getTemplateArgs();
  const auto nameOf = [&](unsigned i) {
    const auto* type = arguments[i].getKind() == clang::TemplateArgument::Type
                           ? arguments[i].getAsType()->getAsCXXRecordDecl()
                           : nullptr;
    return type ? type->getNameAsString() : std::string();
  };
  long* const extents[] = {&fragment.m, &fragment.n, &fragment.k};
  for (unsigned i = 0; i < 3; ++i) {
    if (arguments[i + 1].getKind() != clang::TemplateArgument::Integral) return false;
    *extents[i] = static_cast<long>(arguments[i + 1].getAsIntegral().getExtValue());
  }
  fragment.use = nameOf(0);
  fragment.element = nameOf(4);
  fragment.layout = nameOf(5);
  return true;
}

class LibraryCall : public Construct {
  void onDeviceExpression(const clang::Expr& expr, Scope& scope) const override {
    const auto* call = clang::dyn_cast<clang::CallExpr>(&expr);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || !callee->getDeclName().isIdentifier() || clang::isa<clang::CXXMethodDecl>(callee)) return;
    const LibraryRow* row = find(callee->getName().str());
    if (!row || hasUserBody(*callee, scope.ast.getSourceManager())) return;
    switch (row->family) {
      case Family::copy:
        return reportCopy(*call, scope);
      case Family::spacedCopy:
        return reportSpacedCopy(*call, scope);
      case Family::tile:
        return reportTile(*call, row->kind, scope);
      case Family::texture:
        return reportTexture(*call, row->kind, scope);
      case Family::skipped:
        return report(*call, {row->kind, nullptr, Form::CUI_COPY_TO, Layer::copyTarget, {}, 0, row->reason},
                      scope);
    }
  }

  static void reportCopy(const clang::CallExpr& call, Scope& scope) {
    const unsigned count = call.getNumArgs();
    if (count < 3) return;
    const bool group = !isPointer(*call.getArg(0));
    const unsigned first = group ? 1 : 0;
    if (count < first + 3 || (group && !isPointer(*call.getArg(1)))) {
      const char* reason = "its operands are no plain pointers";
      return report(call, {Kind::copy, nullptr, Form::CUI_COPY_TO, Layer::copyTarget, {}, 0, reason}, scope);
    }
    if (group && !isPointer(*call.getArg(2))) {  // to, its elements, from, its elements
      if (count != 5 || !isPointer(*call.getArg(3))) return;
      return reportSides(call, {call.getArg(1), call.getArg(3), nullptr}, Form::CUI_ELEMENTS_COPY_TO,
                         Form::CUI_ELEMENTS_COPY_FROM, scope);
    }
    const clang::Expr* zeros = count == 4 && !group ? call.getArg(3) : nullptr;
    if (zeros && zeros->getType()->isIntegerType() && !clang::isa<clang::CXXDefaultArgExpr>(zeros))
      return reportSides(call, {call.getArg(0), call.getArg(1), call.getArg(2), zeros}, Form::CUI_COPY_TO,
                         Form::CUI_FILLED_COPY_FROM, scope);
    reportSides(call, {call.getArg(first), call.getArg(first + 1), call.getArg(first + 2)},
                group ? Form::CUI_GROUP_COPY_TO : Form::CUI_COPY_TO,
                group ? Form::CUI_GROUP_COPY_FROM : Form::CUI_COPY_FROM, scope);
  }

  /// cuda::ptx's bulk copies, asynchronous ones by one thread.
  static void reportSpacedCopy(const clang::CallExpr& call, Scope& scope) {
    if (call.getNumArgs() < 5) return;
    const auto space = [&](unsigned i) {
      // What the parameter is called: all of these are integral constants.
      const auto* tag = call.getDirectCallee()->getParamDecl(i)->getType()->getAs<clang::TypedefType>();
      return tag ? tag->getDecl()->getName() : llvm::StringRef();
    };
    const bool remote = space(0) == "space_cluster_t" && space(1) == "space_shared_t";
    if (remote || call.getNumArgs() > 6) {
      const char* reason = remote ? "to the shared memory of another block"
                                  : "to the shared memory of several blocks, or of some bytes only";
      return report(call, {Kind::copy, nullptr, Form::CUI_COPY_TO, Layer::copyTarget, {}, 0, reason}, scope);
    }
    reportSides(call, {call.getArg(2), call.getArg(3), call.getArg(4)}, Form::CUI_SPACED_COPY_TO,
                Form::CUI_SPACED_COPY_FROM, scope);
  }

  struct Block {
    const clang::Expr *to, *from, *bytes;  ///< the last may be null: not known
    const clang::Expr* zeros = nullptr;  ///< how many of the bytes are not read but zeros; may be null: none
  };
  static void reportSides(const clang::CallExpr& call, const Block& block, Form to, Form from, Scope& scope) {
    const std::uint32_t size = known(block.bytes, scope);
    report(call, {Kind::store, block.to, to, Layer::copyTarget, {}, size, ""}, scope);
    if (!isPointer(*block.from)) return;  // memset's value
    report(call, {Kind::load, block.from, from, Layer::copySource, {}, block.zeros ? 0 : size, ""}, scope);
  }

  /// A number that is a constant; 0 where it is none.
  static std::uint32_t known(const clang::Expr* number, const Scope& scope) {
    clang::Expr::EvalResult value;
    if (!number || number->isValueDependent() || !number->getType()->isIntegerType() ||
        !number->EvaluateAsInt(value, scope.ast))
      return 0;
    return static_cast<std::uint32_t>(value.Val.getInt().getZExtValue());
  }

  static void reportTile(const clang::CallExpr& call, Kind kind, Scope& scope) {
    if (call.getNumArgs() < 3) return;
    const bool load = kind == Kind::load;
    Side side{kind,
              call.getArg(load ? 1 : 0),
              load ? Form::CUI_TILE_LOAD : Form::CUI_TILE_STORE,
              Layer::tile,
              {},
              0,
              ""};
    Fragment fragment;
    const clang::QualType element = side.pointer->getType()->getPointeeType();
    if (!read(*call.getArg(load ? 0 : 1), fragment) || element.isNull()) {
      side.reason = "a tile that is not understood";
    } else if (fragment.element == "b1" || fragment.element == "u4" || fragment.element == "s4") {
      side.form = Form::CUI_ANY_TILE_LOAD;  // which knows elements that share a byte
      side.bytes = packedRowBytes;
    } else if (element->isVoidType()) {
      side.reason = "a tile that is not understood";
    } else if (fragment.use == "accumulator") {
      side.measures = {fragment.m, fragment.n};
      if (fragment.m == fragment.n)
        side.bytes =
            static_cast<std::uint32_t>(sizeOf(element, scope.ast)) * static_cast<std::uint32_t>(fragment.n);
    } else {
      const bool a = fragment.use == "matrix_a";
      const long rows = a ? fragment.m : fragment.k, columns = a ? fragment.k : fragment.n;
      side.measures = fragment.layout == "row_major" ? Measures{rows, columns} : Measures{columns, rows};
      side.bytes = static_cast<std::uint32_t>(sizeOf(element, scope.ast)) *
                   static_cast<std::uint32_t>(side.measures.second);
    }
    report(call, side, scope);
  }

  /// The object is the base and the coordinates are the index. A call gives its result back, or has a pointer
  /// to it (or the value to be written) as its first argument.
  static void reportTexture(const clang::CallExpr& call, Kind kind, Scope& scope) {
    const unsigned object = call.getType()->isVoidType() ? 1 : 0;
    if (call.getNumArgs() <= object + 1) return;
    clang::QualType texel = object == 0          ? fetchedType(call)
                            : kind == Kind::load ? call.getArg(0)->getType()->getPointeeType()
                                                 : call.getArg(0)->getType();
    if (!texel.isNull() && texel->isVoidType()) texel = {};
    if (object == 1 && kind == Kind::load && !texel.isNull())
      reportResult(call, *call.getArg(0), texel, scope);
    AccessSeen access = accessOfLibrary(call, nullptr, texel, scope);
    access.range = nameOf(call, scope);
    access.site.base = textOf(*call.getArg(object), scope.ast, scope.ranges);
    for (unsigned i = object + 1; i < call.getNumArgs(); ++i) {
      const clang::Expr& coordinate = *call.getArg(i);
      if (clang::isa<clang::CXXDefaultArgExpr>(coordinate)) break;
      access.site.index += (i == object + 1 ? "" : ", ") + textOf(coordinate, scope.ast, scope.ranges);
    }
    if (!texel.isNull()) access.site.bytes = static_cast<std::uint32_t>(sizeOf(texel, scope.ast));
    access.site.kind = kind;
    access.site.space = sites::Space::texture;
    if (!scope.settings.cpu)
      access.site.reason = "a texture: a GPU does not tell its addresses (the CPU backend records it)";
    access.form = Form::CUI_TEXTURE;
    access.layer = Layer::texture;
    scope.findings.add(std::move(access));
  }

  /// What is fetched goes where the pointer leads, which a GPU tells, too.
  static void reportResult(const clang::CallExpr& call, const clang::Expr& pointer, clang::QualType texel,
                           Scope& scope) {
    const Storage storage = storageOfPointer(pointer);
    if (storage.where != Storage::Where::memory) return;
    AccessSeen access = accessThrough(pointer, texel, call, scope);
    access.site.kind = Kind::store;
    access.site.space = storage.space;
    scope.findings.add(std::move(access));
  }

  /// `float` of `tex2D<float>(…)`: the call's own type would be the library's `T`.
  static clang::QualType fetchedType(const clang::CallExpr& call) {
    const auto* name = clang::dyn_cast<clang::DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts());
    if (!name || name->getNumTemplateArgs() == 0) return call.getType();
    const clang::TemplateArgument& written = name->getTemplateArgs()[0].getArgument();
    return written.getKind() == clang::TemplateArgument::Type ? written.getAsType() : call.getType();
  }

  /// The wrap goes around the function's name.
  static Resolved nameOf(const clang::CallExpr& call, const Scope& scope) {
    return scope.ranges.resolve(call.getCallee()->IgnoreParenImpCasts()->getSourceRange());
  }

  static void report(const clang::CallExpr& call, const Side& side, Scope& scope) {
    if (side.pointer && storageOfPointer(*side.pointer).where != Storage::Where::memory) return;
    clang::QualType element;
    if (side.pointer) {
      const clang::QualType type = side.pointer->IgnoreImpCasts()->getType();
      element = type->isArrayType() ? scope.ast.getBaseElementType(type) : type->getPointeeType();
    }
    AccessSeen access = accessOfLibrary(call, side.pointer, element, scope);
    access.range = nameOf(call, scope);
    access.site.kind = side.kind;
    access.site.bytes = side.bytes;
    access.site.reason = side.reason;
    access.form = side.form;
    access.layer = side.layer;
    access.measures = side.measures;
    scope.findings.add(std::move(access));
  }
};

}  // namespace

std::unique_ptr<Construct> makeLibraryCall() {
  return std::make_unique<LibraryCall>();
}

}  // namespace cui::constructs
