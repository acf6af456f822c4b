#include "hostlib/loops.h"

#include "hostlib/device_forms.h"

namespace cui::hostlib {
namespace {

constexpr std::size_t partSlots = 4096;  ///< many at once, but not beyond what stays in the cache

/// The access's record at the given time round. What is its launch in a record is its step here.
Slot recordAt(const Slot& access, const Slot& header, std::uint64_t time) {
  const std::int64_t step = static_cast<std::int32_t>(launchKeyOf(access));
  Slot record = access;
  // The uppermost bits, which tell rows, are those of the first address: nothing reaches them.
  record.word[0] += static_cast<std::uint64_t>(step) * time;
  record.word[2] = siteOf(access) | (header.word[2] & 0xffffffff'00000000u);
  return record;
}

}  // namespace

bool isLoop(const Slot& header) {
  return format::isLoop(flagsOf(header));
}

std::uint64_t timesOf(const Slot& header) {
  return header.word[0];
}

void expandLoop(const Slot* header, std::vector<Slot>& buffer,
                const std::function<void(const Slot* slots, std::size_t count)>& pass) {
  const std::uint32_t accesses = payloadOf(*header);
  buffer.clear();
  for (std::uint64_t time = 0; time < timesOf(*header); ++time) {
    for (std::uint32_t i = 1; i <= accesses; ++i) {
      const Slot record = recordAt(header[i], *header, time);
      if (hasDeviceForm(record))
        expandDeviceForm(&record, buffer);
      else
        buffer.push_back(record);
    }
    if (buffer.size() < partSlots) continue;
    pass(buffer.data(), buffer.size());
    buffer.clear();
  }
  if (!buffer.empty()) pass(buffer.data(), buffer.size());
}

}  // namespace cui::hostlib
