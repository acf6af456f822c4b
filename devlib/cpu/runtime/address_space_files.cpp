// Memory that is a file without a name: other processes can open it, and it can be at several addresses.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "address_space.h"
#include "devices.h"

namespace cui::cpu {
namespace {

/// Writes memory to the file's beginning.
bool writeAll(int file, std::uintptr_t address, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t written = pwrite(file, pointerTo(address + done), bytes - done, static_cast<off_t>(done));
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

bool mapFile(std::uintptr_t address, std::size_t bytes, int protection, int file, std::size_t offset) {
  return mmap(pointerTo(address), bytes, protection, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file,
              static_cast<off_t>(offset)) != MAP_FAILED;
}

}  // namespace

void AddressSpace::closePages(std::uintptr_t address, std::size_t bytes) {
  // Where the kernel has no more mappings to give, at least nobody may touch it.
  if (mmap(pointerTo(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
           0) == MAP_FAILED)
    mprotect(pointerTo(address), bytes, PROT_NONE);
}

bool AddressSpace::exportAllocation(std::uintptr_t address, Allocation& exported) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = holder(live_, address);
  if (found == live_.end() || found->second.kind != MemoryKind::device) return false;
  Allocation& a = found->second;
  if (a.backing == Backing::own) {
    const std::size_t bytes = roundedToPages(a.bytes);
    const int file = memfd_create("cuinstrument device memory", MFD_CLOEXEC);
    if (file < 0) return false;
    if (ftruncate(file, static_cast<off_t>(bytes)) != 0 || !writeAll(file, a.address, bytes) ||
        !mapFile(a.address, bytes, PROT_READ | PROT_WRITE, file, 0)) {
      close(file);
      return false;
    }
    a.backing = Backing::exported;
    a.file = file;
  }
  exported = a;
  return a.backing == Backing::exported;
}

std::uintptr_t AddressSpace::importAllocation(int file, std::size_t bytes, int device) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (bytes > bytes_) return 0;
  Part& part = parts_[static_cast<int>(MemoryKind::device)];
  const std::size_t range = rangeBytes(bytes, MemoryKind::device), pages = roundedToPages(bytes);
  const std::uintptr_t begin = takeRange(part, range);
  if (begin == 0) return 0;
  if (!mapFile(begin, pages, PROT_READ | PROT_WRITE, file, 0) ||
      mprotect(pointerTo(begin + pages), range - page_ - pages, PROT_READ | PROT_WRITE) != 0) {
    closePages(begin, range);
    giveBack(part, begin, range);
    return 0;
  }
  Allocation made;
  made.address = begin, made.bytes = bytes, made.device = device;
  made.backing = Backing::imported, made.file = file, made.range = range;
  live_.emplace(begin, made);
  return begin;
}

bool AddressSpace::closeImported(std::uintptr_t address) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = live_.find(address);
  if (found == live_.end() || found->second.backing != Backing::imported) return false;
  release(found);
  return true;
}

std::uintptr_t AddressSpace::reserveAligned(std::size_t bytes, std::size_t alignment) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (bytes > bytes_ || alignment > bytes_) return 0;
  Part& part = parts_[static_cast<int>(MemoryKind::device)];
  const std::size_t all = bytes + page_ + alignment;  // a page behind it that nobody can touch
  const std::uintptr_t begin = takeRange(part, all);
  if (begin == 0) return 0;
  const std::uintptr_t aligned = (begin + alignment - 1) / alignment * alignment;
  const std::uintptr_t end = aligned + bytes + page_;
  if (aligned != begin) giveBack(part, begin, aligned - begin);
  if (end != begin + all) giveBack(part, end, begin + all - end);
  return aligned;
}

void AddressSpace::unreserveAligned(std::uintptr_t address, std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  giveBack(parts_[static_cast<int>(MemoryKind::device)], address, bytes + page_);
}

bool AddressSpace::map(std::uintptr_t address, std::size_t bytes, int file, std::size_t offset, int device) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!mapFile(address, bytes, PROT_NONE, file, offset)) return false;
  Allocation made;
  made.address = address, made.bytes = bytes, made.device = device, made.backing = Backing::mapped;
  live_.emplace(address, made);
  return true;
}

void AddressSpace::unmap(std::uintptr_t address) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = live_.find(address);
  if (found == live_.end() || found->second.backing != Backing::mapped) return;
  closePages(address, found->second.bytes);
  live_.erase(found);
}

void AddressSpace::addNeighbours(Live::const_iterator mapping, Allocation& piece) const {
  for (auto next = std::next(mapping); next != live_.end() && next->second.backing == Backing::mapped &&
                                       next->first == piece.address + piece.bytes;
       ++next)
    piece.bytes += next->second.bytes;
  for (auto before = mapping; before != live_.begin();) {
    --before;
    if (before->second.backing != Backing::mapped || before->first + before->second.bytes != piece.address)
      break;
    piece.address = before->first;
    piece.bytes += before->second.bytes;
  }
}

bool AddressSpace::takeDeviceBytes(std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (bytes > deviceTotal_ - device_.used) return false;
  device_.add(bytes);
  return true;
}

void AddressSpace::giveDeviceBytes(std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  device_.used -= bytes;
}

}  // namespace cui::cpu
