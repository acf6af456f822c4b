// Host side: when records and counts are read because of launches that the program does not wait for. In a
// full table of counts every access would be looked for in all places where it may be, and not be counted.
// And what is read while launches go on is written while they do.
#pragma once

#include <cstddef>

namespace cui {
namespace backend {

/// All zeros to begin with.
struct CounterRoom {
  static constexpr unsigned int first = 256;   ///< launches before it is known what they take
  static constexpr unsigned int least = 64;    ///< as reading takes as long as some of them
  static constexpr unsigned int most = 16384;  ///< the device pauses meanwhile, and longer for more
  static constexpr unsigned int retries = 32;  ///< launches before the device is waited for again

  unsigned int launches;  ///< since the table was cleared
  unsigned int room;      ///< launches that it has room for, by those before; 0: not known
  unsigned int waited;    ///< times that the device did not become idle
  unsigned int next;      ///< launch before which it is not waited for again

  /// One more launch: whether the table is to be read before it.
  bool isFilledBy() {
    ++launches;
    return launches > (room == 0 ? first : room) && launches >= next;
  }
  /// The device was not idle in time. A kernel may run for minutes beside many small ones: each time it is
  /// waited for after twice as many.
  void wasBusy() {
    if (waited < 16) ++waited;
    next = launches + (retries << (waited - 1));
  }
  /// `used` of the table's `size` entries are those launches'. A quarter of them may be in use, as what is
  /// looked for is to be in the first place.
  void wasRead(std::size_t used, std::size_t size) {
    if (launches == 0) return;
    const std::size_t holds = used == 0 ? size : size / 4 * launches / used;
    room = static_cast<unsigned int>(holds < least ? least : holds < most ? holds : most);
  }
  /// It has been cleared, or next to nothing is in it.
  void isEmpty() { launches = waited = next = 0; }
};

}  // namespace backend
}  // namespace cui
