// The insertions into one file, collected in any order and applied at once.
//
// A plan can only insert: nothing of the original is ever removed or replaced, and no insertion holds a
// newline, so that every line keeps its number. tooling::Replacements cannot express this: it refuses
// several insertions at one offset, which nested accesses (`p->a.b[i]`) need up to nine of.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cui::edit {

/// Empty comment; also put behind one of the user's, so that strip() can always take one away.
inline constexpr std::string_view separator = "/**/";

/// Offsets are bytes into the original. Texts at one offset come out in this order:
///   1. closings of the ranges that end there, innermost first;
///   2. point insertions, by `order`, then in the order added;
///   3. openings of the ranges that begin there, outermost first.
/// A point insertion at the edge of a range is therefore outside it. Text that would fuse with a name in
/// front of it (`return*p`) is kept apart by separator.
class EditPlan {
 public:
  explicit EditPlan(std::string original);

  /// Puts `open` before `begin` and `close` at `end`. Ranges nest or are disjoint; of equal ranges the
  /// first one added is the innermost. False, and no edit, for a range that is empty, outside the file or
  /// partially overlaps another.
  bool wrap(std::size_t begin, std::size_t end, std::string open, std::string close);

  /// Puts `text` at `offset`, which must not be past the end (else false, and no edit).
  bool insert(std::size_t offset, std::string text, int order = 0);

  std::string apply() const;
  bool empty() const;
  const std::string& original() const { return original_; }

 private:
  struct Range {
    std::size_t begin, end;
    std::string open, close;
    std::map<std::size_t, Range*> children;  ///< by begin; disjoint; owned by ranges_
  };
  struct Point {
    std::size_t offset;
    int order;
    std::string text;
  };
  struct Piece {
    std::size_t offset;
    bool opens;
    const std::string* text;
  };

  static void collect(const Range& range, std::vector<Piece>& pieces);

  std::string original_;
  std::deque<Range> ranges_;  ///< addresses stay valid; the tree below links into it
  Range root_;                ///< the whole file, never printed
  std::vector<Point> points_;
};

}  // namespace cui::edit
