// A table of text with aligned columns that fits the terminal.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace cui::cli {

struct Column {
  enum class Align { left, right };
  enum class Fit {
    fixed,   ///< always whole
    shrink,  ///< shortened with an ellipsis where the terminal is too narrow
    wrap,    ///< continued on more lines; for the last column
  };
  std::string title;
  Align align = Align::left;
  Fit fit = Fit::fixed;
};

/// A cell with an optional colour: the digits of an ANSI sequence ("31", "1;33").
struct Cell {
  std::string text;
  std::string color;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// `notes` stand below the row, from the second column on; Markdown has none.
  void add(std::vector<Cell> cells, std::vector<Cell> notes = {}) {
    rows_.push_back({std::move(cells), std::move(notes)});
  }
  bool empty() const { return rows_.empty(); }
  /// `width`: cells of the terminal, or unlimitedWidth. `indent`: blanks before every line.
  void print(std::ostream& out, std::size_t width, std::size_t indent, bool color) const;
  /// As a Markdown table, nothing shortened.
  void printMarkdown(std::ostream& out) const;

 private:
  std::vector<std::size_t> widths(std::size_t available) const;

  std::vector<Column> columns_;
  struct Row {
    std::vector<Cell> cells;
    std::vector<Cell> notes;
  };
  std::vector<Row> rows_;
};

}  // namespace cui::cli
