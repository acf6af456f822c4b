#include "constructs/layout.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/CXXInheritance.h>
#include <clang/AST/RecordLayout.h>

#include <llvm/ADT/STLExtras.h>

#include <vector>

#include "constructs/clang_version.h"

namespace cui::constructs {
namespace {

/// Of a pointer, or a reference, whatever it leads to: another one.
clang::QualType sizedType(const clang::FieldDecl& field, const clang::ASTContext& ast) {
  const clang::QualType type = field.getType();
  return type->isDependentType() && (type->isPointerType() || type->isReferenceType()) ? ast.VoidPtrTy : type;
}

/// Whether its size, alignment and width are the same in all instances.
bool isTheSameInAll(const clang::FieldDecl& field, const clang::ASTContext& ast) {
  const clang::QualType type = sizedType(field, ast);
  if (field.isInvalidDecl() || type->isDependentType() || type->isIncompleteType()) return false;
  if (field.isBitField() && field.getBitWidth()->isValueDependent()) return false;
  return llvm::none_of(field.specific_attrs<clang::AlignedAttr>(),
                       [](const clang::AlignedAttr* aligned) { return aligned->isAlignmentDependent(); });
}

bool isKnownBase(const clang::CXXBaseSpecifier& base) {
  const clang::CXXRecordDecl* record = base.getType()->getAsCXXRecordDecl();
  return !base.isVirtual() && !base.getType()->isDependentType() && record && record->hasDefinition() &&
         !record->isInvalidDecl() && !record->isDependentContext();
}

/// Whatever the types are.
bool isAtBegin(const clang::FieldDecl& field, const clang::CXXRecordDecl& pattern) {
  return pattern.hasDefinition() && !pattern.isDynamicClass() && pattern.getNumBases() == 0 &&
         (pattern.isUnion() || *pattern.field_begin() == &field);
}

/// A structure, known to nobody else, that begins as that pattern's instances do, down to `last`; null if
/// they differ. What is behind `last` is left out, but for what decides on the beginning.
const clang::CXXRecordDecl* beginningOf(const clang::CXXRecordDecl& pattern, const clang::FieldDecl* last,
                                        const clang::ASTContext& ast) {
  // A pointer to virtual functions would have to be asked for.
  if (!pattern.hasDefinition() || pattern.isInvalidDecl() || pattern.isDynamicClass()) return nullptr;
  auto* copy =
      clang::CXXRecordDecl::Create(ast, pattern.getTagKind(), ast.getTranslationUnitDecl(), {}, {}, nullptr);
  copy->setImplicit();
  for (clang::Attr* attribute : pattern.attrs())
    if (clang::isa<clang::PackedAttr, clang::MaxFieldAlignmentAttr>(attribute)) copy->addAttr(attribute);
  copy->startDefinition();
  std::vector<const clang::CXXBaseSpecifier*> bases;
  for (const clang::CXXBaseSpecifier& base : pattern.bases()) {
    if (!isKnownBase(base)) return nullptr;
    bases.push_back(&base);
  }
  if (!bases.empty()) copy->setBases(bases.data(), static_cast<unsigned>(bases.size()));
  if (last) {
    for (const clang::FieldDecl* field : pattern.fields()) {
      if (!isTheSameInAll(*field, ast)) return nullptr;
      auto* member = clang::FieldDecl::Create(ast, copy, {}, {}, nullptr, sizedType(*field, ast), nullptr,
                                              field->getBitWidth(), false, clang::ICIS_NoInit);
      for (clang::Attr* attribute : field->attrs()) member->addAttr(attribute);
      member->setAccess(clang::AS_public);
      copy->addDecl(member);
      if (field == last) break;
    }
  }
  copy->completeDefinition();
  return copy;
}

}  // namespace

std::optional<std::uint64_t> placeInStructure(const clang::FieldDecl& field, const clang::ASTContext& ast) {
  const clang::RecordDecl& structure = *field.getParent();
  if (structure.isInvalidDecl()) return std::nullopt;
  if (!structure.isDependentContext())
    return ast.getASTRecordLayout(&structure).getFieldOffset(field.getFieldIndex());
  const auto& pattern = clang::cast<clang::CXXRecordDecl>(structure);
  if (isAtBegin(field, pattern)) return 0;
  const clang::CXXRecordDecl* beginning = beginningOf(pattern, &field, ast);
  if (!beginning) return std::nullopt;
  const clang::ASTRecordLayout& layout = ast.getASTRecordLayout(beginning);
  return layout.getFieldOffset(layout.getFieldCount() - 1);
}

std::optional<std::uint64_t> placeInPattern(const clang::CXXRecordDecl& record,
                                            const clang::CXXRecordDecl& base, const clang::ASTContext& ast) {
  if (record.getCanonicalDecl() == base.getCanonicalDecl()) return 0;
  clang::CXXBasePaths paths;
  if (!record.hasDefinition() || !record.isDerivedFrom(&base, paths)) return std::nullopt;
  std::uint64_t bits = 0;
  for (const clang::CXXBasePathElement& step : paths.front()) {
    const clang::CXXRecordDecl* whole =
        step.Class->isDependentContext() ? beginningOf(*step.Class, nullptr, ast) : step.Class;
    if (!whole || whole->isInvalidDecl() || step.Base->isVirtual()) return std::nullopt;
    bits += ast.toBits(
        ast.getASTRecordLayout(whole).getBaseClassOffset(step.Base->getType()->getAsCXXRecordDecl()));
  }
  return bits;
}

std::string measure(const clang::FieldDecl& field, std::uint64_t bits, const clang::ASTContext& ast,
                    Measures& measures) {
  // A reference is a pointer, there.
  const clang::QualType type = field.getType()->isReferenceType() ? ast.VoidPtrTy : field.getType();
  if (type->isDependentType() || (field.isBitField() && field.getBitWidth()->isValueDependent()))
    return dependsOnArguments;
  if (!field.isBitField()) {
    measures = {static_cast<long>(ast.getTypeSizeInChars(type).getQuantity()), static_cast<long>(bits / 8)};
    return "";
  }
  const auto unit = static_cast<std::uint64_t>(ast.getTypeSize(type));
  const std::uint64_t start = bits / unit * unit, end = bits + compat::bitWidthOf(field);
  if (end <= start + unit)
    measures = {static_cast<long>(unit / 8), static_cast<long>(start / 8)};
  else
    measures = {static_cast<long>((end + 7) / 8 - bits / 8), static_cast<long>(bits / 8)};
  return "";
}

}  // namespace cui::constructs
