#include "locate.h"

#include <link.h>

#include "address_space.h"
#include "host_memory.h"

namespace cui::cpu {
namespace {

struct StaticQuery {
  std::uintptr_t begin, end;
  bool found;
};

int visitObject(dl_phdr_info* info, std::size_t, void* context) {
  auto* query = static_cast<StaticQuery*>(context);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr, end = begin + header.p_memsz;
    if (query->begin >= begin && query->end <= end) query->found = true;
  }
  return query->found ? 1 : 0;
}

}  // namespace

bool inWritableStaticStorage(const volatile void* pointer, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  StaticQuery query{begin, begin + bytes, false};
  dl_iterate_phdr(visitObject, &query);
  return query.found;
}

Located locate(const volatile void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Located located;
  if (addressSpace().contains(address)) {
    Allocation a;
    if (!addressSpace().find(address, a)) {
      located.place = Place::unmapped;
      return located;
    }
    located.device = a.device;
    located.place = a.kind == MemoryKind::device    ? Place::device
                    : a.kind == MemoryKind::managed ? Place::managed
                                                    : Place::pinned;
    located.begin = a.address;
    located.bytes = a.bytes;
    return located;
  }
  RegisteredRange range;
  if (findRegistered(address, range)) {
    located.place = Place::pinned;
    located.begin = range.begin;
    located.bytes = range.bytes;
  } else if (inWritableStaticStorage(pointer, 1)) {
    located.place = Place::variable;
  }
  return located;
}

}  // namespace cui::cpu
