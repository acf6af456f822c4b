#include "cluster.h"

#include <algorithm>

#include "cuinstrument/backend/cpu/exec_intrinsics.h"
#include "worker.h"

namespace cui::cpu {

namespace {

/// x, y, z of what has this number, x first.
void split(std::uint64_t number, const unsigned (&extent)[3], unsigned (&index)[3]) {
  index[0] = static_cast<unsigned>(number % extent[0]);
  index[1] = static_cast<unsigned>(number / extent[0] % extent[1]);
  index[2] = static_cast<unsigned>(number / extent[0] / extent[1]);
}

}  // namespace

Clusters::Clusters(const backend::LaunchShape& shape) : shape_(shape) {
  for (int i = 0; i < 3; ++i) {
    extent_[i] = std::max(1u, shape.cluster[i]);
    clusters_[i] = std::max(1u, shape.grid[i] / extent_[i]);
  }
  blocks_ = extent_[0] * extent_[1] * extent_[2];
}

ClusterPlace Clusters::place(std::uint64_t turn) const {
  ClusterPlace place = {};
  place.rank = static_cast<unsigned>(turn % blocks_);
  std::copy_n(extent_, 3, place.extent);
  std::copy_n(clusters_, 3, place.clusters);
  split(turn / blocks_, clusters_, place.index);
  split(place.rank, extent_, place.block);
  return place;
}

std::uint64_t Clusters::blockAt(std::uint64_t turn) const {
  if (blocks_ == 1) return turn;
  const ClusterPlace at = place(turn);
  std::uint64_t number = 0;
  for (int i = 2; i >= 0; --i)
    number = number * shape_.grid[i] + std::uint64_t{at.index[i]} * at.extent[i] + at.block[i];
  return number;
}

}  // namespace cui::cpu

using cui::cpu::Worker;

extern "C" {

unsigned cuiClusterValue(CuiClusterValue value, unsigned axis) {
  const cui::cpu::ClusterPlace place = Worker::running("a cluster's extents").place();
  return value == cuiClusterExtent  ? place.extent[axis]
         : value == cuiClusterBlock ? place.block[axis]
         : value == cuiClusterGrid  ? place.clusters[axis]
                                    : place.index[axis];
}

int cuiClusterIsNamed(void) {
  return Worker::running("a cluster's extents").isClustered() ? 1 : 0;
}

void* cuiClusterAddress(const void* address, unsigned rank) {
  return Worker::running("map_shared_rank").addressInCluster(address, rank);
}

unsigned cuiClusterRankOf(const void* address) {
  return Worker::running("query_shared_rank").rankInCluster(address);
}

void cuiNeedCluster(unsigned x, unsigned y, unsigned z) {
  Worker::running("__cluster_dims__").needCluster(x, y, z);
}
}
