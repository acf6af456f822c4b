#include "edit/forms.h"

#include <array>

namespace cui::edit {
namespace {

struct Row {
  std::string_view name;
  Shape shape;
};
constexpr std::array rows = {
#define CUI_FORM(name, shape) Row{#name, Shape::shape},
#include "forms.def"
};

/// `7, a[i], 8, b[i]`
std::string list(const std::vector<std::pair<unsigned, std::string>>& parts) {
  std::string result;
  for (const auto& [number, text] : parts)
    result += (result.empty() ? "" : ", ") + std::to_string(number) + ", " + text;
  return result;
}

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

}  // namespace

std::string_view name(Form form) {
  return rows[static_cast<std::size_t>(form)].name;
}
Shape shape(Form form) {
  return rows[static_cast<std::size_t>(form)].shape;
}

bool findForm(std::string_view name, Form& form) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == name) {
      form = static_cast<Form>(i);
      return true;
    }
  }
  return false;
}

bool isPlainAccess(Form form) {
  return form == Form::CUI_ACCESS || form == Form::CUI_LOAD || form == Form::CUI_STORE ||
         form == Form::CUI_ADDRESSED;
}

bool isKnownExpanded(edit::Form form) {
  switch (form) {
    case Form::CUI_ACCESS:
    case Form::CUI_ADDRESSED:
    case Form::CUI_PUNNED:
    case Form::CUI_LOAD:
    case Form::CUI_STORE:
    case Form::CUI_POINTER:
    case Form::CUI_FIELD:
    case Form::CUI_ARROW_FIELD:
    case Form::CUI_THIS_FIELD:
    case Form::CUI_BESIDE_THIS:
    case Form::CUI_BASE_FIELD:
    case Form::CUI_ARROW_BASE_FIELD:
    case Form::CUI_THIS_BASE_FIELD:
      return true;
    default:
      return false;
  }
}

std::string list(const std::vector<std::string>& parts, std::string_view between) {
  std::string result;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) result += between;
    result += part;
  }
  return result;
}

std::string number(unsigned number) {
  return std::to_string(number);
}
std::string lineNumber(unsigned key) {
  return "CUI_LINE(" + std::to_string(key) + ")";
}

std::string open(Form form, std::string_view number) {
  return std::string(name(form)) + "(" + std::string(number) + ", ";
}
std::string open(Form form, unsigned number) {
  return open(form, std::to_string(number));
}
std::string open(Form form, unsigned number, long first, long second, std::string_view count,
                 std::string_view firstText) {
  std::string text = open(form, number);
  if (shape(form) == Shape::measured || shape(form) == Shape::counted)
    text += (firstText.empty() ? std::to_string(first) : "(" + std::string(firstText) + ")") + ", " +
            std::to_string(second) + ", ";
  if (shape(form) == Shape::counted) text += "(" + std::string(count) + "), ";
  return text;
}
std::string nameInClass(std::string_view type, std::string_view name) {
  return "CUI_CLASS(" + std::string(type) + ")" + std::string(name);
}
std::string open(Form form, const std::vector<std::pair<unsigned, std::string>>& parts) {
  return open(form, "(" + list(parts) + ")");
}
std::string open(Form form, std::string_view more,
                 const std::vector<std::pair<unsigned, std::string>>& parts) {
  return std::string(name(form)) + "((" + std::string(more) + "), (" + list(parts) + "), ";
}
std::string open(Form form, unsigned number, const std::vector<std::string>& keys) {
  return open(form, number) + "(" + list(keys) + "), ";
}
std::string rowShape(unsigned corners, const std::vector<std::string>& declarations, std::string_view guard) {
  return std::to_string(corners) + ", (" + list(declarations, "; ") + "), (" + std::string(guard) + ")";
}
std::string openByRow(unsigned corners, const std::vector<std::string>& declarations, std::string_view guard,
                      const std::vector<std::pair<unsigned, std::string>>& parts) {
  return open(Form::CUI_BY_ROW, rowShape(corners, declarations, guard), parts);
}
std::string openByRow(const std::vector<std::string>& keys, const std::vector<std::string>& declarations,
                      const std::vector<std::pair<unsigned, std::string>>& parts) {
  return open(Form::CUI_BY_ROW_IN_LOOP, "(" + list(keys) + "), (" + list(declarations, "; ") + ")", parts);
}

std::string loop(Form form, unsigned number, const std::optional<std::string>& more, std::string_view head,
                 std::string_view locals, const std::vector<std::pair<unsigned, std::string>>& parts,
                 std::string_view copy) {
  return " " + open(form, number) + (more ? "(" + *more + "), " : "") + std::to_string(parts.size()) + ", (" +
         std::string(head) + "), (" + std::string(locals) + "), (" + list(parts) +
         (copy.empty() ? ")" : "), " + std::string(copy)) + ")";
}
std::string openInclude(std::string_view path) {
  return open(Form::CUI_INCLUDE, '"' + std::string(path) + '"');
}
std::string open(Form form) {
  return (shape(form) == Shape::spaced ? " " : "") + std::string(name(form)) + "(";
}
std::string statement(Form form, std::string_view number) {
  return " " + std::string(name(form)) + "(" + std::string(number) + ");";
}
std::string statement(Form form, unsigned number) {
  return statement(form, std::to_string(number));
}
std::string statement(Form form, std::string_view number, std::string_view argument) {
  return " " + open(form, number) + std::string(argument) + ");";
}
std::string statement(Form form, unsigned number, std::string_view argument) {
  return statement(form, std::to_string(number), argument);
}
std::string statement(Form form, unsigned number, long first, long second) {
  return statement(form, number, std::to_string(first) + ", " + std::to_string(second));
}
std::string marker(Form form) {
  return " " + std::string(name(form));
}

std::string includePrefix(std::string_view absoluteFolder) {
  return std::string(absoluteFolder) + "//";
}

bool needsEmptyPrefix(std::string_view includeName) {
  return includeName.starts_with('/') && includeName.find("//") != std::string_view::npos;
}

std::string mirrorPreamble(std::string_view pathAsUserSeesIt) {
  return "#line 1 " + literal(pathAsUserSeesIt) + std::string(mirrorEnd);
}

std::string frame(std::string_view body, std::string_view preamble, std::string_view epilogue) {
  std::string result;
  result.reserve(body.size() + preamble.size() + epilogue.size() + 1);
  if (body.starts_with(byteOrderMark)) {
    result += byteOrderMark;
    body.remove_prefix(byteOrderMark.size());
  }
  result += preamble;
  result += body;
  if (!epilogue.empty()) {
    result += '\n';
    result += epilogue;
  }
  return result;
}

std::string literal(std::string_view text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      // '?' only ever matters in "??x" (trigraphs until C++17).
      if (c != '?' || result.ends_with('?')) result += '\\';
      result += c;
    } else if (c == '\0' && (i + 1 == text.size() || text[i + 1] < '0' || text[i + 1] > '7')) {
      result += "\\0";
    } else if (byte < 0x20 || byte == 0x7f) {
      // Three octal digits: an escape that the next character cannot extend.
      result += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                 static_cast<char>('0' + byte % 8)};
    } else {
      result += c;
    }
  }
  return result + "\"";
}

}  // namespace cui::edit
