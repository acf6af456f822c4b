// What stands for a bit, and cannot be moved: where library code instantiates what asks for it, nothing may be put
// around it. The class's template tells that it is an object; where that may be a reference, or a specialisation
// returns one, it is an access as before.
// standard: 17 20
// expect: return Bit(bits[i]);
// expect: return CUI_ACCESS(#, values[i]);
// expect: return bool(CUI_ACCESS(#, specialised[i]));
// expect-not: "bits[i]"
// expect: load, generic, instrumented, 0, 0, "Flags::value", "values[i]"
#include <cuda_runtime.h>

template <class Word>
struct Bits {
  struct Reference {
    Word* word;
    Word mask;
    __device__ Reference(Word* of, int bit) : word(of), mask(Word(1) << bit) {}
    Reference(const Reference&) = default;
    Reference(Reference&&) = delete;
    __device__ operator bool() const { return (*word & mask) != 0; }
  };
  Word* words;
  __device__ Reference operator[](int i) { return Reference(words + i / 8, i % 8); }
  __device__ bool operator[](int i) const { return (words[i / 8] >> i % 8 & 1) != 0; }
};

template <class T>
struct Values {
  T* values;
  __device__ T& operator[](int i) const { return values[i]; }
};

template <class Word>
struct Some {
  struct Reference {
    Word word;
    __device__ explicit operator bool() const { return word != 0; }
  };
  Word* words;
  __device__ Reference operator[](int i) const { return Reference{words[i]}; }
};
template <>
struct Some<int> {
  int* words;
  __device__ int& operator[](int i) const { return words[i]; }
};

template <class T>
struct Flags {
  using Bit = typename Bits<T>::Reference;
  Bits<T> bits;
  Values<T> values;
  Some<T> specialised;
  __device__ Bit bit(int i) { return Bit(bits[i]); }
  __device__ T value(int i) const { return values[i]; }
  __device__ bool some(int i) const { return bool(specialised[i]); }
};
