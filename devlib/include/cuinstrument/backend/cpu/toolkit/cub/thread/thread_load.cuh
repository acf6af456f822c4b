// cub::ThreadLoad and ThreadStore: caches are not modelled, so that a modifier changes nothing. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../cui_common.cuh"

namespace cub {

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheLoadModifier Modifier, class Iterator>
__device__ auto ThreadLoad(Iterator from) {
  auto value = *from;
  return value;
}
template <CacheStoreModifier Modifier, class Iterator, class T>
__device__ void ThreadStore(Iterator to, T value) {
  *to = value;
}

}  // namespace cub
