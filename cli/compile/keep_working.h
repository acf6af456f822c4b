// Which of several parts can stay, when all of them together do not work.
#pragma once

#include <cstddef>
#include <vector>

namespace cui::cli {

/// As many items as work together, in their order, given that all of them do not. An item that does not work
/// is found by halving: one culprit among n costs about 2 log2 n calls of `works`, which compiles something.
template <class Item, class Works>
class KeepWorking {
 public:
  KeepWorking(const std::vector<Item>& items, Works works) : items_(items), works_(works) {}

  std::vector<Item> run() {
    if (!items_.empty()) add(0, items_.size(), true);
    return kept_;
  }

 private:
  /// Adds what can stay of [begin, end); true if all of it can. `fails`: it is known that not all can.
  bool add(std::size_t begin, std::size_t end, bool fails) {
    if (!fails) {
      std::vector<Item> more = kept_;
      more.insert(more.end(), items_.begin() + static_cast<std::ptrdiff_t>(begin),
                  items_.begin() + static_cast<std::ptrdiff_t>(end));
      if (works_(more)) {
        kept_ = std::move(more);
        return true;
      }
    }
    if (end - begin == 1) return false;
    const std::size_t middle = begin + (end - begin) / 2;
    const bool first = add(begin, middle, false);
    add(middle, end, first);  // behind a whole first half it is the set that failed
    return false;
  }

  const std::vector<Item>& items_;
  Works works_;
  std::vector<Item> kept_;
};

}  // namespace cui::cli
