// A constructor's member initialisers store to the object, which may be in memory.
// expect: "this->x"
struct Point {
  float x;
  __device__ explicit Point(float v) : x(v) {}
};
__device__ Point* storage;
__global__ void initialised(float v) { *storage = Point(v); }
