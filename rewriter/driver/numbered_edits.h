// Edits of the program's files, whose text names rows of the tables: it is spelled once all rows have
// numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "constructs/preprocessing.h"
#include "constructs/sources.h"
#include "driver/emit.h"
#include "edit/edit_plan.h"
#include "edit/forms.h"
#include "sites/table.h"

namespace cui::driver {

class NumberedEdits {
 public:
  NumberedEdits(const constructs::Preprocessing& preprocessing, constructs::Sources& sources,
                constructs::FileIndex mainFile);
  NumberedEdits(const NumberedEdits&) = delete;
  NumberedEdits& operator=(const NumberedEdits&) = delete;

  sites::Table& table() { return result_.table; }
  sites::Place placeOf(const constructs::Span& span);
  void setPlace(sites::Site& site, const constructs::Span& span);
  std::string textOf(const constructs::Span& span);
  std::string lineOf(const constructs::Span& span);
  /// The first and the last one's number.
  std::pair<unsigned, unsigned> linesOf(const constructs::Span& span) const {
    return {sources_.line(span.file, span.begin), sources_.line(span.file, span.end)};
  }

  /// Whether a wrap goes there. Text is only known once everything is numbered, but whether ranges nest must
  /// be known before: so each wrap is tried on a copy first and spelled later, in the same order.
  bool reserve(const constructs::Span& span);
  void wrapLater(const constructs::Span& span, std::function<std::string()> open);
  void insertLater(const constructs::Span& token, int order, std::function<std::string()> text);
  /// The number to print for a row of the tables. Text in the body of a macro that is expanded several times
  /// stands for several rows; there the line decides.
  template <class Handle>
  std::function<std::string()> numberLater(const std::vector<std::pair<constructs::Span, Handle>>& uses) {
    const Handle first = uses.front().second;
    if (uses.size() == 1) return [this, first] { return edit::number(result_.table.number(first)); };
    for (const auto& [use, there] : uses) {
      const auto [begin, end] = linesOf(use);
      result_.table.addLine(first, there, begin, end);
    }
    return [this, first] { return edit::lineNumber(result_.table.lineKey(first)); };
  }

  /// Macros that turn an edited argument into text.
  void keepTexts(const constructs::Resolved& range);
  /// They give the text without the edits.
  void addTexts();
  /// Numbers all rows, and spells all edits. What their text is made of must still be there.
  Emission finish();

 private:
  std::uint32_t fileNumber(constructs::FileIndex index);
  edit::EditPlan& plan(std::map<constructs::FileIndex, edit::EditPlan>& plans, constructs::FileIndex index);
  /// A macro that is defined in several places is edited in all of them.
  std::vector<constructs::Span> everywhere(const constructs::Span& span);

  const constructs::Preprocessing& preprocessing_;
  constructs::Sources& sources_;
  Emission result_;
  std::map<constructs::FileIndex, std::uint32_t> fileNumbers_;
  std::map<constructs::FileIndex, edit::EditPlan> probes_;
  std::vector<std::function<void()>> edits_;
  std::set<constructs::Span> texts_, asserts_;
};

}  // namespace cui::driver
