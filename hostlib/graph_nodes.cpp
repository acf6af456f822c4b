#include "hostlib/graph_nodes.h"

#include <algorithm>
#include <utility>

namespace cui::hostlib {

GraphNodes::Shape GraphNodes::keyOf(const LaunchShape& shape) {
  return {shape.kernel, shape.blocks, shape.threads};
}

void GraphNodes::captured(std::uint64_t id, const CuiLaunch& launch, LaunchShape shape) {
  byShape_[keyOf(shape)].ids.push_back(id);
  Node& node = nodes_[id];
  node.launch = launch;
  node.shape = std::move(shape);
  node.hasRow = true;
}

bool GraphNodes::made(std::uint64_t id, const CuiGraphNode& node, LaunchShape shape,
                      std::vector<std::uint64_t>& forgotten) {
  std::vector<std::uint64_t>& same = byHandle_[node.node];
  if (node.change ==
      CUI_NODE_ADDED) {  // a graph that had a node of this handle is gone; its instances may run
    for (const std::uint64_t other : same) nodes_[other].handle = 0;
    same.clear();
  } else {
    haveChanged_ = true;
  }
  if (node.change == CUI_NODE_SET) {
    for (const std::uint64_t other : same)
      if (!nodes_[other].hasRow && !nodes_[other].ofInstance) forgotten.push_back(other);
    for (const std::uint64_t other : forgotten) remove(other);
  }
  if (node.change == CUI_NODE_INSTANCE_SET) {
    const auto isKnown = [&](std::uint64_t other) { return keyOf(nodes_[other].shape) == keyOf(shape); };
    if (std::any_of(same.begin(), same.end(), isKnown)) return false;
  }
  same.push_back(id);
  byShape_[keyOf(shape)].ids.push_back(id);
  Node& added = nodes_[id];
  added.launch = node.launch;
  added.shape = std::move(shape);
  added.handle = node.node;
  added.byHand = true;
  added.ofInstance = node.change == CUI_NODE_INSTANCE_SET;
  return true;
}

void GraphNodes::remove(std::uint64_t id) {
  const auto node = nodes_.find(id);
  std::vector<std::uint64_t>& same = byHandle_[node->second.handle];
  same.erase(std::remove(same.begin(), same.end(), id), same.end());
  std::vector<std::uint64_t>& alike = byShape_[keyOf(node->second.shape)].ids;
  alike.erase(std::remove(alike.begin(), alike.end(), id), alike.end());
  nodes_.erase(node);
}

GraphNodes::Node* GraphNodes::find(std::uint64_t id) {
  const auto found = nodes_.find(id);
  return found == nodes_.end() ? nullptr : &found->second;
}

std::optional<std::uint64_t> GraphNodes::again(const LaunchShape& entry) {
  // A node whose kernel is not known fits all.
  for (const LaunchShape& shape : {entry, LaunchShape{"", entry.blocks, entry.threads}}) {
    const auto alike = byShape_.find(keyOf(shape));
    if (alike == byShape_.end() || alike->second.ids.empty()) continue;
    return alike->second.ids[alike->second.next++ % alike->second.ids.size()];
  }
  return std::nullopt;
}

void GraphNodes::addAlias(std::uint64_t id, std::uint64_t original) {
  const Node node = nodes_[original];
  nodes_[id] = node;
  nodes_[id].hasRow = true;
}

GraphNodes::Node* GraphNodes::changed(const Node& node, const LaunchShape& entry) {
  if (node.handle == 0) return nullptr;
  const std::vector<std::uint64_t>& same = byHandle_[node.handle];
  for (auto id = same.rbegin(); id != same.rend(); ++id)
    if (fits(nodes_[*id].shape, entry)) return &nodes_[*id];
  return nullptr;
}

}  // namespace cui::hostlib
