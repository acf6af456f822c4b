// How a device writes a record's first slot, for readers on other threads: its tags, which say that it is
// whole, are in the words that come last.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

namespace cui::hostlib::test {

/// `slot`: where four aligned words are.
template <class Record>
void writeAsDevice(void* slot, const Record& record) {
  std::uint64_t words[4];
  static_assert(sizeof record == sizeof words);
  std::memcpy(words, &record, sizeof words);
  auto* to = static_cast<std::uint64_t*>(slot);
  for (const unsigned word : {0u, 3u, 1u, 2u})
    std::atomic_ref<std::uint64_t>(to[word]).store(words[word], std::memory_order_release);
}

}  // namespace cui::hostlib::test
