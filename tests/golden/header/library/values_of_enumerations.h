#pragma once
// As Boost's MPL computes the neighbours of a value, in the type of the value.
enum Small { none, one };
template <Small N> struct Value {
  static const Small before = static_cast<Small>(N - 1);
  static const Small behind = static_cast<Small>(N + 1);
  typedef Value<before> Before;
};
template struct Value<none>;
