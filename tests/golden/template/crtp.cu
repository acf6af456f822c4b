// A base class that reaches the derived one's data.
// expect: return CUI_ACCESS(#, static_cast<const Derived*>(this)->size);
template <class Derived>
struct Shape {
  __device__ int area() const { return static_cast<const Derived*>(this)->size; }
};
struct Square : Shape<Square> {
  int size;
};
__global__ void run(Square* s, int* out) { *out = s->area(); }
