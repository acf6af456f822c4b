// Where the runtime's memory lives: one reserved address range at a fixed place, so that a program's
// addresses, and with them its traces, are the same from run to run.
//
// The range has three parts (device, managed, pinned host). Every allocation has its own pages, with an
// inaccessible page behind it; freed pages become inaccessible and are given out again only when the rest
// of the part is used up. Touching freed or foreign memory therefore faults instead of going unnoticed.
// Behind device and managed memory some may be touched, as on a GPU: programs that read a little too far run
// there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>

#include "address_map.h"

namespace cui::cpu {

/// Addresses are computed as integers and handed out as pointers here only.
inline void* pointerTo(std::uintptr_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

enum class MemoryKind { device, managed, pinned };

/// What an allocation's pages are. A file in memory is what other processes can open.
enum class Backing {
  own,       ///< the process's alone
  exported,  ///< a file of this process
  imported,  ///< a file of another process
  mapped,    ///< by cuMemMap: part of a file, whose bytes are counted with the file
};

struct Allocation {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;  ///< as asked for
  MemoryKind kind = MemoryKind::device;
  unsigned flags = 0;  ///< of cudaHostAlloc, cudaMallocManaged
  int device = 0;      ///< the one that was current
  Backing backing = Backing::own;
  int file = -1;          ///< of one that is exported or imported
  bool guarded = true;    ///< a page that nobody may touch is behind it, as is the whole once it is freed
  std::size_t range = 0;  ///< what is taken: the pages, what may be touched behind them, a guard page
};

class AddressSpace {
 public:
  AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// Page-aligned memory; 0 if there is none. Device memory is filled with `uninitialisedByte`.
  std::uintptr_t allocate(std::size_t bytes, MemoryKind kind, unsigned flags);
  /// A place for an allocation of a graph, which comes and goes there; 0 if there is none.
  std::uintptr_t reserve(std::size_t bytes);
  /// Begins the allocation in a reserved place; false: it has begun already, or there is no memory.
  bool allocateReserved(std::uintptr_t address, std::size_t bytes);
  /// Gives the place back, once the allocation in it has been freed.
  void unreserve(std::uintptr_t address, std::size_t bytes);
  /// Device memory allocated in reserved places, and the most there has been since the last reset.
  std::size_t reservedBytesUsed() const;
  std::size_t reservedBytesHigh() const;
  void resetReservedHigh();

  // --- memory in files (address_space_files.cpp)
  /// Moves the device allocation that contains `address` into a file that other processes can open, if it is
  /// not in one; false: there is none, or no file. No kernel may be running.
  bool exportAllocation(std::uintptr_t address, Allocation& exported);
  /// Another process's exported allocation as one of this process's, which owns `file` then; 0 if there is no
  /// place.
  std::uintptr_t importAllocation(int file, std::size_t bytes, int device);
  /// Ends an imported allocation; false: there is none at `address`.
  bool closeImported(std::uintptr_t address);
  /// An address range for mappings: whole pages, aligned; 0 if there is none.
  std::uintptr_t reserveAligned(std::size_t bytes, std::size_t alignment);
  void unreserveAligned(std::uintptr_t address, std::size_t bytes);
  /// Puts [offset, offset + bytes) of a file at an address that reserveAligned() gave; nobody may touch it
  /// yet.
  bool map(std::uintptr_t address, std::size_t bytes, int file, std::size_t offset, int device);
  /// Takes away the mapping that begins at `address`.
  void unmap(std::uintptr_t address);
  /// Counts memory that is in a file, not at an address; false: there is not as much.
  bool takeDeviceBytes(std::size_t bytes);
  void giveDeviceBytes(std::size_t bytes);

  /// Frees the allocation that begins at `address` if it is of one of the two kinds; false: there is none.
  bool free(std::uintptr_t address, MemoryKind kind, MemoryKind orKind);
  /// The allocation that contains `address`; false if none does.
  bool find(std::uintptr_t address, Allocation& found) const;
  /// Whether `address` is in the reserved range, allocated or not.
  bool contains(std::uintptr_t address) const { return address - base_ < bytes_; }
  /// Frees everything that was allocated while the device was current.
  void freeAllOf(int device);

  std::size_t deviceBytesTotal() const { return deviceTotal_; }
  std::size_t deviceBytesFree() const;
  /// The most that there has been since the last reset.
  std::size_t deviceBytesHigh() const;
  void resetDeviceHigh();

  static constexpr unsigned char uninitialisedByte = 0xCD;

 private:
  /// Bytes of a kind, now and at most since the last reset.
  struct Level {
    std::size_t used = 0, high = 0;
    void add(std::size_t bytes) {
      used += bytes;
      high = std::max(high, used);
    }
  };
  struct Part {
    std::uintptr_t next = 0, end = 0;            ///< never used so far: [next, end)
    std::map<std::uintptr_t, std::size_t> gaps;  ///< freed: begin -> bytes, neighbours merged
  };
  bool open(std::uintptr_t begin, std::size_t bytes, std::size_t range, MemoryKind kind, unsigned flags);
  std::uintptr_t takeRange(Part& part, std::size_t bytes);
  void giveBack(Part& part, std::uintptr_t begin, std::size_t bytes);
  using Live = std::map<std::uintptr_t, Allocation>;
  void release(Live::iterator allocation);
  /// The allocation that contains `address`; the end if none does.
  template <class Map>
  static auto holder(Map& live, std::uintptr_t address) {
    const auto found = lastNotBehind(live, address);
    return found != live.end() && address - found->first < found->second.bytes ? found : live.end();
  }
  /// Makes nothing of pages again, whatever was there.
  static void closePages(std::uintptr_t address, std::size_t bytes);
  /// Mappings that touch are one piece of memory.
  void addNeighbours(Live::const_iterator mapping, Allocation& piece) const;
  std::size_t roundedToPages(std::size_t bytes) const;
  /// What an allocation of so many bytes takes. crowded: it is one of very many, behind which little may be
  /// touched.
  std::size_t rangeBytes(std::size_t bytes, MemoryKind kind, bool crowded = false) const;

  mutable std::mutex mutex_;
  std::uintptr_t base_ = 0;
  std::size_t bytes_ = 0;
  std::size_t page_ = 0;
  std::size_t slack_ = 0;  ///< what may be touched behind device and managed memory
  std::size_t deviceTotal_ = 0;
  Level device_;
  Part parts_[3];
  Live live_;
  bool someUnguarded_ = false;  ///< there have been
  std::set<std::uintptr_t> reserved_;
  Level inReserved_;  ///< of device_, what lies in reserved ranges
};

/// The process's address space.
AddressSpace& addressSpace();

}  // namespace cui::cpu
