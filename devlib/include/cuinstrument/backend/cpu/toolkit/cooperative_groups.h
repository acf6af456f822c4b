// Cooperative groups on the warp and block intrinsics: blocks, tiles of up to a warp, coalesced threads,
// clusters, and the grid of a cooperative launch.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"

/// Prints that a device function is not supported on the CPU backend and ends the grid with
/// cudaErrorLaunchFailure.
extern "C" __device__ void cuiUnsupportedInKernel(const char* what);
/// Of a cooperative launch: whether the running one is, and the barrier of all its threads.
extern "C" __device__ int cuiIsCooperative(void);
extern "C" __device__ void cuiGridBarrier(void);
/// Of the block's threads [first, first + count), more than a warp: their barrier; and what each of them
/// gave, by its number in the block, until they meet again.
extern "C" __device__ void cuiTileBarrier(unsigned int first, unsigned int count);
extern "C" __device__ const void* const* cuiTileExchange(unsigned int first, unsigned int count,
                                                         const void* own);

namespace cooperative_groups {

namespace cui_detail {

__device__ inline unsigned int threadRank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline unsigned int blockThreads() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__device__ inline unsigned int lane() {
  return threadRank() & 31u;
}
__device__ inline unsigned int lanesBelow() {
  return (1u << lane()) - 1u;
}
/// Lanes of the calling warp that exist: the last warp of a block may be partial.
__device__ inline unsigned int warpMask() {
  const unsigned int left = blockThreads() - (threadRank() & ~31u);
  return left >= 32u ? ~0u : (1u << left) - 1u;
}
/// The lane of the mask's rank-th member; -1 if there are fewer.
__device__ inline int laneOfRank(unsigned int mask, unsigned int rank) {
  const int first = __ffs(static_cast<int>(mask)) - 1;
  const unsigned int dense = mask >> first;
  if ((dense & (dense + 1)) == 0)
    return rank < static_cast<unsigned int>(__popc(mask)) ? first + static_cast<int>(rank) : -1;
  for (int i = first; i < 32; ++i)
    if ((mask >> i & 1u) != 0 && rank-- == 0) return i;
  return -1;
}

/// Values of any trivially copyable type travel in 4-byte words.
template <class T>
__device__ inline T exchange(unsigned int mask, const T& value, int sourceLane) {
  constexpr unsigned int words = (sizeof(T) + 3) / 4;
  unsigned int buffer[words] = {};
  __builtin_memcpy(buffer, &value, sizeof(T));
  for (unsigned int i = 0; i < words; ++i) buffer[i] = __shfl_sync(mask, buffer[i], sourceLane);
  T result = value;
  __builtin_memcpy(&result, buffer, sizeof(T));
  return result;
}

enum class Kind { block, lanes };

}  // namespace cui_detail

/// A group whose kind is known at run time only.
class thread_group {
 public:
  __device__ thread_group(cui_detail::Kind kind, unsigned int mask) : kind_(kind), mask_(mask) {}
  __device__ void sync() const {
    if (kind_ == cui_detail::Kind::block)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  __device__ unsigned long long size() const {
    return kind_ == cui_detail::Kind::block ? cui_detail::blockThreads()
                                            : static_cast<unsigned int>(__popc(mask_));
  }
  __device__ unsigned long long num_threads() const { return size(); }
  __device__ unsigned long long thread_rank() const {
    return kind_ == cui_detail::Kind::block
               ? cui_detail::threadRank()
               : static_cast<unsigned int>(__popc(mask_ & cui_detail::lanesBelow()));
  }
  __device__ bool is_valid() const { return true; }
  __device__ cui_detail::Kind cuiKind() const { return kind_; }
  __device__ unsigned int cuiMask() const { return mask_; }

 protected:
  cui_detail::Kind kind_;
  unsigned int mask_;
};

class thread_block : public thread_group {
 public:
  __device__ thread_block() : thread_group(cui_detail::Kind::block, 0) {}
  static __device__ void sync() { __syncthreads(); }
  static __device__ unsigned int size() { return cui_detail::blockThreads(); }
  static __device__ unsigned int num_threads() { return cui_detail::blockThreads(); }
  static __device__ unsigned int thread_rank() { return cui_detail::threadRank(); }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ dim3 dim_threads() { return group_dim(); }
};
__device__ inline thread_block this_thread_block() {
  return thread_block();
}

/// Memory that lets tiles span warps, which they do without it here.
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {
  char cuiUnused[16];
};
template <unsigned int MaxBlockSize>
__device__ inline thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return thread_block();
}

class grid_group {
 public:
  static __device__ bool is_valid() { return cuiIsCooperative() != 0; }
  /// As in CUDA, a launch that was not cooperative ends here.
  static __device__ void sync() {
    if (!is_valid()) __trap();
    cuiGridBarrier();
  }
  static __device__ unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static __device__ unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + gridDim.y * blockIdx.z);
  }
  static __device__ unsigned long long size() { return num_blocks() * cui_detail::blockThreads(); }
  static __device__ unsigned long long num_threads() { return size(); }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * cui_detail::blockThreads() + cui_detail::threadRank();
  }
  static __device__ dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __device__ dim3 dim_blocks() { return group_dim(); }
  static __device__ dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  static __device__ dim3 cluster_index() { return __clusterIdx(); }
  static __device__ unsigned long long num_clusters() {
    const dim3 clusters = dim_clusters();
    return static_cast<unsigned long long>(clusters.x) * clusters.y * clusters.z;
  }
  static __device__ unsigned long long cluster_rank() {
    const dim3 index = cluster_index(), clusters = dim_clusters();
    return index.x + static_cast<unsigned long long>(clusters.x) * (index.y + clusters.y * index.z);
  }
};
__device__ inline grid_group this_grid() {
  return grid_group();
}

#define _CG_HAS_CLUSTER_GROUP
class cluster_group {
 public:
  class arrival_token {};
  static __device__ void sync() { __cluster_barrier_wait(); }
  static __device__ arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return arrival_token();
  }
  static __device__ void barrier_wait() { __cluster_barrier_wait(); }
  static __device__ void barrier_wait(arrival_token&&) { __cluster_barrier_wait(); }
  template <class T>
  static __device__ T* map_shared_rank(T* address, int rank) {
    return static_cast<T*>(__cluster_map_shared_rank(address, static_cast<unsigned int>(rank)));
  }
  static __device__ unsigned int query_shared_rank(const void* address) {
    return __cluster_query_shared_rank(address);
  }
  static __device__ dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static __device__ unsigned int block_rank() { return __clusterRelativeBlockRank(); }
  static __device__ dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  static __device__ unsigned int thread_rank() {
    return block_rank() * cui_detail::blockThreads() + cui_detail::threadRank();
  }
  static __device__ dim3 dim_blocks() { return __clusterDim(); }
  static __device__ dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static __device__ unsigned int num_blocks() { return __clusterSizeInBlocks(); }
  static __device__ unsigned int num_threads() { return num_blocks() * cui_detail::blockThreads(); }
  static __device__ unsigned int size() { return num_threads(); }
};
__device__ inline cluster_group this_cluster() {
  return cluster_group();
}

namespace cui_detail {

/// What tiles and coalesced groups share: a set of lanes, addressed by rank.
class LaneGroup : public thread_group {
 public:
  __device__ explicit LaneGroup(unsigned int mask) : thread_group(Kind::lanes, mask) {}
  __device__ void sync() const { __syncwarp(mask_); }
  __device__ unsigned int size() const { return static_cast<unsigned int>(__popc(mask_)); }
  __device__ unsigned int num_threads() const { return size(); }
  __device__ unsigned int thread_rank() const {
    return static_cast<unsigned int>(__popc(mask_ & lanesBelow()));
  }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  /// Bit i: the member of rank i.
  __device__ unsigned int ballot(int predicate) const { return byRank(__ballot_sync(mask_, predicate)); }
  template <class T>
  __device__ unsigned int match_any(T value) const {
    return byRank(__match_any_sync(mask_, value));
  }
  template <class T>
  __device__ unsigned int match_all(T value, int& predicate) const {
    return byRank(__match_all_sync(mask_, value, &predicate));
  }
  /// `rank` counts modulo the group's size, as the hardware's shuffle does.
  template <class T>
  __device__ T shfl(T value, int rank) const {
    return exchange(mask_, value, laneOfRank(mask_, static_cast<unsigned int>(rank) % size()));
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned int delta) const {
    const unsigned int own = thread_rank();
    return exchange(mask_, value, laneOfRank(mask_, own >= delta ? own - delta : own));
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned int delta) const {
    const unsigned int own = thread_rank();
    return exchange(mask_, value, laneOfRank(mask_, own + delta < size() ? own + delta : own));
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned int bits) const {
    const unsigned int own = thread_rank(), other = own ^ bits;
    return exchange(mask_, value, laneOfRank(mask_, other < size() ? other : own));
  }

 private:
  __device__ unsigned int byRank(unsigned int lanes) const {
    unsigned int result = 0, rank = 0;
    for (int i = 0; i < 32; ++i)
      if ((mask_ >> i & 1u) != 0) result |= (lanes >> i & 1u) << rank++;
    return result;
  }
};

__device__ inline unsigned int tileMask(unsigned int size) {
  const unsigned int first = lane() / size * size;
  return (size == 32u ? ~0u : ((1u << size) - 1u) << first) & warpMask();
}

}  // namespace cui_detail

class coalesced_group : public cui_detail::LaneGroup {
 public:
  __device__ explicit coalesced_group(unsigned int mask) : LaneGroup(mask) {}
  __device__ unsigned int meta_group_size() const { return 1; }
  __device__ unsigned int meta_group_rank() const { return 0; }
};
__device__ __attribute__((always_inline)) inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

}  // namespace cooperative_groups

#define CUI_COOPERATIVE_GROUPS
#include "cooperative_groups/cui_tiles.h"

namespace cooperative_groups {

template <unsigned int Size, class Parent>
__device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>(parent);
}
__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  if (parent.cuiKind() == cui_detail::Kind::block)
    return thread_group(cui_detail::Kind::lanes, cui_detail::tileMask(size));
  // Members of consecutive ranks.
  const unsigned int mine = static_cast<unsigned int>(parent.thread_rank()) / size;
  unsigned int mask = 0, rank = 0;
  for (int i = 0; i < 32; ++i)
    if ((parent.cuiMask() >> i & 1u) != 0 && rank++ / size == mine) mask |= 1u << i;
  return thread_group(cui_detail::Kind::lanes, mask);
}
template <class Group>
__device__ inline coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned int yes = __ballot_sync(group.cuiMask(), predicate);
  return coalesced_group(predicate ? yes : group.cuiMask() & ~yes);
}
template <class Group, class T>
__device__ inline coalesced_group labeled_partition(const Group& group, T label) {
  return coalesced_group(__match_any_sync(group.cuiMask(), label));
}

// --- the same by free functions
template <class Group>
__device__ inline void sync(const Group& group) {
  group.sync();
}
template <class Group>
__device__ inline unsigned long long thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
__device__ inline unsigned long long group_size(const Group& group) {
  return group.size();
}
template <class Group>
__device__ inline bool is_valid(const Group& group) {
  return group.is_valid();
}
template <class Group, class F, class... Arguments>
__device__ inline void invoke_one(const Group& group, F&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}

// --- operators of reduce and the scans
#define CUI_TK_OPERATOR(name, ...)                                  \
  template <class T>                                                \
  struct name {                                                     \
    __device__ T operator()(T a, T b) const { return __VA_ARGS__; } \
  };
CUI_TK_OPERATOR(plus, a + b)
CUI_TK_OPERATOR(less, b < a ? b : a)
CUI_TK_OPERATOR(greater, a < b ? b : a)
CUI_TK_OPERATOR(bit_and, a& b)
CUI_TK_OPERATOR(bit_or, a | b)
CUI_TK_OPERATOR(bit_xor, a ^ b)
#undef CUI_TK_OPERATOR

}  // namespace cooperative_groups
