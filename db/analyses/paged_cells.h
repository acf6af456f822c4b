// Something to remember for each cell of a large, sparse address space, with a limit.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace cui::db {

template <class Cell, std::uint64_t cellsPerPage = 1024>
class PagedCells {
 public:
  explicit PagedCells(std::uint64_t memoryBytes) : pagesLeft_(memoryBytes / sizeof(Page)) {}

  /// The cell, made if it is not there; null once the memory is used up.
  Cell* make(std::uint64_t index) {
    if (Cell* const cell = find(index)) return cell;
    if (pagesLeft_ == 0) {
      full_ = true;
      return nullptr;
    }
    --pagesLeft_;
    std::unique_ptr<Page>& page = pages_[index / cellsPerPage];
    page = std::make_unique<Page>();
    last_ = page.get();
    lastNumber_ = index / cellsPerPage;
    return &(*last_)[index % cellsPerPage];
  }
  /// Null if nothing was remembered near it.
  Cell* find(std::uint64_t index) {
    const std::uint64_t number = index / cellsPerPage;
    if (!last_ || lastNumber_ != number) {
      const auto found = pages_.find(number);
      if (found == pages_.end()) return nullptr;
      last_ = found->second.get();
      lastNumber_ = number;
    }
    return &(*last_)[index % cellsPerPage];
  }
  void clear() {
    pagesLeft_ += pages_.size();
    pages_.clear();
    last_ = nullptr;
    full_ = false;
  }
  /// Some cell could not be made.
  bool full() const { return full_; }

 private:
  using Page = std::array<Cell, cellsPerPage>;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  Page* last_ = nullptr;
  std::uint64_t lastNumber_ = 0, pagesLeft_;
  bool full_ = false;
};

}  // namespace cui::db
