// What the kernels of a device's graphs are launched with: nodes made by hand, which have a row only when
// they run, and launches that were captured. A graph's grid has a number of its own in each instance of the
// graph, so more grids may come than there are nodes; and a node may have been given other parameters.
//
// Used by the drain thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "cuinstrument/host/abi.h"
#include "hostlib/launch_matcher.h"

namespace cui::hostlib {

class GraphNodes {
 public:
  struct Node {
    CuiLaunch launch = {};
    LaunchShape shape;
    std::uint64_t handle = 0;  ///< 0: captured, or of a graph that is gone
    bool byHand = false;       ///< its row is made when it first runs
    bool ofInstance = false;   ///< parameters of one instance
    bool hasRow = false;
  };

  /// A launch that has its row.
  void captured(std::uint64_t id, const CuiLaunch& launch, LaunchShape shape);
  /// Takes a node's parameters. `forgotten`: ids that had not run and never will. False if they tell nothing
  /// new: what changed is neither the kernel nor its extents.
  bool made(std::uint64_t id, const CuiGraphNode& node, LaunchShape shape,
            std::vector<std::uint64_t>& forgotten);

  bool empty() const { return nodes_.empty(); }
  /// Null if it is no graph's.
  Node* find(std::uint64_t id);
  /// The node whose kernel one more grid runs, which none waits for: those that fit take turns.
  std::optional<std::uint64_t> again(const LaunchShape& entry);
  /// Launch `id` is of the same node as `original`.
  void addAlias(std::uint64_t id, std::uint64_t original);
  /// Other parameters of `node`, the last that fit; null if it never had any.
  Node* changed(const Node& node, const LaunchShape& entry);
  /// Whether parameters of some node were changed.
  bool haveChanged() const { return haveChanged_; }

 private:
  using Shape = std::tuple<std::string, std::uint32_t, std::uint32_t>;
  struct Alike {
    std::vector<std::uint64_t> ids;
    std::size_t next = 0;
  };
  static Shape keyOf(const LaunchShape& shape);
  void remove(std::uint64_t id);

  std::map<std::uint64_t, Node> nodes_;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> byHandle_;
  std::map<Shape, Alike> byShape_;
  bool haveChanged_ = false;
};

}  // namespace cui::hostlib
