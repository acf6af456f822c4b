#include "driver/numbered_edits.h"

#include <llvm/ADT/STLExtras.h>

#include "constructs/alike_macros.h"
#include "driver/runs.h"

namespace cui::driver {

using constructs::FileIndex;
using constructs::Resolved;
using constructs::Span;
using edit::Form;

NumberedEdits::NumberedEdits(const constructs::Preprocessing& preprocessing, constructs::Sources& sources,
                             FileIndex mainFile)
    : preprocessing_(preprocessing), sources_(sources) {
  fileNumber(mainFile);
  result_.table.setRewriterVersion(CUI_VERSION);
}

std::uint32_t NumberedEdits::fileNumber(FileIndex index) {
  // Asked for with each place: hashing a long header each time took longer than everything else.
  const auto known = fileNumbers_.find(index);
  if (known != fileNumbers_.end()) return known->second;
  const constructs::SourceFile& file = sources_.file(index);
  return fileNumbers_[index] =
             result_.table.addFile({file.path, file.absolute,
                                    sites::textHash(std::string_view(file.text.data(), file.text.size()))});
}

sites::Place NumberedEdits::placeOf(const Span& span) {
  return {fileNumber(span.file), span.begin, sources_.line(span.file, span.begin),
          sources_.column(span.file, span.begin)};
}

void NumberedEdits::setPlace(sites::Site& site, const Span& span) {
  site.place = placeOf(span);
  site.endLine = sources_.line(span.file, span.end);
  site.endColumn = sources_.column(span.file, span.end);
}

std::string NumberedEdits::textOf(const Span& span) {
  return sources_.file(span.file).text.substr(span.begin, span.end - span.begin).str();
}

std::string NumberedEdits::lineOf(const Span& span) {
  return driver::lineOf(span, sources_);
}

edit::EditPlan& NumberedEdits::plan(std::map<FileIndex, edit::EditPlan>& plans, FileIndex index) {
  // Asked for with each edit: the text is copied for the first only.
  const auto known = plans.find(index);
  if (known != plans.end()) return known->second;
  return plans.try_emplace(index, sources_.file(index).text.str()).first->second;
}

bool NumberedEdits::reserve(const Span& span) {
  return llvm::all_of(everywhere(span), [this](const Span& one) {
    return plan(probes_, one.file).wrap(one.begin, one.end, "", "");
  });
}
void NumberedEdits::wrapLater(const Span& span, std::function<std::string()> open) {
  edits_.push_back([this, all = everywhere(span), open = std::move(open)] {
    for (const Span& one : all)
      plan(result_.plans, one.file).wrap(one.begin, one.end, open(), std::string(edit::close));
  });
}
void NumberedEdits::insertLater(const Span& token, int order, std::function<std::string()> text) {
  edits_.push_back([this, all = everywhere(token), order, text = std::move(text)] {
    for (const Span& one : all) plan(result_.plans, one.file).insert(one.end, text(), order);
  });
}
std::vector<Span> NumberedEdits::everywhere(const Span& span) {
  std::vector<Span> all = constructs::othersOf(span, preprocessing_, sources_);
  all.insert(all.begin(), span);
  return all;
}

void NumberedEdits::keepTexts(const Resolved& range) {
  texts_.insert(range.texts.begin(), range.texts.end());
  asserts_.insert(range.asserts.begin(), range.asserts.end());
}

void NumberedEdits::addTexts() {
  for (const Span& text : texts_)
    if (reserve(text)) wrapLater(text, [] { return edit::open(Form::CUI_TEXT); });
  for (const Span& assertion : asserts_)
    if (reserve(assertion)) wrapLater(assertion, [] { return edit::open(Form::CUI_ASSERT); });
}

Emission NumberedEdits::finish() {
  result_.table.finalize();
  for (auto& spell : edits_) spell();
  for (auto place = result_.plans.begin(); place != result_.plans.end();)
    place = place->second.empty() ? result_.plans.erase(place) : std::next(place);
  return std::move(result_);
}

}  // namespace cui::driver
