// Something to remember for each cell of a large, sparse address space, with a limit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
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
    return &remember(index / cellsPerPage, page.get())[index % cellsPerPage];
  }
  /// The cells from `index` on that lie together, `most` at most: one at least, unless the memory is used up.
  std::span<Cell> makeRun(std::uint64_t index, std::uint64_t most) {
    Cell* const first = make(index);
    if (!first) return {};
    return {first, static_cast<std::size_t>(std::min(most, cellsPerPage - index % cellsPerPage))};
  }
  /// Null if nothing was remembered near it.
  Cell* find(std::uint64_t index) {
    const std::uint64_t number = index / cellsPerPage;
    const Recent& recent = recent_[placeOf(number)];
    if (recent.page && recent.number == number) return &(*recent.page)[index % cellsPerPage];
    const auto found = pages_.find(number);
    if (found == pages_.end()) return nullptr;
    return &remember(number, found->second.get())[index % cellsPerPage];
  }
  void clear() {
    pagesLeft_ += pages_.size();
    pages_.clear();
    recent_ = {};
    full_ = false;
  }
  /// Some cell could not be made.
  bool full() const { return full_; }

 private:
  using Page = std::array<Cell, cellsPerPage>;
  /// A page found lately: blocks that run at the same time take turns, each at places of its own in a few
  /// arrays.
  struct Recent {
    std::uint64_t number = 0;
    Page* page = nullptr;
  };
  static constexpr unsigned recentBits = 8;

  static std::size_t placeOf(std::uint64_t number) {  // arrays lie powers of two apart
    return static_cast<std::size_t>(number * 0x9e3779b97f4a7c15u >> (64 - recentBits));
  }
  Page& remember(std::uint64_t number, Page* page) {
    recent_[placeOf(number)] = {number, page};
    return *page;
  }

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<Recent, std::size_t{1} << recentBits> recent_;
  std::uint64_t pagesLeft_;
  bool full_ = false;
};

}  // namespace cui::db
