// cub::CacheModifiedInputIterator and CacheModifiedOutputIterator: pointers, as caches are not modelled. -*-
// C++ -*-
#pragma once
#pragma GCC system_header

#include "../thread/thread_load.cuh"
#include "counting_input_iterator.cuh"

namespace cub {

template <CacheLoadModifier Modifier, class Value, class Offset = ptrdiff_t>
class CacheModifiedInputIterator
    : public cui_detail::Iterator<CacheModifiedInputIterator<Modifier, Value, Offset>, Value> {
 public:
  template <class Qualified>
  __host__ __device__ CacheModifiedInputIterator(Qualified* from) : from_(from) {}
  __host__ __device__ Value at(ptrdiff_t i) const { return from_[i]; }

 private:
  const Value* from_;
};

template <CacheStoreModifier Modifier, class Value, class Offset = ptrdiff_t>
class CacheModifiedOutputIterator
    : public cui_detail::Iterator<CacheModifiedOutputIterator<Modifier, Value, Offset>, Value&> {
 public:
  using value_type = void;
  template <class Qualified>
  __host__ __device__ CacheModifiedOutputIterator(Qualified* to) : to_(to) {}
  __host__ __device__ Value& at(ptrdiff_t i) const { return to_[i]; }

 private:
  Value* to_;
};

}  // namespace cub
