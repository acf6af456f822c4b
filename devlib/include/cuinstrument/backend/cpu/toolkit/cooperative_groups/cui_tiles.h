// Tiles of a block's threads: of lanes of one warp, or of several warps. A part of cooperative_groups.h,
// which includes it where what it needs is declared and what needs it is not.
#pragma GCC system_header
#if !defined(CUI_COOPERATIVE_GROUPS)
#include "../cooperative_groups.h"
#elif !defined(CUI_TILES)
#define CUI_TILES

namespace cooperative_groups {

namespace cui_detail {

/// Where a tile lies in the group that it is a part of.
class Part {
 public:
  __device__ Part() : threads_(blockThreads()), rank_(threadRank()) {}
  template <class Group>
  __device__ explicit Part(const Group& parent)
      : threads_(static_cast<unsigned int>(parent.size())),
        rank_(static_cast<unsigned int>(parent.thread_rank())) {}
  __device__ unsigned int tiles(unsigned int size) const { return (threads_ + size - 1) / size; }
  __device__ unsigned int number(unsigned int size) const { return rank_ / size; }

 private:
  unsigned int threads_, rank_;
};

/// A tile of lanes of one warp.
template <unsigned int Size>
class LaneTile : public LaneGroup {
 public:
  __device__ LaneTile() : LaneGroup(tileMask(Size)) {}
  __device__ unsigned int thread_rank() const { return lane() % Size; }
};

/// A tile of several warps.
template <unsigned int Size>
class WarpsTile {
 public:
  __device__ void sync() const { cuiTileBarrier(first(), Size); }
  __device__ bool is_valid() const { return true; }
  __device__ unsigned int thread_rank() const { return threadRank() % Size; }
  __device__ int any(int predicate) const { return vote(predicate, true); }
  __device__ int all(int predicate) const { return !vote(predicate, false); }
  template <class T>
  __device__ T shfl(T value, int rank) const {
    return from(value, static_cast<unsigned int>(rank) % Size);
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned int delta) const {
    return from(value, thread_rank() >= delta ? thread_rank() - delta : thread_rank());
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned int delta) const {
    return from(value, thread_rank() + delta < Size ? thread_rank() + delta : thread_rank());
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned int bits) const {
    const unsigned int other = thread_rank() ^ bits;
    return from(value, other < Size ? other : thread_rank());
  }

 private:
  __device__ unsigned int first() const { return threadRank() / Size * Size; }
  template <class T>
  __device__ T from(const T& value, unsigned int rank) const {
    const void* const* all = cuiTileExchange(first(), Size, &value);
    const T result = *static_cast<const T*>(all[first() + rank]);
    sync();
    return result;
  }
  /// Whether some predicate is `wanted`.
  __device__ bool vote(int predicate, bool wanted) const {
    const void* const* all = cuiTileExchange(first(), Size, &predicate);
    bool found = false;
    for (unsigned int i = 0; i < Size; ++i)
      found |= (*static_cast<const int*>(all[first() + i]) != 0) == wanted;
    sync();
    return found;
  }
};

template <unsigned int Size, bool isWide>
struct TileOf {
  using Type = LaneTile<Size>;
};
template <unsigned int Size>
struct TileOf<Size, true> {
  using Type = WarpsTile<Size>;
};

}  // namespace cui_detail

template <unsigned int Size, class Parent = void>
class thread_block_tile : public cui_detail::TileOf<Size, (Size > 32)>::Type {
 public:
  static_assert(Size != 0 && Size <= 1024 && (Size & (Size - 1)) == 0, "a tile's size is a power of two");
  __device__ thread_block_tile() = default;
  template <class Group>
  __device__ explicit thread_block_tile(const Group& parent) : part_(parent) {}
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<Size, Other>& other) : part_(other.cuiPart()) {}
  static constexpr __device__ unsigned int size() { return Size; }
  static constexpr __device__ unsigned int num_threads() { return Size; }
  __device__ unsigned int meta_group_size() const { return part_.tiles(Size); }
  __device__ unsigned int meta_group_rank() const { return part_.number(Size); }
  __device__ const cui_detail::Part& cuiPart() const { return part_; }

 private:
  cui_detail::Part part_;
};

}  // namespace cooperative_groups

#endif
