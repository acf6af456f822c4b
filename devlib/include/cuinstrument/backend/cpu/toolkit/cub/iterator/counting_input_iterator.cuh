// CUB's iterators: values that are computed where they are read. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include <cstddef>
#include <iterator>

#include "../cui_common.cuh"

namespace cub {

namespace cui_detail {

/// Derived has `at(position)`, which gives a Value.
template <class Derived, class Value>
class Iterator {
 public:
  using value_type = Value;
  using reference = Value;
  using pointer = const std::remove_reference_t<Value>*;
  using difference_type = ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  __host__ __device__ Value operator*() const { return self().at(position_); }
  __host__ __device__ Value operator[](difference_type i) const { return self().at(position_ + i); }
  __host__ __device__ Derived& operator+=(difference_type n) {
    position_ += n;
    return static_cast<Derived&>(*this);
  }
  __host__ __device__ Derived& operator-=(difference_type n) { return *this += -n; }
  __host__ __device__ Derived& operator++() { return *this += 1; }
  __host__ __device__ Derived operator++(int) {
    Derived before = self();
    *this += 1;
    return before;
  }
  __host__ __device__ Derived operator+(difference_type n) const {
    Derived moved = self();
    return moved += n;
  }
  __host__ __device__ Derived operator-(difference_type n) const { return *this + -n; }
  __host__ __device__ difference_type operator-(const Iterator& other) const {
    return position_ - other.position_;
  }
  __host__ __device__ bool operator==(const Iterator& other) const { return position_ == other.position_; }
  __host__ __device__ bool operator!=(const Iterator& other) const { return position_ != other.position_; }

 private:
  __host__ __device__ const Derived& self() const { return static_cast<const Derived&>(*this); }
  difference_type position_ = 0;
};

}  // namespace cui_detail

template <class Value, class Offset = ptrdiff_t>
class CountingInputIterator : public cui_detail::Iterator<CountingInputIterator<Value, Offset>, Value> {
 public:
  __host__ __device__ explicit CountingInputIterator(Value first) : first_(first) {}
  __host__ __device__ Value at(ptrdiff_t i) const {
    return static_cast<Value>(first_ + static_cast<Value>(i));
  }

 private:
  Value first_;
};

template <class Value, class Offset = ptrdiff_t>
class ConstantInputIterator : public cui_detail::Iterator<ConstantInputIterator<Value, Offset>, Value> {
 public:
  __host__ __device__ explicit ConstantInputIterator(Value value, Offset = 0) : value_(value) {}
  __host__ __device__ Value at(ptrdiff_t) const { return value_; }

 private:
  Value value_;
};

template <class Value, class Conversion, class Input, class Offset = ptrdiff_t>
class TransformInputIterator
    : public cui_detail::Iterator<TransformInputIterator<Value, Conversion, Input, Offset>, Value> {
 public:
  __host__ __device__ TransformInputIterator(Input input, Conversion conversion)
      : input_(input), conversion_(conversion) {}
  __host__ __device__ Value at(ptrdiff_t i) const { return conversion_(input_[i]); }

 private:
  Input input_;
  Conversion conversion_;
};

/// Pairs of a position and the value there.
template <class Input, class Offset = ptrdiff_t,
          class Output = typename std::iterator_traits<Input>::value_type>
class ArgIndexInputIterator : public cui_detail::Iterator<ArgIndexInputIterator<Input, Offset, Output>,
                                                          KeyValuePair<Offset, Output>> {
 public:
  __host__ __device__ explicit ArgIndexInputIterator(Input input) : input_(input) {}
  __host__ __device__ KeyValuePair<Offset, Output> at(ptrdiff_t i) const {
    return {static_cast<Offset>(i), static_cast<Output>(input_[i])};
  }

 private:
  Input input_;
};

/// What is stored through it is gone.
template <class Offset = ptrdiff_t>
class DiscardOutputIterator {
 public:
  using value_type = NullType;
  using reference = NullType&;
  using pointer = NullType*;
  using difference_type = Offset;
  using iterator_category = std::random_access_iterator_tag;
  __host__ __device__ NullType& operator*() { return nothing_; }
  __host__ __device__ NullType& operator[](Offset) { return nothing_; }
  __host__ __device__ DiscardOutputIterator& operator++() { return *this; }
  __host__ __device__ DiscardOutputIterator operator+(Offset) const { return *this; }

 private:
  NullType nothing_;
};

}  // namespace cub
