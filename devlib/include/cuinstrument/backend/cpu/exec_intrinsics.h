// Barriers, votes, shuffles, fences, time and traps. What a warp does together is decided in the library,
// where the calling lane waits for the others of its mask (devlib/cpu/exec/warp_ops.h).
#pragma once
#pragma GCC system_header  // it spells CUDA's own names

#include "exec_builtins.h"
#include "exec_log.h"

extern "C" {
/// How the lanes of a block's barrier combine their predicates. Grid: a plain one for all blocks of a
/// cooperative launch; cluster: for those of the block's cluster.
enum CuiBarrier {
  cuiBarrierPlain,
  cuiBarrierCount,
  cuiBarrierAnd,
  cuiBarrierOr,
  cuiBarrierGrid,
  cuiBarrierCluster
};
enum CuiShuffle { cuiShuffleIndex, cuiShuffleUp, cuiShuffleDown, cuiShuffleXor };
enum CuiReduction {
  cuiReduceAdd,
  cuiReduceMin,
  cuiReduceMax,
  cuiReduceMinSigned,
  cuiReduceMaxSigned,
  cuiReduceAnd,
  cuiReduceOr,
  cuiReduceXor
};
typedef void (*CuiTogether)(void* const* arguments);
int cuiBlockBarrier(CuiBarrier kind, int predicate);
/// Whether the running grid was launched cooperatively; its threads may then wait for all of them.
int cuiIsCooperative(void);
void cuiGridBarrier(void);
/// Of the calling block's cluster, which is the block itself where the launch names none: its extent in
/// blocks and where the block is in it; the grid's extent in clusters and where the cluster is in it.
enum CuiClusterValue { cuiClusterExtent, cuiClusterBlock, cuiClusterGrid, cuiClusterIndex };
unsigned cuiClusterValue(CuiClusterValue value, unsigned axis);
int cuiClusterIsNamed(void);
void cuiClusterBarrier(void);
/// Shared memory of another block of the cluster: where it has what is here at `address`, and whose that is.
void* cuiClusterAddress(const void* address, unsigned rank);
unsigned cuiClusterRankOf(const void* address);
/// The kernel says that its blocks form such clusters; ends the lane if the grid was not launched so.
void cuiNeedCluster(unsigned x, unsigned y, unsigned z);
/// Of the block's threads [first, first + count), more than a warp; cooperative_groups.h says what they do.
void cuiTileBarrier(unsigned first, unsigned count);
const void* const* cuiTileExchange(unsigned first, unsigned count, const void* own);
void cuiWarpBarrier(unsigned mask);
unsigned long long cuiWarpShuffle(unsigned mask, CuiShuffle kind, unsigned long long value, unsigned operand,
                                  int width);
/// The lanes of `mask` whose predicate is not zero.
unsigned cuiWarpBallot(unsigned mask, int predicate);
unsigned cuiWarpMatchAny(unsigned mask, unsigned long long value);
unsigned cuiWarpMatchAll(unsigned mask, unsigned long long value, int* predicate);
unsigned cuiWarpReduce(unsigned mask, CuiReduction kind, unsigned value);
/// Calls `function` once, with every lane's argument (null: not of the mask), when all have come.
void cuiWarpTogether(unsigned mask, CuiTogether function, void* argument);
/// The lanes that are at this very call together; see docs/cpu-backend.md.
unsigned cuiWarpActive(const char* file, unsigned line);
unsigned cuiLaneIndex(void);
/// Lets the block's other threads run.
void cuiLaneYield(void);
/// Spaces as format::Space numbers them, offset of a shared address.
int cuiAddressSpace(const void* address);
unsigned long long cuiSharedOffset(const void* address);
void* cuiSharedAddress(unsigned long long offset);
long long cuiClock(void);
long long cuiGlobalTimer(void);
/// Ends the grid with cudaErrorLaunchFailure.
void cuiTrap(void) __attribute__((noreturn));
}

inline void __syncthreads() {
  cuiBlockBarrier(cuiBarrierPlain, 0);
}
inline int __syncthreads_count(int predicate) {
  return cuiBlockBarrier(cuiBarrierCount, predicate);
}
inline int __syncthreads_and(int predicate) {
  return cuiBlockBarrier(cuiBarrierAnd, predicate);
}
inline int __syncthreads_or(int predicate) {
  return cuiBlockBarrier(cuiBarrierOr, predicate);
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
  cuiWarpBarrier(mask);
}
inline void __threadfence() {
  ::cui::backend::countFence();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_block() {
  __threadfence();
}
inline void __threadfence_system() {
  __threadfence();
}

inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return cuiWarpBallot(mask, predicate);
}
inline int __any_sync(unsigned mask, int predicate) {
  return cuiWarpBallot(mask, predicate) != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
  return cuiWarpBallot(mask, predicate == 0) == 0;
}
inline int __uni_sync(unsigned mask, int predicate) {
  int same;
  cuiWarpMatchAll(mask, predicate != 0, &same);
  return same;
}
// Known by its place in the source: compilers duplicate calls, so that an address in the code would not do.
inline unsigned __activemask(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  return cuiWarpActive(file, line);
}

namespace cui {
namespace backend {

/// Values travel as 64-bit patterns.
template <class T>
unsigned long long toBits(T value) {
  static_assert(sizeof(T) <= 8, "warp intrinsics exchange at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class T>
T fromBits(unsigned long long bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}
template <class T>
T shuffle(unsigned mask, CuiShuffle kind, T value, unsigned operand, int width) {
  return fromBits<T>(cuiWarpShuffle(mask, kind, toBits(value), operand, width));
}

/// x, y and z; a template, as dim3 may come later.
template <class Extent>
Extent clusterValues(CuiClusterValue value) {
  return Extent(cuiClusterValue(value, 0), cuiClusterValue(value, 1), cuiClusterValue(value, 2));
}

}  // namespace backend
}  // namespace cui

/// The exchange intrinsics for one type; headers with further arithmetic types (half) use it too.
#define CUI_EXEC_SHUFFLES(T)                                                                            \
  inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {                              \
    return ::cui::backend::shuffle(mask, cuiShuffleIndex, value, static_cast<unsigned>(lane), width);   \
  }                                                                                                     \
  inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {                     \
    return ::cui::backend::shuffle(mask, cuiShuffleUp, value, delta, width);                            \
  }                                                                                                     \
  inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {                   \
    return ::cui::backend::shuffle(mask, cuiShuffleDown, value, delta, width);                          \
  }                                                                                                     \
  inline T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = 32) {                      \
    return ::cui::backend::shuffle(mask, cuiShuffleXor, value, static_cast<unsigned>(laneMask), width); \
  }
#define CUI_EXEC_MATCHES(T)                                                  \
  inline unsigned __match_any_sync(unsigned mask, T value) {                 \
    return cuiWarpMatchAny(mask, ::cui::backend::toBits(value));             \
  }                                                                          \
  inline unsigned __match_all_sync(unsigned mask, T value, int* predicate) { \
    return cuiWarpMatchAll(mask, ::cui::backend::toBits(value), predicate);  \
  }
#define CUI_EXEC_EXCHANGE(T) \
  CUI_EXEC_SHUFFLES(T)       \
  CUI_EXEC_MATCHES(T)
CUI_EXEC_EXCHANGE(int)
CUI_EXEC_EXCHANGE(unsigned)
CUI_EXEC_EXCHANGE(long)
CUI_EXEC_EXCHANGE(unsigned long)
CUI_EXEC_EXCHANGE(long long)
CUI_EXEC_EXCHANGE(unsigned long long)
CUI_EXEC_EXCHANGE(float)
CUI_EXEC_EXCHANGE(double)
#undef CUI_EXEC_EXCHANGE

#define CUI_EXEC_REDUCTION(name, T, kind)                                           \
  inline T name(unsigned mask, T value) {                                           \
    return static_cast<T>(cuiWarpReduce(mask, kind, static_cast<unsigned>(value))); \
  }
CUI_EXEC_REDUCTION(__reduce_add_sync, unsigned, cuiReduceAdd)
CUI_EXEC_REDUCTION(__reduce_add_sync, int, cuiReduceAdd)
CUI_EXEC_REDUCTION(__reduce_min_sync, unsigned, cuiReduceMin)
CUI_EXEC_REDUCTION(__reduce_min_sync, int, cuiReduceMinSigned)
CUI_EXEC_REDUCTION(__reduce_max_sync, unsigned, cuiReduceMax)
CUI_EXEC_REDUCTION(__reduce_max_sync, int, cuiReduceMaxSigned)
CUI_EXEC_REDUCTION(__reduce_and_sync, unsigned, cuiReduceAnd)
CUI_EXEC_REDUCTION(__reduce_or_sync, unsigned, cuiReduceOr)
CUI_EXEC_REDUCTION(__reduce_xor_sync, unsigned, cuiReduceXor)
#undef CUI_EXEC_REDUCTION

// Real time passes; what is asked for is at least a chance for the others to run.
inline void __nanosleep(unsigned) {
  cuiLaneYield();
}
// Grids run one after the other: what a grid depends on has been done when it begins.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
inline long long clock64() {
  return cuiClock();
}
inline void __trap() {
  cuiTrap();
}
inline void __brkpt() {
  cuiTrap();
}
inline void __prof_trigger(int) {}

inline void __cluster_barrier_arrive() {}
inline void __cluster_barrier_arrive_relaxed() {}
inline void __cluster_barrier_wait() {
  cuiClusterBarrier();
}
inline unsigned __clusterDimIsSpecified() {
  return static_cast<unsigned>(cuiClusterIsNamed());
}
inline dim3 __clusterDim() {
  return ::cui::backend::clusterValues<dim3>(cuiClusterExtent);
}
inline dim3 __clusterRelativeBlockIdx() {
  return ::cui::backend::clusterValues<dim3>(cuiClusterBlock);
}
inline dim3 __clusterGridDimInClusters() {
  return ::cui::backend::clusterValues<dim3>(cuiClusterGrid);
}
inline dim3 __clusterIdx() {
  return ::cui::backend::clusterValues<dim3>(cuiClusterIndex);
}
inline unsigned __clusterRelativeBlockRank() {
  const dim3 block = __clusterRelativeBlockIdx(), extent = __clusterDim();
  return block.x + extent.x * (block.y + extent.y * block.z);
}
inline unsigned __clusterSizeInBlocks() {
  const dim3 extent = __clusterDim();
  return extent.x * extent.y * extent.z;
}
inline void* __cluster_map_shared_rank(const void* address, unsigned rank) {
  return cuiClusterAddress(address, rank);
}
inline unsigned __cluster_query_shared_rank(const void* address) {
  return cuiClusterRankOf(address);
}

inline unsigned __isGlobal(const void* pointer) {
  return cuiAddressSpace(pointer) == 1;
}
inline unsigned __isShared(const void* pointer) {
  return cuiAddressSpace(pointer) == 2;
}
inline unsigned __isConstant(const void* pointer) {
  return cuiAddressSpace(pointer) == 3;
}
inline unsigned __isLocal(const void* pointer) {
  return cuiAddressSpace(pointer) == 4;
}
inline unsigned __isGridConstant(const void*) {
  return 0;
}
inline unsigned long __cvta_generic_to_global(const void* pointer) {
  return reinterpret_cast<unsigned long>(pointer);
}
inline unsigned long __cvta_generic_to_shared(const void* pointer) {
  return cuiSharedOffset(pointer);
}
inline unsigned long __cvta_generic_to_local(const void* pointer) {
  return reinterpret_cast<unsigned long>(pointer);
}
inline unsigned long __cvta_generic_to_constant(const void* pointer) {
  return reinterpret_cast<unsigned long>(pointer);
}
inline void* __cvta_global_to_generic(unsigned long address) {
  return reinterpret_cast<void*>(address);
}
inline void* __cvta_shared_to_generic(unsigned long address) {
  return cuiSharedAddress(address);
}
inline void* __cvta_local_to_generic(unsigned long address) {
  return reinterpret_cast<void*>(address);
}
inline void* __cvta_constant_to_generic(unsigned long address) {
  return reinterpret_cast<void*>(address);
}
