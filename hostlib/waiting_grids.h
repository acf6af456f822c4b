// Grids of one device that have said they began, and whose launch is not known yet.
//
// There can be as many as the device ran while the host's side was not listened to, 10^5 and more of small
// launches, so they are found by number and by shape, and not looked through one by one.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace cui::hostlib {

/// What entry records and launches are compared by. An empty kernel (a variable was called) fits any.
struct LaunchShape {
  std::string kernel;         ///< KernelEntry::name
  std::uint32_t blocks = 0;   ///< in the grid, low 32 bits
  std::uint32_t threads = 0;  ///< in a block

  auto operator<=>(const LaunchShape&) const = default;
};

/// Whether the entry record can be that of the launch.
bool fits(const LaunchShape& launch, const LaunchShape& entry);

class WaitingGrids {
 public:
  /// By shape: their numbers, of which there is at least one.
  using Groups = std::map<LaunchShape, std::set<std::uint64_t>>;

  /// Grid `grid` began. Again: with another shape.
  void add(std::uint64_t grid, LaunchShape shape);
  /// It is a graph's node for certain, whether it has begun or not.
  void makeNode(std::uint64_t grid);
  /// It waits no more; the kernel that it named, empty if it did not wait.
  std::string remove(std::uint64_t grid);

  bool empty() const { return all_.empty(); }
  const std::map<std::uint64_t, LaunchShape>& all() const { return all_; }
  /// Those that any launch may be meant by, and a graph's nodes.
  const Groups& others() const { return others_; }
  const Groups& nodes() const { return nodes_; }
  bool isNode(std::uint64_t grid) const { return knownNodes_.count(grid) != 0; }
  /// The first from `from` on that is no node for certain, and that the launch fits.
  std::optional<std::uint64_t> first(const LaunchShape& launch, std::uint64_t from) const;

 private:
  Groups& groupsOf(std::uint64_t grid) { return isNode(grid) ? nodes_ : others_; }
  void leaveGroup(std::uint64_t grid, const LaunchShape& shape);

  std::map<std::uint64_t, LaunchShape> all_;
  Groups others_, nodes_;
  std::set<std::uint64_t> knownNodes_;
};

}  // namespace cui::hostlib
