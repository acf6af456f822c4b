// Sites as a unit's epilogue spells them: text, because compilers read one long literal ten times as fast as
// rows of an array. A row is eleven words with a blank between them,
//
//   id in hexadecimal, file, line, column, end line, end column, kind, space, status, bytes, loop depth
//
// and eight texts: function, expression, base, index, type, macro, template context, reason. The words and
// each text end with a NUL, so that texts are used where they are. `=`, which is none of these in any
// program, is the text of the row before. Whole rows are joined to literals, whose last one is followed by a
// null.
#pragma once

#include "cuinstrument/format/unit.h"

namespace cui {
namespace format {

constexpr char sameText = '=';

// By value of record.h's enumerations.
constexpr const char* kindWords[] = {"load", "store", "rmw", "atomic", "copy"};
constexpr const char* spaceWords[] = {"generic", "global", "shared", "constant", "local", "texture"};
constexpr const char* statusWords[] = {"instrumented", "skipped"};

/// Reads words and texts of one literal; `isGood` until one is not what was asked for.
struct RowReader {
  const char* at;
  bool isGood;

  template <class T>
  void number(T& result, unsigned int base = 10) {
    if (base == 16 && at[0] == '0' && at[1] == 'x') at += 2;  // a table made by hand
    uint64_t value = 0;
    const char* const begin = at;
    for (;; ++at) {
      unsigned int digit = base;
      if (*at >= '0' && *at <= '9') digit = static_cast<unsigned int>(*at - '0');
      if (*at >= 'a' && *at <= 'f') digit = static_cast<unsigned int>(*at - 'a' + 10);
      if (digit >= base) break;
      value = value * base + digit;
    }
    result = static_cast<T>(value);
    endWord(at != begin);
  }

  template <class T, unsigned int Count>
  void word(T& result, const char* const (&words)[Count]) {
    for (unsigned int i = 0; i < Count; ++i) {
      const char* end = at;
      for (const char* letter = words[i]; *letter != '\0' && *letter == *end; ++letter) ++end;
      if (words[i][end - at] != '\0' || (*end != ' ' && *end != '\0')) continue;
      result = static_cast<T>(i);
      at = end;
      return endWord(true);
    }
    endWord(false);
  }

  void text(const char*& result, const char* before) {
    result = at;
    while (*at != '\0') ++at;
    ++at;
    if (result[0] == sameText && result[1] == '\0') result = before;
  }

 private:
  void endWord(bool isWord) {
    isGood = isGood && isWord && (*at == ' ' || *at == '\0');
    if (isGood) ++at;
  }
};

/// Reads the row at `row` and puts it behind it. False, and no texts, if it is not one.
inline bool readSiteRow(const char*& row, const SiteEntry& before, SiteEntry& site) {
  RowReader reader = {row, true};
  reader.number(site.id, 16);
  reader.number(site.file);
  reader.number(site.line);
  reader.number(site.column);
  reader.number(site.endLine);
  reader.number(site.endColumn);
  reader.word(site.kind, kindWords);
  reader.word(site.space, spaceWords);
  reader.word(site.status, statusWords);
  reader.number(site.bytes);
  reader.number(site.loopDepth);
  if (!reader.isGood || reader.at[-1] != '\0') return false;
  reader.text(site.function, before.function);
  reader.text(site.expression, before.expression);
  reader.text(site.base, before.base);
  reader.text(site.index, before.index);
  reader.text(site.type, before.type);
  reader.text(site.macro, before.macro);
  reader.text(site.templateContext, before.templateContext);
  reader.text(site.reason, before.reason);
  row = reader.at;
  return true;
}

/// Fills the unit's array of sites from its rows, if it has any. False if they are not as many as the unit
/// says, or no rows; what is missing is a site of nothing then.
inline bool readSiteRows(const UnitTable& unit) {
  if (unit.siteRows == nullptr) return true;
  const SiteEntry nothing = {0,  0,  0,  0,  0,  0,  Kind::load, Space::generic, Status::skipped, 0, 0, "",
                             "", "", "", "", "", "", ""};
  bool isWhole = true;
  uint32_t count = 0;
  for (const char* const* literal = unit.siteRows; *literal != nullptr; ++literal)
    for (const char* row = *literal; isWhole && *row != '\0'; ++count)
      isWhole = count < unit.siteCount &&
                readSiteRow(row, count == 0 ? nothing : unit.siteSpace[count - 1], unit.siteSpace[count]);
  if (isWhole && count == unit.siteCount) return true;
  for (uint32_t i = isWhole ? count : count - 1; i < unit.siteCount; ++i) unit.siteSpace[i] = nothing;
  return false;
}

}  // namespace format
}  // namespace cui
