// A constructor's member initialisers store to the object, which may be in memory.
// expect: __device__ explicit Point(float v) : x(v) { CUI_INITIALISED(#, this->x);}
// expect: store, generic, instrumented, 4, 0, "Point::Point", "this->x"
struct Point {
  float x;
  __device__ explicit Point(float v) : x(v) {}
};
__device__ Point* storage;
__global__ void initialised(float v) { *storage = Point(v); }
