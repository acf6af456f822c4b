// cub::WarpMergeSort: as BlockMergeSort, among the lanes of a logical warp. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../block/block_merge_sort.cuh"
#include "warp_reduce.cuh"

namespace cub {

template <class Key, int items, int Lanes = 32, class Value = NullType, int LegacyArchitecture = 0>
class WarpMergeSort : public cui_detail::MergeSort<Key, items, cui_detail::LogicalWarp<Lanes>, Value> {
  using cui_detail::MergeSort<Key, items, cui_detail::LogicalWarp<Lanes>, Value>::MergeSort;
};

}  // namespace cub
