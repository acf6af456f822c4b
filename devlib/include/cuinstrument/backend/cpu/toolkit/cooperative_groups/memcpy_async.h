// cooperative_groups::memcpy_async: the group's threads copy at once; wait() is a barrier.
#pragma once
#pragma GCC system_header

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class Group, class T, class U>
__device__ inline void memcpy_async(const Group& group, T* destination, const U* source,
                                    unsigned long bytes) {
  char* to = reinterpret_cast<char*>(destination);
  const char* from = reinterpret_cast<const char*>(source);
  for (unsigned long i = group.thread_rank(); i < bytes; i += group.size()) to[i] = from[i];
}
/// In elements, each side with its own count.
template <class Group, class T, class Destination, class Source>
__device__ inline void memcpy_async(const Group& group, T* destination, const Destination& room,
                                    const T* source, const Source& count) {
  const unsigned long elements = static_cast<unsigned long>(room) < static_cast<unsigned long>(count)
                                     ? static_cast<unsigned long>(room)
                                     : static_cast<unsigned long>(count);
  for (unsigned long i = group.thread_rank(); i < elements; i += group.size()) destination[i] = source[i];
}
template <class Group>
__device__ inline void wait(const Group& group) {
  group.sync();
}
template <unsigned int Stage, class Group>
__device__ inline void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
