// The warp record: what one warp's execution of one access site leaves behind.
//
// Written by devlib on either backend, read by hostlib's drain and by db/store.
// Depends on nothing; parses as C++14 under nvcc, Clang and GCC.
// Changing any layout here is a change of recordFormatVersion.
#pragma once

#include "cuinstrument/format/integers.h"

/// The functions below are for both sides of a CUDA translation unit.
#if defined(__CUDACC__)
#define CUI_FORMAT_HD __host__ __device__
#else
#define CUI_FORMAT_HD
#endif

namespace cui {
namespace format {

constexpr uint32_t recordFormatVersion = 1;

/// A record occupies one slot and, where flags say so, payload slots after it.
constexpr uint32_t slotBytes = 32;
constexpr uint32_t lanesPerWarp = 32;

enum class RecordType : uint8_t {
  access = 0,          ///< one warp access
  kernelEntry = 1,     ///< one per grid, from its first block, or of a sample its second
  sharedVariable = 2,  ///< one per grid and __shared__ declaration executed
  barrier = 3,         ///< what a block or a warp has passed: see Mark
};

/// What a record of type `barrier` says; in the place of a space.
enum class Mark : uint8_t {
  blockBarrier = 0,  ///< CPU backend: all threads of the block have passed a barrier
  /// GPU: what the records that one lane of a warp leads from here on come after. block, warp; activeMask =
  /// the lane; address = barriers of the block passed | how many of these were of all blocks << 32; stride =
  /// earlier runs of the grid (a graph's node keeps its number in each run).
  warpProgress = 1,
  /// GPU: what a warp's lanes do in a loop, time after time: see docs/adr/0010-loops.md. address = times
  /// round, bytes = accesses; for each of these a payload slot follows, a record whose `launch` is the
  /// distance between its addresses from one time round to the next. The router writes one record for each
  /// access.
  loop = 2,
  /// GPU, where times are asked for: when the record that one lane of a warp leads next was made. block,
  /// warp; activeMask = the lane; address = ns of the host's clock; bytes = multiprocessor; site, stride:
  /// clockOf().
  time = 3,
};

/// How the lanes' addresses are stored.
enum class AddressForm : uint8_t {
  affine = 0,     ///< lane i (counted from the lowest active lane f) is address + stride * (i - f)
  offsets32 = 1,  ///< 4 payload slots: int32 offset[32] relative to `address`; of inactive lanes anything
  full64 = 2,     ///< 8 payload slots: uint64 address[32]; likewise
  /// Rows of 2^k lanes, all 32 active: lane i is address + stride * (i % 2^k) + rowStride * (i / 2^k).
  /// rowStride is in activeMask, k (1 to 4) in the address's uppermost 3 bits. Also of a part of a warp, in
  /// shared memory, whose addresses leave room for it: partOfRows. From a GPU only; the store has offsets32.
  rows = 3,
};

enum class Space : uint8_t { generic = 0, global = 1, shared = 2, constant = 3, local = 4, texture = 5 };
enum class Kind : uint8_t { load = 0, store = 1, rmw = 2, atomic = 3, copy = 4 };
enum class Status : uint8_t { instrumented = 0, skipped = 1 };

/// Two 16-byte halves, each with a generation tag, so that a reader polling mapped memory can tell
/// without a fence whether both halves of a slot belong to the lap it expects (0 is never valid).
/// Payload slots are written, then fenced, before their header slot.
struct alignas(16) WarpRecord {
  // half A
  uint64_t address;       ///< lowest active lane's; shared: byte offset in the block's shared window
  uint32_t activeMask;    ///< bit i set: lane i took part
  uint16_t warpAndBytes;  ///< warp index in the block (5 bits) | bytes per lane << 5 (11 bits)
  uint8_t flags;          ///< see makeFlags
  uint8_t generationA;
  // half B
  uint32_t siteAndGeneration;  ///< process-wide site index (24 bits) | generation << 24
  uint32_t launch;             ///< launch key: low 32 bits of %gridid (CUDA) or of the launch id (CPU)
  uint32_t block;              ///< linear block index: x + gridDim.x * (y + gridDim.y * z)
  int32_t stride;              ///< bytes between neighbouring lanes (affine only)
};
static_assert(sizeof(WarpRecord) == slotBytes, "a record header is one slot");

/// Bytes per lane that fit in warpAndBytes; an access wider than this stores 0, "see the site".
constexpr uint32_t maxRecordBytes = 2047;
/// Values are kept for accesses of 1 to 16 bytes only.
constexpr uint32_t maxValueBytes = 16;

CUI_FORMAT_HD constexpr uint8_t makeFlags(RecordType type, AddressForm form, Space space, bool hasValues) {
  return static_cast<uint8_t>(static_cast<unsigned>(type) | static_cast<unsigned>(form) << 2 |
                              static_cast<unsigned>(space) << 4 | (hasValues ? 0x80u : 0u));
}
CUI_FORMAT_HD constexpr uint8_t markFlags(Mark mark) {
  return makeFlags(RecordType::barrier, AddressForm::affine, static_cast<Space>(mark), false);
}
CUI_FORMAT_HD constexpr RecordType typeOf(uint8_t flags) {
  return static_cast<RecordType>(flags & 3u);
}
CUI_FORMAT_HD constexpr AddressForm formOf(uint8_t flags) {
  return static_cast<AddressForm>((flags >> 2) & 3u);
}
CUI_FORMAT_HD constexpr Space spaceOf(uint8_t flags) {
  return static_cast<Space>((flags >> 4) & 7u);
}
CUI_FORMAT_HD constexpr Mark markOf(uint8_t flags) {
  return static_cast<Mark>((flags >> 4) & 7u);
}
CUI_FORMAT_HD constexpr bool hasValues(uint8_t flags) {
  return (flags & 0x80u) != 0;
}
CUI_FORMAT_HD constexpr uint16_t makeWarpAndBytes(uint32_t warp, uint32_t bytes) {
  return static_cast<uint16_t>((warp & 31u) | (bytes > maxRecordBytes ? 0u : bytes) << 5);
}
CUI_FORMAT_HD constexpr uint32_t warpOf(const WarpRecord& r) {
  return r.warpAndBytes & 31u;
}
CUI_FORMAT_HD constexpr uint32_t bytesOf(const WarpRecord& r) {
  return r.warpAndBytes >> 5;
}
CUI_FORMAT_HD constexpr uint32_t siteOf(const WarpRecord& r) {
  return r.siteAndGeneration & 0xffffffu;
}
/// Of Mark::time: the low 56 bits of the multiprocessor's clock.
CUI_FORMAT_HD constexpr uint64_t clockOf(const WarpRecord& r) {
  return static_cast<uint64_t>(siteOf(r)) << 32 | static_cast<uint32_t>(r.stride);
}

/// A kernel's entry has in `address` which kernel it is, and above that when the grid began: the low 44 bits
/// of %globaltimer (4.9 hours). A unit does not have so many kernels.
constexpr uint32_t kernelNumberBits = 20;
constexpr uint64_t kernelBeganMask = ~uint64_t{0} >> kernelNumberBits;
/// 0 is left to mean that the time is not told.
CUI_FORMAT_HD constexpr uint64_t kernelAddress(uint32_t number, uint64_t globaltimerNs) {
  return number | ((globaltimerNs & kernelBeganMask) == 0 ? 1 : globaltimerNs) << kernelNumberBits;
}
CUI_FORMAT_HD constexpr uint32_t kernelNumberOf(uint64_t address) {
  return static_cast<uint32_t>(address) & ((1u << kernelNumberBits) - 1);
}
CUI_FORMAT_HD constexpr uint64_t kernelBeganOf(uint64_t address) {
  return address >> kernelNumberBits;
}

CUI_FORMAT_HD constexpr bool isLoop(uint8_t flags) {
  return (flags & 0x73u) == markFlags(Mark::loop);  // type and mark
}
/// No record has a longer payload: addresses and values are as many slots at most, readers take no more.
constexpr uint32_t maxLoopAccesses = 24;
/// Bytes of an access that is recorded together with others: more do not fit the recorder's word for three.
constexpr uint32_t maxTogetherBytes = 1023;

/// Payload slots that follow a header: addresses first, then values (lane i's at i * bytes).
CUI_FORMAT_HD constexpr uint32_t payloadSlots(uint8_t flags, uint32_t bytes) {
  if (isLoop(flags)) return bytes;
  return (formOf(flags) == AddressForm::offsets32 ? 4u
          : formOf(flags) == AddressForm::full64  ? 8u
                                                  : 0u) +
         (hasValues(flags) ? bytes : 0u);
}

/// An access whose header says all, without payload.
CUI_FORMAT_HD constexpr bool isSingleAccess(uint8_t flags) {
  return (flags & 0x8fu) == 0;
}

constexpr uint32_t rowsShift = 61;
/// Such an address has rowStride in bits 32 to 55, and activeMask is that: `address` the lowest active
/// lane's.
constexpr uint64_t partOfRows = uint64_t{1} << 60;
constexpr uint32_t rowStrideShift = 32, rowStrideBits = 24;
CUI_FORMAT_HD constexpr uint64_t addressWithRows(uint64_t address, uint32_t log2Width) {
  return address | static_cast<uint64_t>(log2Width) << rowsShift;
}
CUI_FORMAT_HD constexpr uint32_t log2WidthOf(uint64_t addressWithRows) {
  return static_cast<uint32_t>(addressWithRows >> rowsShift);
}
CUI_FORMAT_HD constexpr uint64_t addressWithoutRows(uint64_t addressWithRows) {
  return addressWithRows & ((uint64_t{1} << rowsShift) - 1);
}

/// A block's place, or a warp's, in the order in which samples take them. The multiples of the golden ratio
/// spread evenly, whatever the grid's width.
CUI_FORMAT_HD constexpr uint32_t sampleOrder(uint32_t number) {
  return number * 0x9e3779b1u;
}
/// Whether it is one of those recorded, of which there are about limit in 2^32; number 0 always is.
CUI_FORMAT_HD constexpr bool isSampled(uint32_t number, uint32_t limit) {
  return sampleOrder(number) <= limit;
}
/// A warp's number for isSampled(); `warp`: its index in the block.
CUI_FORMAT_HD constexpr uint32_t warpNumber(uint32_t linearBlock, uint32_t warp) {
  return linearBlock * 32 + warp;
}
/// Odd, so that comparing the halves says the same.
CUI_FORMAT_HD constexpr uint32_t sampleLimit(uint32_t oneIn) {
  return 0xffffffffu / oneIn | 1u;
}

// Other record types reuse the fields:
//   kernelEntry:    site = the unit's first site index, address = kernelAddress(): kernel number in the unit
//                   and when the grid began (CPU backend: not told), activeMask = threads per block,
//                   block = gridDim.x * y * z (low 32 bits), stride = earlier runs of the grid
//   sharedVariable: site = the unit's first site index, address = offset in the shared window,
//                   activeMask = size in bytes (0: dynamic), stride = shared-variable number in the unit
//   barrier:        block, activeMask = 1: all blocks met; its place among the block's records counts

}  // namespace format
}  // namespace cui
