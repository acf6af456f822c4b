// The block's shared window: gives each __shared__ variable an offset, as the hardware's layout would,
// and tells which space an address belongs to.
//
// A __shared__ variable is thread_local, so the worker thread's copy is the block's. Offsets are given in
// the order in which a block's threads reach the declarations (or first touch an undeclared variable), at
// multiples of 128 bytes: bank and sector numbers come out as on a device.
#pragma once

#include <cstdint>
#include <vector>

#include "cuinstrument/format/record.h"

namespace cui::cpu {

/// Everything a GPU can give a block, dynamic and static together.
constexpr std::uint32_t sharedWindowBytes = 232448;

class SharedWindow {
 public:
  SharedWindow();

  /// A new block, with this many bytes of dynamic shared memory.
  void reset(std::uint64_t dynamicBytes);

  struct Variable {
    std::uintptr_t begin, end;
    std::uint32_t offset;
  };
  /// Gives the variable its offset; `fresh` tells whether this was the first time in the block.
  const Variable& announce(std::uintptr_t address, std::size_t bytes, bool& fresh);

  /// Whether `address` may be shared: a cheap test with false alarms, never a miss.
  bool mayContain(std::uintptr_t address) const {
    return address - blockBegin_ < blockBytes_ || (strays_ && findVariable(address) != nullptr);
  }
  /// Whether something between the two addresses may be: as cheap, and as careful.
  bool mayMeet(std::uintptr_t lowest, std::uintptr_t highest) const {
    return strays_ || (lowest < blockBegin_ + blockBytes_ && highest >= blockBegin_);
  }
  /// What leads from an address to its offset, if both are in one variable that has its place.
  bool shiftWithin(std::uintptr_t lowest, std::uintptr_t highest, std::uint64_t& shift) const {
    const Variable* variable = findVariable(lowest);
    if (variable == nullptr || highest >= variable->end) return false;
    shift = variable->offset - variable->begin;
    return true;
  }
  /// The offset of a shared address; false if it is not shared memory after all.
  bool translate(std::uintptr_t address, std::size_t bytes, std::uint64_t& offset);

  /// The address that has this offset, 0 if none has.
  std::uintptr_t address(std::uint64_t offset) const;

  /// This thread's copy of the program's thread-local storage: the block's shared memory is there.
  std::uintptr_t begin() const { return blockBegin_; }
  bool holds(std::uintptr_t address) const { return address - blockBegin_ < blockBytes_; }
  bool mayHold(std::uintptr_t lowest, std::uintptr_t highest) const {
    return lowest < blockBegin_ + blockBytes_ && highest >= blockBegin_;
  }

 private:
  const Variable* findVariable(std::uintptr_t address) const;
  const Variable& add(std::uintptr_t address, std::size_t bytes);

  std::uintptr_t blockBegin_, blockBytes_;  ///< this thread's copy of the program's thread-local storage
  std::uintptr_t dynamicBegin_;
  std::uint64_t dynamicBytes_ = 0;
  std::vector<Variable> variables_;
  std::uint32_t next_ = 0;
  bool strays_ = false;  ///< a variable lies outside the program's own thread-local storage (a library's)
};

}  // namespace cui::cpu

extern "C" {
/// The buffer of every `extern __shared__` array.
extern __thread char cuiDynamicShared[cui::cpu::sharedWindowBytes];
}
