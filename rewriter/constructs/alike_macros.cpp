#include "constructs/alike_macros.h"

#include <clang/Lex/MacroInfo.h>

#include <algorithm>
#include <optional>

namespace cui::constructs {
namespace {

struct Body {
  FileIndex file = 0;
  std::vector<unsigned> begins, ends;  ///< of its tokens
};

std::optional<Body> bodyOf(const clang::MacroInfo& macro, const Preprocessing& preprocessing,
                           Sources& sources) {
  Body body;
  if (macro.tokens().empty()) return std::nullopt;
  for (const clang::Token& token : macro.tokens()) {
    const auto [id, offset] = preprocessing.manager->getDecomposedLoc(token.getLocation());
    if (!sources.find(id, body.file)) return std::nullopt;
    body.begins.push_back(sources.beginOfToken(body.file, offset));
    body.ends.push_back(sources.endOfToken(body.file, offset, token.getLength()));
  }
  return body;
}

/// Nothing of text that is not in `from`.
std::optional<Span> moved(const Span& span, const Body& from, const Body& to) {
  if (span.file != from.file) return std::nullopt;
  const auto begin = std::lower_bound(from.begins.begin(), from.begins.end(), span.begin);
  const auto end = std::lower_bound(from.ends.begin(), from.ends.end(), span.end);
  if (begin == from.begins.end() || end == from.ends.end() || *begin != span.begin || *end != span.end)
    return std::nullopt;
  return Span{to.file, to.begins[begin - from.begins.begin()], to.ends[end - from.ends.begin()]};
}

void moveAll(std::vector<Span>& spans, const Body& from, const Body& to) {
  for (Span& span : spans) span = moved(span, from, to).value_or(span);
}

bool canBeEdited(const Span& span, const Sources& sources) {
  const SourceFile& file = sources.file(span.file);
  return file.user && file.wanted && sources.whyExcluded(span.file, span.begin, span.end).empty();
}

}  // namespace

void moveToFirst(Resolved& place, const Preprocessing& preprocessing, Sources& sources) {
  const clang::MacroInfo* first = preprocessing.firstAlike(place.macro);
  const auto others = preprocessing.alike.find(first);
  if (!place.macro || others == preprocessing.alike.end()) return;
  const std::optional<Body> from = bodyOf(*place.macro, preprocessing, sources),
                            to = bodyOf(*first, preprocessing, sources);
  const std::optional<Span> there = from && to ? moved(place.span, *from, *to) : std::nullopt;
  bool everywhere = there && canBeEdited(*there, sources);
  if (everywhere)
    for (const Span& other : othersOf(*there, preprocessing, sources))
      everywhere = everywhere && canBeEdited(other, sources);
  if (!everywhere) {
    place.reason = "its macro is defined alike where nothing is edited";
    return;
  }
  place.span = *there;
  place.macro = first;
  moveAll(place.texts, *from, *to);
  moveAll(place.asserts, *from, *to);
}

std::vector<Span> othersOf(const Span& span, const Preprocessing& preprocessing, Sources& sources) {
  std::vector<Span> all;
  for (const auto& [first, others] : preprocessing.alike) {
    FileIndex file = 0;  // asked first: this is done for each edit
    const clang::FileID id = preprocessing.manager->getFileID(first->getDefinitionLoc());
    if (!sources.find(id, file) || file != span.file) continue;
    const std::optional<Body> from = bodyOf(*first, preprocessing, sources);
    if (!from || !moved(span, *from, *from)) continue;
    for (const clang::MacroInfo* other : others) {
      const std::optional<Body> to = bodyOf(*other, preprocessing, sources);
      // A file that is read twice has one text.
      const std::optional<Span> there = to ? moved(span, *from, *to) : std::nullopt;
      if (there && *there != span && std::find(all.begin(), all.end(), *there) == all.end())
        all.push_back(*there);
    }
  }
  return all;
}

}  // namespace cui::constructs
