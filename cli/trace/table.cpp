// Tables of text.
#include "cli/trace/table.h"

#include <algorithm>
#include <cstdint>

#include "cli/base/terminal.h"

namespace cui::cli {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t smallestShrunk = 12;
constexpr std::size_t smallestWrapped = 24;
/// Where nothing limits the width: the name of a template's instance may take pages.
constexpr std::size_t widestShrunk = 160;

/// Breaks at blanks; a word longer than the width stays whole.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!lines.back().empty() && displayWidth(lines.back()) + 1 + displayWidth(word) > width)
      lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
    begin = end + 1;
  }
  return lines;
}

void pad(std::ostream& out, std::size_t cells) {
  for (std::size_t i = 0; i < cells; ++i) out << ' ';
}

void printPainted(std::ostream& out, const std::string& text, const std::string& color, bool enabled) {
  if (enabled && !color.empty())
    out << "\033[" << color << 'm' << text << "\033[0m";
  else
    out << text;
}

std::string escapedForMarkdown(const std::string& text) {
  std::string escaped;
  for (char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '<') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::vector<std::size_t> Table::widths(std::size_t available) const {
  std::vector<std::size_t> widths;
  std::size_t total = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = displayWidth(columns_[i].title);
    for (const Row& row : rows_) width = std::max(width, displayWidth(row.cells[i].text));
    if (columns_[i].fit == Column::Fit::shrink) width = std::min(width, widestShrunk);
    widths.push_back(width);
    total += width + (i > 0 ? gap : 0);
  }
  const auto take = [&](std::size_t i, std::size_t smallest) {
    if (available == unlimitedWidth || total <= available || widths[i] <= smallest) return;
    const std::size_t cut = std::min(total - available, widths[i] - smallest);
    widths[i] -= cut;
    total -= cut;
  };
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].fit == Column::Fit::wrap) take(i, smallestWrapped);
  while (available != unlimitedWidth && total > available) {
    // The widest gives first, so that columns shrink evenly.
    std::size_t widest = columns_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].fit == Column::Fit::shrink && widths[i] > smallestShrunk &&
          (widest == columns_.size() || widths[i] > widths[widest]))
        widest = i;
    if (widest == columns_.size()) break;
    --widths[widest];
    --total;
  }
  return widths;
}

void Table::print(std::ostream& out, std::size_t width, std::size_t indent, bool color) const {
  const std::vector<std::size_t> columnWidths =
      widths(width == unlimitedWidth ? width : width - std::min(width, indent));
  const auto printLine = [&](const std::vector<Cell>& cells) {
    std::vector<std::vector<std::string>> lines;
    std::size_t height = 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns_[i].fit == Column::Fit::wrap)
        lines.push_back(wrapped(cells[i].text, columnWidths[i]));
      else
        lines.push_back({columns_[i].fit == Column::Fit::shrink ? shortened(cells[i].text, columnWidths[i])
                                                                : cells[i].text});
      height = std::max(height, lines.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::size_t blanks = indent;  // held back, so that no line ends with blanks
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string text = line < lines[i].size() ? lines[i][line] : "";
        const std::size_t fill = columnWidths[i] - std::min(columnWidths[i], displayWidth(text));
        const bool right = columns_[i].align == Column::Align::right;
        if (right) blanks += fill;
        if (!text.empty()) {
          pad(out, blanks);
          blanks = 0;
          printPainted(out, text, cells[i].color, color);
        }
        blanks += (right ? 0 : fill) + gap;
      }
      out << '\n';
    }
  };
  std::vector<Cell> titles;
  bool titled = false;
  for (const Column& column : columns_) {
    titles.push_back({column.title, "2"});
    titled |= !column.title.empty();
  }
  if (titled) printLine(titles);
  const std::size_t noteIndent = indent + columnWidths[0] + gap;
  for (const Row& row : rows_) {
    printLine(row.cells);
    for (const Cell& note : row.notes)
      for (const std::string& line :
           wrapped(note.text, width == unlimitedWidth ? width : width - std::min(width, noteIndent))) {
        pad(out, noteIndent);
        printPainted(out, line, note.color, color);
        out << '\n';
      }
  }
}

void Table::printMarkdown(std::ostream& out) const {
  out << '|';
  for (const Column& column : columns_) out << ' ' << column.title << " |";
  out << "\n|";
  for (const Column& column : columns_) out << (column.align == Column::Align::right ? "---:|" : "---|");
  out << '\n';
  for (const Row& row : rows_) {
    out << '|';
    for (const Cell& cell : row.cells) out << ' ' << escapedForMarkdown(cell.text) << " |";
    out << '\n';
  }
}

}  // namespace cui::cli
