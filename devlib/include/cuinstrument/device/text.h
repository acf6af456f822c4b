// CUI_TEXT(#x): the text of a macro's argument as the user wrote it, without the forms in it, or what they
// have expanded to where another macro handed the argument on. CUI_ASSERT(assert)(x): <assert.h>'s, with that
// text in its message.
#pragma once

#include <cstddef>

#include "cuinstrument/format/record.h"

namespace cui {

using CuiChars = const char*;

/// The text without forms, made at compile time. What a form looks like: rewriter/edit/forms.def; what those
/// of an access expand to: access.h and field.h.
template <std::size_t N>
struct CuiText {
  char cuiText[N];

  CUI_FORMAT_HD constexpr CuiText(const char (&source)[N]) : cuiText{} {
    bool ours[maxDepth] = {};  // open parentheses; true: a form's, so that its partner goes too
    std::size_t depth = 0, size = 0;
    for (std::size_t i = 0; i < N && source[i] != 0;) {
      const char c = source[i];
      if (c == '"' || c == '\'') {
        const std::size_t end = endOfQuoted(source, i);
        while (i < end) cuiText[size++] = source[i++];
        continue;
      }
      const std::size_t expanded = endOfExpanded(source, i);
      if (expanded > 0 && source[expanded] == '(' && depth + 1 < maxDepth) {
        ours[depth++] = true;  // the call's, and that of its last argument
        ours[depth++] = true;
        i = expanded + 1;
        continue;
      }
      if (expanded > 0 && endOfThis(source, expanded) > 0) {
        i = endOfThis(source, expanded);
        continue;
      }
      if (startsName(source, i)) {
        const std::size_t end = endOfName(source, i);
        const std::size_t after = depth < maxDepth ? endOfOpening(source, i, end) : 0;
        if (after == 0) {
          while (i < end) cuiText[size++] = source[i++];
          continue;
        }
        if (is(source, i, end, "CUI_LAUNCH_OPEN") && size > 0 && cuiText[size - 1] == ' ') --size;
        ours[depth++] = true;
        i = after;
        continue;
      }
      if (c == '(' && depth < maxDepth) ours[depth++] = false;
      const bool drop = c == ')' && depth > 0 && ours[--depth];
      if (!drop) cuiText[size++] = c;
      ++i;
    }
    cuiText[size] = 0;
  }

 private:
  static constexpr std::size_t maxDepth = 64;

  CUI_FORMAT_HD static constexpr bool inName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  CUI_FORMAT_HD static constexpr bool startsName(const char (&source)[N], std::size_t i) {
    return inName(source[i]) && (i == 0 || !inName(source[i - 1]));
  }
  CUI_FORMAT_HD static constexpr std::size_t endOfName(const char (&source)[N], std::size_t i) {
    while (inName(source[i])) ++i;
    return i;
  }
  CUI_FORMAT_HD static constexpr std::size_t endOfQuoted(const char (&source)[N], std::size_t i) {
    const char quote = source[i++];
    while (source[i] != 0 && source[i] != quote) i += source[i] == '\\' && source[i + 1] != 0 ? 2 : 1;
    return source[i] != 0 ? i + 1 : i;
  }
  template <std::size_t M>
  CUI_FORMAT_HD static constexpr bool is(const char (&source)[N], std::size_t i, std::size_t end,
                                         const char (&name)[M]) {
    if (end - i != M - 1) return false;
    for (std::size_t k = 0; k < M - 1; ++k)
      if (source[i + k] != name[k]) return false;
    return true;
  }
  /// Past the bracket that closes the one at source[i]; 0 if there is none.
  CUI_FORMAT_HD static constexpr std::size_t endOfNested(const char (&source)[N], std::size_t i) {
    const bool angled = source[i] == '<';
    int open = 0;
    while (source[i] != 0) {
      const char c = source[i];
      if (c == '"' || c == '\'') {
        i = endOfQuoted(source, i);
        continue;
      }
      ++i;
      if (c == '(' || (angled && c == '<')) ++open;
      if ((c == ')' || (angled && c == '>')) && --open == 0) return i;
    }
    return 0;
  }
  /// Of `::cui::cuiAccess(::cui::unitState, 7, (a[i]))`, `::cui::cuiArgument<7>((a[i]))`, where its last
  /// argument begins; 0 if it is no such call.
  CUI_FORMAT_HD static constexpr std::size_t endOfExpanded(const char (&source)[N], std::size_t i) {
    constexpr char space[] = "::cui::";
    for (std::size_t k = 0; k < sizeof(space) - 1; ++k)
      if (source[i + k] != space[k]) return 0;
    const std::size_t name = i + sizeof(space) - 1, end = endOfName(source, name);
    // `cuiBaseField<::Base>(…`
    const std::size_t call = source[end] == '<' ? endOfNested(source, end) : end;
    const bool argument = is(source, name, end, "cuiArgument");
    const bool known = argument || is(source, name, end, "cuiAccess") || is(source, name, end, "cuiLoad") ||
                       is(source, name, end, "cuiStore") || is(source, name, end, "cuiPointer") ||
                       is(source, name, end, "cuiField") || is(source, name, end, "cuiArrowField") ||
                       is(source, name, end, "cuiBaseField") || is(source, name, end, "cuiArrowBaseField");
    if (!known || call == 0 || source[call] != '(') return 0;
    std::size_t last = argument ? call + 1 : 0;
    int open = 0;
    for (std::size_t at = call; source[at] != 0;) {
      const char c = source[at];
      if (c == '"' || c == '\'') {
        at = endOfQuoted(source, at);
        continue;
      }
      if (c == '(') ++open;
      if (c == ')' && --open == 0) return last;
      if (c == ',' && open == 1) last = at + 2;
      ++at;
    }
    return 0;
  }
  /// Past `this)->`, of a member named without its object; 0 if it is not there.
  CUI_FORMAT_HD static constexpr std::size_t endOfThis(const char (&source)[N], std::size_t i) {
    constexpr char text[] = "this)->";
    for (std::size_t k = 0; k < sizeof(text) - 1; ++k)
      if (source[i + k] != text[k]) return 0;
    return i + sizeof(text) - 1;
  }
  /// Past `7, ` or `CUI_LINE(7), `, and past `-8, `; 0 if it is not there.
  CUI_FORMAT_HD static constexpr std::size_t endOfNumber(const char (&source)[N], std::size_t i) {
    const bool line = is(source, i, endOfName(source, i), "CUI_LINE") && source[i + 8] == '(';
    if (line) i += 9;
    if (source[i] == '-') ++i;
    const std::size_t digits = i;
    while (source[i] >= '0' && source[i] <= '9') ++i;
    if (i == digits) return 0;
    if (line && source[i++] != ')') return 0;
    return source[i] == ',' && source[i + 1] == ' ' ? i + 2 : 0;
  }
  /// Past what a form named by [i, end) puts before the user's text; 0 if it is no form.
  CUI_FORMAT_HD static constexpr std::size_t endOfOpening(const char (&source)[N], std::size_t i,
                                                          std::size_t end) {
    if (end - i < 5 || source[i] != 'C' || source[i + 1] != 'U' || source[i + 2] != 'I' ||
        source[i + 3] != '_' || source[end] != '(')
      return 0;
    const std::size_t name = i + (is(source, i, i + 10, "CUI_MACRO_") ? 10 : 4);
    const bool plain = is(source, name, end, "LAUNCH_OPEN") || is(source, name, end, "LAUNCH_CLOSE") ||
                       is(source, name, end, "GRID") || is(source, name, end, "BLOCK") ||
                       is(source, name, end, "SHARED_BYTES") || is(source, name, end, "STREAM") ||
                       is(source, name, end, "CONFIGURATION") || is(source, name, end, "NULL") ||
                       is(source, name, end, "BY_REFERENCE") || is(source, name, end, "TEXT") ||
                       is(source, name, end, "ASSERT");
    const bool counted = is(source, name, end, "BASE_FIELD") || is(source, name, end, "ARROW_BASE_FIELD") ||
                         is(source, name, end, "THIS_BASE_FIELD");
    const bool measured = counted || is(source, name, end, "FIELD") || is(source, name, end, "ARROW_FIELD") ||
                          is(source, name, end, "THIS_FIELD") || is(source, name, end, "BESIDE_THIS") ||
                          is(source, name, end, "ASSEMBLY") || is(source, name, end, "ASSEMBLY_SHARED") ||
                          is(source, name, end, "ASSEMBLY_ROWS") ||
                          is(source, name, end, "ASSEMBLY_ROWS_SHARED") ||
                          is(source, name, end, "TILE_LOAD") || is(source, name, end, "TILE_STORE");
    const bool copied = counted || is(source, name, end, "PACKED") || is(source, name, end, "CONVERTED") ||
                        is(source, name, end, "LIST");
    std::size_t at = end + 1;
    for (int numbers = plain ? 0 : measured ? 3 : 1; numbers > 0; --numbers) {
      at = endOfNumber(source, at);
      if (at == 0) return 0;
    }
    if (copied) {
      at = source[at] == '(' ? endOfNested(source, at) : 0;
      if (at == 0 || source[at] != ',' || source[at + 1] != ' ') return 0;
      at += 2;
    }
    return at;
  }
};

}  // namespace cui

// A literal where a constant is wanted: there nothing is printed.
#define CUI_TEXT(...)                                                            \
  (__builtin_is_constant_evaluated() ? (__VA_ARGS__) : []() -> ::cui::CuiChars { \
    static constexpr ::cui::CuiText<sizeof(__VA_ARGS__)> cuiHeld(__VA_ARGS__);   \
    return cuiHeld.cuiText;                                                      \
  }())

// In glibc's words; only where its assert checks anything, so that __ASSERT_FUNCTION is defined.
#define CUI_ASSERT(name) CUI_CHECK_ASSERTION
#define CUI_CHECK_ASSERTION(...)  \
  (static_cast<bool>(__VA_ARGS__) \
       ? (void)(0)                \
       : __assert_fail(CUI_TEXT(#__VA_ARGS__), __FILE__, __LINE__, __ASSERT_FUNCTION))
