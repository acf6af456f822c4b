// `new` in device code stores an object: recorded through the pointer that comes back, where no constructor of the program's
// does, whose own members are recorded.
// expect: CUI_POINTER(#, new (&pairs[1]) Pair{CUI_ACCESS(
// expect: CUI_POINTER(#, new (memory) int(3));
// expect: CUI_POINTER(#, ::new (static_cast<void*>(numbers + i)) int(CUI_ACCESS(
// expect: int* kept = CUI_POINTER(#, new (numbers) int());
// expect: { return CUI_POINTER(#, new Pair{1, 2}); }
// expect: CUI_POINTER(#, new (pairs) Pair(CUI_ACCESS(#, pairs[1])));
// expect: CUI_POINTER(#, new (memory) Defaults);
// expect: CUI_POINTER(#, new (to) T(CUI_ACCESS(#, value)));
// expect: CUI_MACRO_POINTER(#, new (where) Pair{1, 2})
// expect-not: CUI_POINTER(#, new (memory) Own
// expect: new (memory) Own(4);
// expect: new (memory) Base;
// expect: an array that new makes
// expect: stored by a constructor in another instantiation
// expect: new (memory) Held;
// expect: new (numbers) int;
// expect: new (pairs) Pair;
// expect: new (&local) int(5);
// expect: CUI_ARROW_FIELD(#, 8, 0, new (numbers) int[2]{1, 2});
// expect: CUI_ARROW_FIELD(#, 16, 0, new float[4]{});
// expect: new (numbers) int[i]();
// expect: CUI_ARROW_FIELD(#, 4, 4, new (memory) Mixed{Own(1), 2});
// expect: new (at) T(value);
#include <new>

struct Pair {
  int first, second;
};

struct Own {
  int value;
  __device__ Own(int v) : value(v) {}
};

struct Mixed {
  Own own;
  int more;
};

struct Defaults {
  int value = 7;
};

struct Base : Own {
  using Own::Own;
  __device__ Base() : Own(1) {}
};

struct Held {
  Base base;
};

#define MAKE(where) new (where) Pair{1, 2}

__global__ void places(Pair* pairs, int* numbers, void* memory, int i) {
  new (&pairs[1]) Pair{numbers[0], numbers[1]};
  new (memory) int(3);
  ::new (static_cast<void*>(numbers + i)) int(numbers[0]);
  int* kept = new (numbers) int();
  *kept = 1;
  new (pairs) Pair(pairs[1]);
  new (memory) Defaults;
  new (memory) Own(4);
  new (memory) Base;
  new (memory) Held;
  new (numbers) int;
  new (pairs) Pair;
  int local;
  new (&local) int(5);
  new (numbers) int[2]{1, 2};
  delete[] new float[4]{};
  new (numbers) int[i]();
  new (memory) Mixed{Own(1), 2};
  MAKE(pairs + i);
}

__device__ Pair* onHeap() { return new Pair{1, 2}; }

template <class T>
__device__ void construct(T* to, const T& value) {
  new (to) T(value);
}

// Where the instantiations disagree, it is said.
template <class T>
__device__ void either(void* at, int value) {
  new (at) T(value);
}

__global__ void templates(int* numbers, Pair* pairs) {
  construct(numbers, 1);
  construct(pairs, *onHeap());
  either<int>(numbers, 2);
  either<Own>(numbers, 2);
}
