#include "cli/base/replaced_text.h"
#include "cli/compile/in_place_kept_lines.h"
#include "cli/compile/in_place_lines.h"
#include "cli/compile/in_place_pair_lines.h"
#include "cli/compile/in_place_text.h"
#include "cli/compile/in_place_words.h"
#include "cuinstrument/format/held_chunk.h"
#include "cuinstrument/format/record.h"

namespace cui::cli {

using namespace in_place;

namespace {

/// What both headers begin with, and how they are counted.
std::string withBoth(std::string_view text, std::string_view shape) {
  std::string words = replaced(wordsOfBoth, "<shape>", shape);
  words = replaced(words, "<2nd shape>", ofSecond(shape));
  return replaced(replaced(text, "<words of both>", words), "<count both>", countBoth);
}

}  // namespace

bool InPlaceText::arePair(const WrittenAccess& first, const WrittenAccess& second) {
  return isOfShared(first) && isOfShared(second) && first.asks.has_value() == second.asks.has_value();
}
std::string InPlaceText::pair(const WrittenAccess& first, const WrittenAccess& second) const {
  const bool asks = first.asks.has_value();
  const Header& header = asks ? asBefore : ofLine;
  const std::string_view question = asks ? isAsBefore : isLine, keep = asks ? shapeAsBefore : "<keep line>\n";
  std::string text = ofAccess(addressOf(first), first) + ofSecond(ofAccess(addressOf(second), second));
  text += replaced(replaced(ofAccess(writePair, first), "<unless whole>", asks ? "" : unlessWhole), "<who>",
                   asks ? "<m>" : "-1");
  text = withBoth(text, header.shape);
  text = replaced(text, "<question>", ofAccess(question, first));
  text = replaced(text, "<2nd question>", replaced(ofSecond(ofAccess(question, second)), "<2nd q1>", "<q1>"));
  text = replaced(replaced(text, "<keep>", ofAccess(keep, first)), "<2nd keep>",
                  ofSecond(ofAccess(keep, second)));
  text =
      replaced(replaced(text, "<high half>", header.highHalf), "<2nd high half>", ofSecond(header.highHalf));
  return filled(text, first, second);
}
std::string InPlaceText::pairOtherwise(const WrittenAccess& first, const WrittenAccess& second) const {
  const bool asks = first.asks.has_value();
  const std::string_view forget = asks ? "" : forgetNext;
  const std::string line = withHeader(writeLine, ofLine), before = withHeader(writeAsBefore, asBefore);
  const auto ofFirst = [&](std::string_view lines) {
    return replaced(ofAccess(lines, first), "<forget next>", forget);
  };
  const auto ofNext = [&](std::string_view lines) {
    return ofSecond(replaced(ofAccess(lines, second), "<forget next>", ""));
  };
  std::string text = withHeader(asks ? writeAsBeforeOneByOne : writeLinesOneByOne, asks ? asBefore : ofLine);
  text = replaced(text, "<keep>", asks ? shapeAsBefore : "<keep line>");
  text = replaced(text, "<2nd room for it>", ofNext(askForRoom));
  text = replaced(text, "<second alone>", ofNext(line));
  text = replaced(text, "<second as before>", ofNext(before));
  text = replaced(ofFirst(text), "<first alone>", ofFirst(line));
  return filled(text + ofFirst(rest()) + ofNext(rest()), first, second);
}

}  // namespace cui::cli
