#include "edit/edit_plan.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cui::edit {
namespace {

bool inName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

EditPlan::EditPlan(std::string original)
    : original_(std::move(original)), root_{0, original_.size(), {}, {}, {}} {}

bool EditPlan::wrap(std::size_t begin, std::size_t end, std::string open, std::string close) {
  if (begin >= end || end > original_.size()) return false;

  // Down to the innermost range that holds [begin, end) and is not equal to it.
  Range* parent = &root_;
  for (;;) {
    const auto after = parent->children.upper_bound(begin);
    if (after == parent->children.begin()) break;
    Range* child = std::prev(after)->second;
    const bool equal = child->begin == begin && child->end == end;
    if (equal || end > child->end) break;
    parent = child;
  }

  // Its children in [begin, end) become the new range's; one that straddles an edge forbids it.
  auto first = parent->children.upper_bound(begin);
  if (first != parent->children.begin()) {
    const auto before = std::prev(first);
    if (before->first == begin)
      first = before;
    else if (before->second->end > begin)
      return false;
  }
  auto last = first;
  while (last != parent->children.end() && last->first < end) {
    if (last->second->end > end) return false;
    ++last;
  }

  ranges_.push_back({begin, end, std::move(open), std::move(close), {}});
  Range* range = &ranges_.back();
  while (first != last) {
    const auto following = std::next(first);
    range->children.insert(parent->children.extract(first));
    first = following;
  }
  parent->children.emplace(begin, range);
  return true;
}

bool EditPlan::insert(std::size_t offset, std::string text, int order) {
  if (offset > original_.size()) return false;
  points_.push_back({offset, order, std::move(text)});
  return true;
}

bool EditPlan::empty() const {
  return ranges_.empty() && points_.empty();
}

void EditPlan::collect(const Range& range, std::vector<Piece>& pieces) {
  for (const auto& [begin, child] : range.children) {
    pieces.push_back({begin, true, &child->open});
    collect(*child, pieces);
    pieces.push_back({child->end, false, &child->close});
  }
}

std::string EditPlan::apply() const {
  std::vector<Piece> pieces;
  pieces.reserve(2 * ranges_.size());
  collect(root_, pieces);

  std::vector<const Point*> points;
  points.reserve(points_.size());
  for (const Point& point : points_) points.push_back(&point);
  // Addresses in one vector are the order of adding.
  std::sort(points.begin(), points.end(), [](const Point* a, const Point* b) {
    return std::tuple(a->offset, a->order, a) < std::tuple(b->offset, b->order, b);
  });

  std::string result;
  std::size_t done = 0;
  const auto put = [&](std::size_t offset, const std::string& text) {
    result.append(original_, done, offset - done);
    if (!result.empty() && !text.empty() && inName(text.front()) &&
        (inName(result.back()) || result.ends_with(separator)))
      result += separator;
    result += text;
    done = offset;
  };
  auto point = points.begin();
  for (const Piece& piece : pieces) {
    // At one offset: closings, points, openings.
    while (point != points.end() &&
           ((*point)->offset < piece.offset || ((*point)->offset == piece.offset && piece.opens))) {
      put((*point)->offset, (*point)->text);
      ++point;
    }
    put(piece.offset, *piece.text);
  }
  for (; point != points.end(); ++point) put((*point)->offset, (*point)->text);
  result.append(original_, done);
  return result;
}

}  // namespace cui::edit
