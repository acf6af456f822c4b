#include "driver/architectures.h"

#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace cui::driver {

using constructs::AccessFound;
using constructs::FileIndex;
using constructs::Resolved;
using constructs::Span;

namespace {

constexpr char inMacro[] = "in a macro's text, for code that only some of the architectures have";
constexpr char elsewhere[] = "partly in text that only some of the architectures have";

const Span& placeOf(const AccessFound& found) {
  const Resolved& range = found.first.range;
  return range.reason.empty() ? range.span : range.use;
}
auto orderOf(const AccessFound& found) {
  return std::tuple(placeOf(found), found.first.layer);
}

}  // namespace

OtherArchitectures::OtherArchitectures(constructs::Preprocessing& preprocessing, constructs::Sources& sources,
                                       clang::SourceManager& manager)
    : preprocessing_(preprocessing), sources_(sources), manager_(manager) {
  for (FileIndex file = 0; file < sources.size(); ++file)
    mayDiffer_ |= sources.file(file).wanted && sources.file(file).text.contains("__CUDA_ARCH__");
  if (!mayDiffer_) return;
  for (const clang::SourceRange& text : preprocessing.skipped) {
    const auto [id, begin] = manager.getDecomposedLoc(text.getBegin());
    FileIndex file = 0;
    if (!sources.find(id, file) || !sources.file(file).wanted) continue;
    files_.emplace(sources.file(file).absolute, file);
    skipped_[file].emplace_back(begin, manager.getFileOffset(text.getEnd()));
  }
}

/// Of a directive in such text: a header that is read nowhere else is such text as a whole. Where a macro
/// names it, it stays unknown here.
void OtherArchitectures::addInclude(const constructs::Include& include, const clang::SourceManager& manager,
                                    constructs::Sources& from) {
  const bool named = include.nameBegin.isInvalid() || include.nameBegin.isFileID();
  Span directive;
  if (!named || include.conditional || !include.file || !include.hash.isFileID() ||
      !from.find(manager.getFileID(include.hash), directive.file))
    return;
  directive.begin = manager.getFileOffset(include.hash);
  directive.end = directive.begin + 1;
  const auto entry = manager_.getFileManager().getOptionalFileRef(include.foundAs);
  if (!entry || !move(directive, from)) return;
  const auto placed = [&](clang::SourceLocation place) {
    const clang::SourceLocation begin = manager_.getLocForStartOfFile(sources_.file(directive.file).id);
    return begin.getLocWithOffset(static_cast<clang::SourceLocation::IntTy>(manager.getFileOffset(place)));
  };
  constructs::Include here = include;
  here.hash = placed(include.hash);
  if (include.nameBegin.isValid()) here.nameBegin = placed(include.nameBegin);
  here.file = &entry->getFileEntry();
  clang::FileID id = manager_.translateFile(*entry);
  const bool isNew = id.isInvalid();
  if (isNew) {
    const clang::SourceLocation begin = manager.getLocForStartOfFile(manager.translateFile(include.file));
    id = manager_.createFileID(*entry, here.hash, manager.getFileCharacteristic(begin));
  }
  FileIndex file = 0;
  if (!sources_.find(id, file) || !sources_.file(file).wanted) return;
  if (isNew) {
    files_.emplace(sources_.file(file).absolute, file);
    skipped_[file].emplace_back(0, static_cast<unsigned>(sources_.file(file).text.size()));
  }
  preprocessing_.includes.push_back(std::move(here));
}

/// To the file as it is known here; false if it is not in such text.
bool OtherArchitectures::move(Span& span, const constructs::Sources& from) const {
  const auto file = files_.find(from.file(span.file).absolute);
  if (file == files_.end()) return false;
  span.file = file->second;
  const auto& texts = skipped_.at(span.file);
  return std::any_of(texts.begin(), texts.end(),
                     [&](const auto& text) { return text.first <= span.begin && span.end <= text.second; });
}

/// Nothing of the other parse is left in it.
bool OtherArchitectures::move(Resolved& range, const constructs::Sources& from) const {
  Resolved moved;
  moved.located = range.located;
  moved.use = range.use;
  moved.outermostMacro = range.outermostMacro;
  if (!range.located || !move(moved.use, from)) return false;
  moved.reason = range.reason;
  moved.span = range.span;
  if (range.macro)
    moved.reason = inMacro;
  else if (moved.reason.empty() && (!range.texts.empty() || !range.asserts.empty()))
    moved.reason = constructs::turnedIntoText;
  if (moved.reason.empty() && !move(moved.span, from)) moved.reason = elsewhere;
  range = std::move(moved);
  return true;
}

void OtherArchitectures::addAccess(AccessFound found, const constructs::Sources& from) {
  const constructs::AccessSeen& first = found.first;
  if (first.form == edit::Form::CUI_ARGUMENT) return;  // macros' texts are not edited for it
  AccessFound here;
  here.first.range = first.range;
  for (const auto& [use, site] : found.uses) {
    Span moved = use.place;
    if (!move(moved, from)) continue;
    // Of a macro's text any of the uses may be here.
    if (here.uses.empty() && first.range.macro) here.first.range.use = use.place;
    here.uses.emplace(constructs::MacroUse{moved, use.argument}, site);
  }
  if (here.uses.empty() || !move(here.first.range, from)) return;
  here.first.form = first.form;
  here.first.layer = first.layer;
  here.first.measures = first.measures;
  here.first.size = first.size;
  here.first.count = first.count;
  here.first.site = first.site;
  here.first.brace = first.brace;
  here.types = found.types;
  std::string& reason = here.first.site.reason;
  if (reason.empty()) reason = here.first.range.reason;
  const bool isStatement = first.layer >= constructs::Layer::initialised;
  if (reason.empty() && isStatement && !move(here.first.brace, from)) reason = elsewhere;
  if (reason.empty() && isStatement) reason = here.first.brace.reason;
  for (auto& [use, site] : here.uses) site.reason = reason;
  accesses_.push_back(std::move(here));
}

/// One that its parse has found to be such an access in all uses of the macro, of which some are in such
/// text: if it can be edited in the macro's text for these, too, giveInMacros() says.
bool OtherArchitectures::addInMacro(const AccessFound& found, const constructs::Preprocessing& preprocessing,
                                    constructs::Sources& from) {
  const constructs::AccessSeen& first = found.first;
  const Resolved& range = first.range;
  if (!range.macro || !first.site.reason.empty() || found.byArgument || !edit::isPlainAccess(first.form) ||
      !range.texts.empty() || !range.asserts.empty() || preprocessing.alike.count(range.macro) > 0)
    return false;
  const Span definition = textOf(*range.macro, from);
  if (definition.end == 0) return false;
  AccessFound here;
  here.first.range.span = {definition.file, range.span.begin, range.span.end};
  ++found_[{here.first.range.span, first.layer}];
  for (const auto& [use, site] : found.uses)
    if (Span moved = use.place; move(moved, from)) here.uses.emplace(constructs::MacroUse{moved, 0}, site);
  if (here.uses.empty()) return true;
  here.first.range.use = here.uses.begin()->first.place;
  here.first.range.located = true;
  here.first.range.outermostMacro = range.outermostMacro;
  here.first.range.macro = range.macro;  // which is not looked at any more
  here.first.form = first.form;
  here.first.layer = first.layer;
  here.first.site = first.site;
  here.types = found.types;
  inMacros_.emplace_back(std::move(here), definition);
  return true;
}

/// Where its definition begins; it ends there, too, if that is not in a file known here.
Span OtherArchitectures::textOf(const clang::MacroInfo& macro, constructs::Sources& from) const {
  const auto [id, begin] = from.manager().getDecomposedLoc(macro.getDefinitionLoc());
  FileIndex there = 0;
  if (!from.find(id, there)) return {};
  for (FileIndex file = 0; file < sources_.size(); ++file)
    if (sources_.file(file).absolute == from.file(there).absolute) return {file, begin, begin + 1};
  return {};
}

/// Whether the macro with that text is used where the last architecture's parse has been.
bool OtherArchitectures::isExpanded(const Span& text) const {
  const clang::SourceLocation begin = manager_.getLocForStartOfFile(sources_.file(text.file).id);
  const clang::MacroInfo* macro =
      preprocessing_.macroAt(begin.getLocWithOffset(static_cast<clang::SourceLocation::IntTy>(text.begin)));
  return macro && preprocessing_.expansions.count(preprocessing_.firstAlike(macro)) > 0;
}

/// Uses of a macro's text that is edited for others join these; of a macro that has no others, they are all.
void OtherArchitectures::giveInMacros(std::vector<AccessFound>& accesses) {
  for (auto& [here, definition] : inMacros_) {
    const std::pair text{here.first.range.span, here.first.layer};
    const auto isHere = [&text](const AccessFound& one) {
      return one.first.range.reason.empty() && std::pair{one.first.range.span, one.first.layer} == text;
    };
    const auto known = std::find_if(accesses.begin(), accesses.end(), isHere);
    const bool none = known == accesses.end();
    if (none && !isExpanded(here.first.range.span) && found_.at(text) == expanded_[definition]) {
      accesses.push_back(std::move(here));
    } else if (!none && known->first.range.macro && known->first.site.reason.empty() && !known->byArgument &&
               known->first.form == here.first.form) {
      known->uses.insert(here.uses.begin(), here.uses.end());
      known->types.insert(here.types.begin(), here.types.end());
    } else {
      here.first.range.reason = here.first.site.reason = inMacro;
      for (auto& [use, site] : here.uses) site.reason = inMacro;
      accesses.push_back(std::move(here));
    }
  }
}

void OtherArchitectures::addVariable(constructs::VariableFound variable, const constructs::Sources& from) {
  if (variable.spelled.macro || variable.name.macro || !move(variable.name, from)) return;
  for (Resolved* part : {&variable.declarator, &variable.semicolon, &variable.spelled})
    if (part->reason.empty() && !move(*part, from)) part->reason = elsewhere;
  std::map<Span, sites::Variable> uses;
  for (auto& [use, one] : variable.uses)
    if (Span moved = use; move(moved, from)) uses.emplace(moved, std::move(one));
  variable.uses = std::move(uses);
  // Nobody knows whether the host's text has it, too, which would have to name it.
  variable.variable.global.clear();
  for (auto& [use, one] : variable.uses) one.global.clear();
  variables_.push_back(std::move(variable));
}

void OtherArchitectures::add(constructs::Findings& findings, const constructs::Preprocessing& preprocessing,
                             constructs::Sources& sources) {
  for (const constructs::Include& include : preprocessing.includes)
    addInclude(include, *preprocessing.manager, sources);
  for (const auto& [macro, expansions] : preprocessing.expansions)
    if (const Span definition = textOf(*macro, sources); definition.end != 0) ++expanded_[definition];
  for (const auto& [span, barrier] : findings.barriers()) {
    constructs::BarrierFound here = barrier;
    if (!move(here.range, sources)) continue;
    if (here.reason.empty()) here.reason = here.range.reason;
    barriers_.push_back(std::move(here));
  }
  for (const auto& [span, variable] : findings.variables()) addVariable(variable, sources);
  for (AccessFound& found : findings.takeAccesses())
    if (!addInMacro(found, preprocessing, sources)) addAccess(std::move(found), sources);
}

void OtherArchitectures::giveTo(constructs::Findings& findings) {
  for (constructs::BarrierFound& barrier : barriers_) findings.add(std::move(barrier));
  for (constructs::VariableFound& variable : variables_) findings.add(std::move(variable));
}

void OtherArchitectures::giveTo(std::vector<AccessFound>& accesses) {
  if (accesses_.empty() && inMacros_.empty()) return;
  giveInMacros(accesses);
  std::move(accesses_.begin(), accesses_.end(), std::back_inserter(accesses));
  const auto isBefore = [](const AccessFound& a, const AccessFound& b) { return orderOf(a) < orderOf(b); };
  // Several skipped ones may be in the text of one macro, which is used there.
  const auto isSame = [](const AccessFound& a, const AccessFound& b) {
    return orderOf(a) == orderOf(b) &&
           (a.first.site.reason.empty() || a.first.site.expression == b.first.site.expression);
  };
  // Which may be text that one of a header's inclusions has and another has not, or several architectures.
  std::stable_sort(accesses.begin(), accesses.end(), isBefore);
  accesses.erase(std::unique(accesses.begin(), accesses.end(), isSame), accesses.end());
}

}  // namespace cui::driver
