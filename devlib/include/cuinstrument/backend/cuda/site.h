// Device side, at the sites themselves: where an address leads, and whether anything is recorded.
#pragma once

#include "cuinstrument/backend/cuda/entry_points.h"
#include "cuinstrument/device/accessed.h"
#include "cuinstrument/format/record.h"

// Of a unit with very many sites, as the rewriter or the user says (backend.h): nvcc takes twice as long or
// more over what is at each site than over one mere call.
#if defined(CUI_COMPACT_SITES) ? CUI_COMPACT_SITES : defined(CUI_MANY_SITES)
#define CUI_IS_COMPACT 1
#else
#define CUI_IS_COMPACT 0
#endif

namespace cui {
namespace backend {

/// A lane's access as a record describes it.
struct LaneAddress {
  unsigned long long address;
  unsigned int space;
};

/// Shared addresses become offsets in the block's shared window, counted after what the system reserves,
/// so that they start at 0 as on the CPU backend. A block of a cluster has its own window in the cluster's,
/// whose higher bits say which: profiles' sums have something else there (format::countForAll()).
static __device__ __forceinline__ unsigned int sharedOffset(const RecorderConstants& constants,
                                                            const void* pointer) {
  const unsigned int inWindow =
      static_cast<unsigned int>(__cvta_generic_to_shared(pointer)) - constants.sharedBegin;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  return inWindow;
#else
  return inWindow & ((1u << format::offsetBits) - 1);
#endif
}

#if defined(CUI_SPACES_BY_ASSEMBLY)
/// What cicc cannot mistake, and does not know the answer of, so that what it could have left out is asked
/// when it runs: for units whose instrumented form it refused (nvcc_linking.cpp).
#define CUI_IS_IN_SPACE(name, space)                                                                    \
  static __device__ __forceinline__ bool name(const RecorderConstants&, const volatile void* pointer) { \
    unsigned int result;                                                                                \
    asm("{\n\t.reg .pred q;\n\tisspacep." space " q, %1;\n\tselp.u32 %0, 1, 0, q;\n\t}"                 \
        : "=r"(result)                                                                                  \
        : "l"(pointer));                                                                                \
    return result != 0;                                                                                 \
  }
CUI_IS_IN_SPACE(isInShared, "shared")
CUI_IS_IN_SPACE(isInLocal, "local")
CUI_IS_IN_SPACE(isInGlobal, "global")
CUI_IS_IN_SPACE(isInConstant, "const")
CUI_IS_IN_SPACE(isInParameters, "param")
#else
/// What to ask for a space: a pointer to a class of bytes that is asked directly, or at a distance, is asked
/// as one to the class by cicc 12 and 13, which then refuse their own code. So it is perhaps another one,
/// which it never is; the compiler does not know that, and finds its space none the less. Where it makes two
/// loops of one, for each of the two, it asks directly again.
static __device__ __forceinline__ const void* askable(const RecorderConstants& constants,
                                                      const volatile void* pointer) {
  return constants.zero != 0 ? nullptr : const_cast<const void*>(pointer);
}
#define CUI_IS_IN_SPACE(name, intrinsic)                                          \
  static __device__ __forceinline__ bool name(const RecorderConstants& constants, \
                                              const volatile void* pointer) {     \
    return intrinsic(askable(constants, pointer));                                \
  }
CUI_IS_IN_SPACE(isInShared, __isShared)
CUI_IS_IN_SPACE(isInLocal, __isLocal)
CUI_IS_IN_SPACE(isInGlobal, __isGlobal)
CUI_IS_IN_SPACE(isInConstant, __isConstant)
CUI_IS_IN_SPACE(isInParameters, __isGridConstant)
#endif
#undef CUI_IS_IN_SPACE

/// Whether it can be of the thread's own memory: a unit has left these accesses out before (isPrivate()).
#if defined(CUI_LOCAL_ARRAYS) || defined(CUI_RECORDER_MODULE)
constexpr bool mayBeLocal = true;
#else
constexpr bool mayBeLocal = false;
#endif

/// At the site itself: there the compiler often knows the space, and nothing is left of this.
static __device__ __forceinline__ LaneAddress classify(const RecorderConstants& constants,
                                                       const volatile void* pointer) {
  // All questions are asked before any answer is used: no branches.
  const bool shared = isInShared(constants, pointer), local = mayBeLocal && isInLocal(constants, pointer);
  const bool global = isInGlobal(constants, pointer);
  const bool constant = isInConstant(constants, pointer) | isInParameters(constants, pointer);
  LaneAddress result;
  result.address = shared ? sharedOffset(constants, const_cast<const void*>(pointer))
                          : reinterpret_cast<unsigned long long>(pointer);
  // Generic is another block's shared memory in a cluster.
  const format::Space space = shared     ? format::Space::shared
                              : local    ? format::Space::local
                              : constant ? format::Space::constant
                              : global   ? format::Space::global
                                         : format::Space::generic;
  result.space = static_cast<unsigned int>(space);
  return result;
}

/// Of memory that is the thread's own. Where the compiler sees that it is, once it has inlined what is called
/// and unrolled what can be counted, nothing is left of the access, and what is accessed can stay in
/// registers.
static __device__ __forceinline__ bool isPrivate(const RecorderConstants& constants,
                                                 const volatile void* pointer) {
#if defined(CUI_LOCAL_ARRAYS)
  return (void)constants, (void)pointer, false;
#elif CUI_IS_COMPACT && !defined(CUI_SPACES_BY_ASSEMBLY) && !defined(CUI_SPACES_BY_DETOUR)
  // Known as soon as it is inlined: else cicc takes the question through all that it does with thousands of
  // calls, and copies it with each loop that it unrolls. What it refuses is compiled by the detour above.
  return (void)constants, __isLocal(const_cast<const void*>(pointer));
#else
  return isInLocal(constants, pointer);
#endif
}

static __device__ __forceinline__ format::Space spaceOf(unsigned int key) {
  return static_cast<format::Space>(key & ((1u << keyShift) - 1));
}

static __device__ __forceinline__ unsigned int linearBlock() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
static __device__ __forceinline__ unsigned int linearThread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/// Whether what the calling thread does is recorded now, as far as that is the same in its whole block: one
/// question, for cicc makes a copy of a loop for each answer to each that is the same every time round.
static __device__ __forceinline__ bool isOn(const DeviceUnit& unit) {
  return __builtin_expect(blockOrder(linearBlock()) < unit.recordedBlocks, 0);
}

/// The word as it is, but not to the compiler.
static __device__ __forceinline__ unsigned int askedAnew(unsigned int word) {
  asm volatile("" : "+r"(word));
  return word;
}
static __device__ __forceinline__ bool isSampledWarp(const DeviceContext* context) {
  return format::isSampled(format::warpNumber(linearBlock(), linearThread() / 32), context->warpSampleLimit);
}

/// A lane's access at one site.
struct LaneAccess {
  unsigned long long address;
  unsigned int key, bytes;
};

/// Not more than 2^64 of them.
static __device__ __forceinline__ unsigned long long allBlocksOfGrid() {
  return static_cast<unsigned long long>(gridDim.x) * (gridDim.y * gridDim.z);
}
static_assert(forAllBlocks << keyShift == 0, "it is not in the key");
static __device__ __forceinline__ LaneAccess laneAccess(const DeviceUnit& unit, const Accessed& accessed) {
  const LaneAddress own = classify(unit.constants, accessed.address);
  const unsigned long long blocks = (accessed.site & forAllBlocks) != 0 ? allBlocksOfGrid() : 0;
  return {own.address | blocks << format::offsetBits, unit.firstKey + (accessed.site << keyShift | own.space),
          accessed.bytes};
}
using format::maxTogetherBytes;
/// The word of several accesses' bytes, which bytesOfTwo() and bytesOfThree() (one_by_one.h) take apart.
template <class Access>
static __device__ __forceinline__ unsigned int bytesOfAll(const Access& a, const Access& b) {
  return a.bytes | b.bytes << 16;
}
template <class Access>
static __device__ __forceinline__ unsigned int bytesOfAll(const Access& a, const Access& b, const Access& c) {
  return a.bytes | b.bytes << 10 | c.bytes << 20;
}

/// How far a place of a loop moves from the first time round to the second, in bytes.
static __device__ __forceinline__ long long stepOf(const LoopPlace& place) {
  return static_cast<long long>(reinterpret_cast<unsigned long long>(place.cuiSecond) -
                                reinterpret_cast<unsigned long long>(place.cuiFirst));
}
/// Whether it moves equally far each time round, by a distance that records have room for.
static __device__ __forceinline__ bool advancesEvenly(const LoopPlace& place, unsigned int times) {
  const long long step = stepOf(place);
  const long long all = static_cast<long long>(reinterpret_cast<unsigned long long>(place.cuiLast) -
                                               reinterpret_cast<unsigned long long>(place.cuiFirst));
  return (step == static_cast<int>(step)) & (all == step * (times - 1));
}

#if defined(CUI_FEW_REGISTERS)  // they take more registers than a kernel of 1,024 threads has (recorder.h)
constexpr bool hasJointWay = false, hasPartForms = false, claimsAtOnce = false;
#else
constexpr bool hasJointWay = true, hasPartForms = true, claimsAtOnce = true;
#endif

}  // namespace backend
}  // namespace cui
