// Placement new without <new>: nvcc's own headers bring it for the device, and in C++20 for the host.
// standard: 20
// expect: new (&pairs[1]) Pair{CUI_ACCESS(
// expect-not: Clang rejects
struct Pair {
  int first, second;
};

__global__ void placed(Pair* pairs, int* numbers) {
  new (&pairs[1]) Pair{numbers[0], numbers[1]};
  pairs[0] = pairs[1];
}
