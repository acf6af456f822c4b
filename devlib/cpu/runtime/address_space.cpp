#include "address_space.h"

#include "devices.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace cui::cpu {
namespace {

/// Below every library and above the sanitizers' shadows; only a hint, another place works as well.
constexpr std::uintptr_t preferredBase = 0x7e8000000000;
constexpr std::size_t preferredBytes = std::size_t{256} << 30;
constexpr std::size_t smallestBytes = std::size_t{1} << 30;

/// Larger allocations are filled up to here only: a fill must not commit all of a machine's memory.
constexpr std::size_t fillLimitBytes = std::size_t{256} << 20;

constexpr unsigned long long maxConfigured = std::numeric_limits<std::size_t>::max();

std::size_t physicalBytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page)
                               : std::size_t{4} << 30;
}

/// A GPU maps memory in pages of 2 MiB and gives out parts of them: half a page lies behind an allocation on
/// average.
constexpr std::size_t usualSlackBytes = std::size_t{1} << 20;

/// Live allocations with a guard page each. Linux gives a process 65,530 mappings, of which each of these
/// takes two; at the limit not even malloc() has memory any more. Beyond, neighbours are one mapping.
constexpr std::size_t mostGuarded = 16'384;

/// Live allocations with all of the slack, which is what takes most of the addresses; behind others there is
/// this much.
constexpr std::size_t mostSlack = 65'536;
constexpr std::size_t crowdedSlackBytes = std::size_t{16} << 10;

/// A size in the environment: a number with an optional K, M or G.
std::size_t configuredBytes(const char* name, std::size_t smallest, std::size_t otherwise) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return otherwise;
  char* end = nullptr;
  const unsigned long long number = std::strtoull(text, &end, 10);
  const char* suffix = end;
  std::size_t unit = 1;
  if (*suffix == 'K' || *suffix == 'k')
    unit = std::size_t{1} << 10, ++suffix;
  else if (*suffix == 'M' || *suffix == 'm')
    unit = std::size_t{1} << 20, ++suffix;
  else if (*suffix == 'G' || *suffix == 'g')
    unit = std::size_t{1} << 30, ++suffix;
  if (end == text || *suffix != '\0' || *text == '-' || number < smallest || number > maxConfigured / unit) {
    std::fprintf(stderr, "cuinstrument: %s=%s is not a size such as 512M; ignored\n", name, text);
    return otherwise;
  }
  return static_cast<std::size_t>(number) * unit;
}

void* reserveRange(std::uintptr_t at, std::size_t bytes) {
#ifdef MAP_FIXED_NOREPLACE
  const int place = at != 0 ? MAP_FIXED_NOREPLACE : 0;
#else
  const int place = 0;
#endif
  void* mapped =
      mmap(pointerTo(at), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | place, -1, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

}  // namespace

AddressSpace::AddressSpace()
    : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
      slack_(roundedToPages(configuredBytes("CUINSTRUMENT_CPU_SLACK", 0, usualSlackBytes))),
      deviceTotal_(configuredBytes("CUINSTRUMENT_CPU_MEMORY", 1, physicalBytes())) {
  void* base = reserveRange(preferredBase, preferredBytes);
  for (std::size_t bytes = preferredBytes; base == nullptr && bytes >= smallestBytes; bytes /= 2) {
    base = reserveRange(0, bytes);
    if (base != nullptr) bytes_ = bytes;
  }
  if (base == nullptr) return;
  if (bytes_ == 0) bytes_ = preferredBytes;
  base_ = reinterpret_cast<std::uintptr_t>(base);
  // Half for the device, a quarter each for managed and pinned memory.
  const std::size_t quarter = bytes_ / 4;
  parts_[0].next = base_, parts_[0].end = base_ + 2 * quarter;
  parts_[1].next = parts_[0].end, parts_[1].end = parts_[0].end + quarter;
  parts_[2].next = parts_[1].end, parts_[2].end = parts_[1].end + quarter;
  deviceTotal_ = std::min(deviceTotal_, 2 * quarter);
}

std::size_t AddressSpace::roundedToPages(std::size_t bytes) const {
  return (bytes + page_ - 1) / page_ * page_;
}

std::size_t AddressSpace::rangeBytes(std::size_t bytes, MemoryKind kind, bool crowded) const {
  const std::size_t slack = crowded ? std::min(slack_, roundedToPages(crowdedSlackBytes)) : slack_;
  return roundedToPages(bytes) + (kind == MemoryKind::pinned ? 0 : slack) + page_;
}

std::uintptr_t AddressSpace::takeRange(Part& part, std::size_t bytes) {
  if (part.end - part.next >= bytes) {
    const std::uintptr_t begin = part.next;
    part.next += bytes;
    return begin;
  }
  for (auto gap = part.gaps.begin(); gap != part.gaps.end(); ++gap) {
    if (gap->second < bytes) continue;
    const std::uintptr_t begin = gap->first;
    const std::size_t rest = gap->second - bytes;
    part.gaps.erase(gap);
    if (rest != 0) part.gaps.emplace(begin + bytes, rest);
    return begin;
  }
  return 0;
}

void AddressSpace::giveBack(Part& part, std::uintptr_t begin, std::size_t bytes) {
  auto after = part.gaps.lower_bound(begin);
  if (after != part.gaps.end() && begin + bytes == after->first) {
    bytes += after->second;
    after = part.gaps.erase(after);
  }
  if (after != part.gaps.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == begin) {
      before->second += bytes;
      return;
    }
  }
  part.gaps.emplace(begin, bytes);
}

std::uintptr_t AddressSpace::allocate(std::size_t bytes, MemoryKind kind, unsigned flags) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (bytes > bytes_) return 0;  // also keeps the sums below from overflowing
  const bool onDevice = kind == MemoryKind::device;
  if (onDevice && bytes > deviceTotal_ - device_.used) return 0;
  Part& part = parts_[static_cast<int>(kind)];
  const std::size_t range = rangeBytes(bytes, kind, live_.size() >= mostSlack);
  const std::uintptr_t begin = takeRange(part, range);
  if (begin == 0) return 0;
  if (!open(begin, bytes, range, kind, flags)) {
    giveBack(part, begin, range);
    return 0;
  }
  return begin;
}

/// Makes a range of its part an allocation.
bool AddressSpace::open(std::uintptr_t begin, std::size_t bytes, std::size_t range, MemoryKind kind,
                        unsigned flags) {
  const bool guarded = live_.size() < mostGuarded;
  if (mprotect(pointerTo(begin), range - (guarded ? page_ : 0), PROT_READ | PROT_WRITE) != 0) return false;
  // In a place that one without a guard page had before.
  if (guarded && someUnguarded_) mprotect(pointerTo(begin + range - page_), page_, PROT_NONE);
  someUnguarded_ |= !guarded;
  if (kind == MemoryKind::device) {
    device_.add(bytes);
    std::memset(pointerTo(begin), uninitialisedByte, std::min(bytes, fillLimitBytes));
  }
  Allocation made;
  made.address = begin, made.bytes = bytes, made.kind = kind, made.flags = flags;
  made.device = currentDevice();
  made.guarded = guarded;
  made.range = range;
  live_.emplace(begin, made);
  return true;
}

std::uintptr_t AddressSpace::reserve(std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (bytes > deviceTotal_) return 0;
  const std::uintptr_t begin =
      takeRange(parts_[static_cast<int>(MemoryKind::device)], rangeBytes(bytes, MemoryKind::device));
  if (begin != 0) reserved_.insert(begin);
  return begin;
}

bool AddressSpace::allocateReserved(std::uintptr_t address, std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (live_.count(address) != 0 || bytes > deviceTotal_ - device_.used ||
      !open(address, bytes, rangeBytes(bytes, MemoryKind::device), MemoryKind::device, 0))
    return false;
  inReserved_.add(bytes);
  return true;
}

void AddressSpace::unreserve(std::uintptr_t address, std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  reserved_.erase(address);
  if (live_.count(address) == 0)
    giveBack(parts_[static_cast<int>(MemoryKind::device)], address, rangeBytes(bytes, MemoryKind::device));
  else
    inReserved_.used -= bytes;  // now it is an allocation like any other
}

std::size_t AddressSpace::reservedBytesUsed() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return inReserved_.used;
}
std::size_t AddressSpace::reservedBytesHigh() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return inReserved_.high;
}
void AddressSpace::resetReservedHigh() {
  std::lock_guard<std::mutex> lock(mutex_);
  inReserved_.high = inReserved_.used;
}

void AddressSpace::release(Live::iterator allocation) {
  const Allocation& a = allocation->second;
  void* begin = pointerTo(a.address);
  if (a.backing == Backing::own) {
    madvise(begin, a.range, MADV_DONTNEED);
    if (a.guarded) mprotect(begin, a.range, PROT_NONE);
  } else {
    closePages(a.address, a.range);
    close(a.file);
  }
  if (a.kind == MemoryKind::device && a.backing != Backing::imported) device_.used -= a.bytes;
  if (reserved_.count(a.address) == 0)
    giveBack(parts_[static_cast<int>(a.kind)], a.address, a.range);
  else
    inReserved_.used -= a.bytes;
  live_.erase(allocation);
}

bool AddressSpace::free(std::uintptr_t address, MemoryKind kind, MemoryKind orKind) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = live_.find(address);
  if (found == live_.end() || (found->second.kind != kind && found->second.kind != orKind) ||
      found->second.backing == Backing::imported || found->second.backing == Backing::mapped)
    return false;
  release(found);
  return true;
}

void AddressSpace::freeAllOf(int device) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (auto i = live_.begin(); i != live_.end();) {
    const auto next = std::next(i);
    if (i->second.device == device && i->second.backing != Backing::mapped) release(i);
    i = next;
  }
}

bool AddressSpace::find(std::uintptr_t address, Allocation& found) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto inside = holder(live_, address);
  if (inside == live_.end()) return false;
  found = inside->second;
  if (found.backing == Backing::mapped) addNeighbours(inside, found);
  return true;
}

std::size_t AddressSpace::deviceBytesFree() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return deviceTotal_ - device_.used;
}

std::size_t AddressSpace::deviceBytesHigh() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return device_.high;
}
void AddressSpace::resetDeviceHigh() {
  std::lock_guard<std::mutex> lock(mutex_);
  device_.high = device_.used;
}

AddressSpace& addressSpace() {
  static AddressSpace* space =
      new AddressSpace;  // lives as long as the process: destructors free memory late
  return *space;
}

}  // namespace cui::cpu
