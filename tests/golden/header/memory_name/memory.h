// Needs what only its includer has, as a header of a library's would.
#pragma once
template <class T>
__device__ T moved(T* to, const T* from) {
  return *to = *from;
}
__device__ inline Word asWord(int value) { return static_cast<Word>(value); }
