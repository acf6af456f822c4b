// cooperative_groups::inclusive_scan and exclusive_scan.
#pragma once
#pragma GCC system_header

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class Group, class T, class Operator>
__device__ inline T inclusive_scan(const Group& group, T value, Operator&& combine) {
  for (unsigned int offset = 1; offset < group.size(); offset *= 2) {
    const T below = group.shfl_up(value, offset);
    if (group.thread_rank() >= offset) value = combine(below, value);
  }
  return value;
}
template <class Group, class T>
__device__ inline T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
/// The first thread gets T(); for an operator other than plus its result means nothing, as in CUDA.
template <class Group, class T, class Operator>
__device__ inline T exclusive_scan(const Group& group, T value, Operator&& combine) {
  const T below = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? T() : below;
}
template <class Group, class T>
__device__ inline T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
