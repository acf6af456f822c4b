// cooperative_groups::reduce: combined in the order of a butterfly on tiles, of ranks elsewhere.
#pragma once
#pragma GCC system_header

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class Group, class T, class Operator>
__device__ inline T reduce(const Group& group, T value, Operator&& combine) {
  const unsigned int size = static_cast<unsigned int>(group.size());
  if ((size & (size - 1)) == 0) {
    for (unsigned int offset = size / 2; offset > 0; offset /= 2)
      value = combine(value, group.shfl_xor(value, offset));
    return value;
  }
  T result = group.shfl(value, 0);
  for (unsigned int i = 1; i < size; ++i) result = combine(result, group.shfl(value, static_cast<int>(i)));
  return result;
}

}  // namespace cooperative_groups
