// The exact spelling of everything the rewriter inserts, in one place: constructs ask for it here and
// never write a CUI_ name themselves, so that strip() can rely on it. Rows: forms.def.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cui::edit {

enum class Shape {
  numbered,
  measured,
  counted,
  together,
  shaped,
  keyed,
  located,
  plain,
  spaced,
  statement,
  prefix,
  marker
};

enum class Form {
#define CUI_FORM(name, shape) name,
#include "forms.def"
};

std::string_view name(Form form);
Shape shape(Form form);
/// CUI_TEXT also knows it by what it expands to.
bool isKnownExpanded(Form form);
/// Of an object; it says nothing but which site that is.
bool isPlainAccess(Form form);
/// `step, k`
std::string list(const std::vector<std::string>& parts, std::string_view between = ", ");
/// The form of that name; false if there is none.
bool findForm(std::string_view name, Form& form);

/// `7`, and what stands for a number that the line of a macro's expansion decides: `CUI_LINE(7)`.
std::string number(unsigned number);
std::string lineNumber(unsigned key);

/// `CUI_ACCESS(7, `: what goes before the wrapped text of a numbered form; ")" closes every wrap.
std::string open(Form form, unsigned number);
std::string open(Form form, std::string_view number);
/// `CUI_FIELD(7, 4, 0, `, `CUI_ASSEMBLY_TIMES(7, 4, 0, (n), `: of a measured or counted form, and of numbered
/// ones, without what these do not have. `count` has no newline. `firstText`, if any, stands for `first`.
std::string open(Form form, unsigned number, long first, long second, std::string_view count,
                 std::string_view firstText);
/// `CUI_CLASS(T)part`: a member's name in such a `count`, with its class.
std::string nameInClass(std::string_view type, std::string_view name);
/// `CUI_TOGETHER((7, a[i], 8, b[i]), `: what goes before the text that holds these parts, which have no
/// newline.
std::string open(Form form, const std::vector<std::pair<unsigned, std::string>>& parts);
/// `CUI_ALIKE((step), (7, a[step], 8, b[step]), `: of a shaped form, and what it has more.
std::string open(Form form, std::string_view more,
                 const std::vector<std::pair<unsigned, std::string>>& parts);
/// `CUI_ALIKE_ACCESS(7, (step), `: of a keyed one.
std::string open(Form form, unsigned number, const std::vector<std::string>& keys);
/// `2, (const decltype(i) i = …), (i < n)`
std::string rowShape(unsigned corners, const std::vector<std::string>& declarations, std::string_view guard);
/// `CUI_BY_ROW((2, (const decltype(i) i = …), (i < n)), (7, a[i], 8, b[i]), `: of one that all threads of a
/// row of the grid come to; or, each time round a loop,
/// `CUI_BY_ROW_IN_LOOP(((step), (const decltype(i) i = …)), (7, a[i], 8, b[i]), `.
std::string openByRow(unsigned corners, const std::vector<std::string>& declarations, std::string_view guard,
                      const std::vector<std::pair<unsigned, std::string>>& parts);
std::string openByRow(const std::vector<std::string>& keys, const std::vector<std::string>& declarations,
                      const std::vector<std::pair<unsigned, std::string>>& parts);
/// ` CUI_LOOP(7, 2, (int, k, 0, <, n, + 1), (int at = k * w;), (7, a[k], 8, b[at]), for (…) …)`
/// With more in parentheses ` CUI_ALIKE_LOOP(7, (step), 2, …)`; without the copy ` CUI_PART_OF_LOOP(7, 1,
/// (int, k, 0, <, n, + 1), (), (7, a[k]))`.
std::string loop(Form form, unsigned number, const std::optional<std::string>& more, std::string_view head,
                 std::string_view locals, const std::vector<std::pair<unsigned, std::string>>& parts,
                 std::string_view copy);
/// `CUI_GRID(`: what goes before the wrapped text of a plain or spaced form.
std::string open(Form form);
/// `CUI_INCLUDE("/folder/name.h", `: what goes before the wrapped name of a header, whose path has no quote
/// and no backslash.
std::string openInclude(std::string_view path);
/// ` CUI_KERNEL(0);`
std::string statement(Form form, unsigned number);
std::string statement(Form form, std::string_view number);
/// ` CUI_SHARED(2, tile);`
std::string statement(Form form, unsigned number, std::string_view argument);
std::string statement(Form form, std::string_view number, std::string_view argument);
/// ` CUI_INITIALISED_FIELD(5, 4, 0);`
std::string statement(Form form, unsigned number, long first, long second);
/// ` CUI_DYNAMIC_SHARED`
std::string marker(Form form);

inline constexpr std::string_view close = ")";

/// What goes after the opening quote (or `<`) of an #include: `folder//`. strip() takes an include name
/// that starts with '/' back to what follows its first "//"; a user's own name of that kind is protected
/// by an empty folder (`//` + name). "//" names the same file as "/" and never occurs in a resolved path.
std::string includePrefix(std::string_view absoluteFolder);
/// True for the user's own include names that need includePrefix("") if they get no other prefix.
bool needsEmptyPrefix(std::string_view includeName);

/// First line of a mirrored header.
std::string mirrorPreamble(std::string_view pathAsUserSeesIt);

/// Text + frame. The preamble goes first, but behind a byte order mark; the epilogue on lines of its own.
std::string frame(std::string_view body, std::string_view preamble, std::string_view epilogue);

/// A C++ string literal, quotes included, that no standard's trigraphs or adjacent text can change.
std::string literal(std::string_view text);

/// First line of every main file's preamble and of its epilogue, newlines included.
inline constexpr std::string_view preambleStart = "#include \"cuinstrument/instrument.h\"\n";
inline constexpr std::string_view epilogueStart = "/* cuinstrument: tables, format 1 */\n";
inline constexpr std::string_view mirrorEnd = " /* cuinstrument: mirrored, format 1 */\n";

}  // namespace cui::edit
