// Functions for both sides that call the host's, of which nvcc warns: the device never comes there. To Clang that is an error, by
// which it would lose the call where other units could call the function.
// expect: T first(F function, T* p) { CUI_ACCESS(#, p[0]) = 1; return onHost(CUI_ACCESS(#, p[1])) + function(CUI_ACCESS(#, p[2])); }
// expect: int second(int* p) { if (CUI_ACCESS(#, p[0]) < 0) return onHost(CUI_ACCESS(#, p[1])); return CUI_ACCESS(#, p[2]); }
// expect: { Circle circle = around(CUI_ACCESS(#, CUI_ACCESS(#, points)[CUI_ACCESS(#, corners[0])])); return circle.radius + CUI_ACCESS(#, corners[1]); }
// expect: Triangle::Triangle(int* p) : points(nullptr), corners{onHost(CUI_ACCESS(#, p[0])), 0} { CUI_INITIALISED(#, this->points); CUI_INITIALISED(#, this->corners);}
// expect-not: Clang cannot tell what it is
// expect-not: Clang rejects
int onHost(int i) { return i; }
template <class F, class T> __host__ __device__ T first(F function, T* p) { p[0] = 1; return onHost(p[1]) + function(p[2]); }
__host__ __device__ int second(int* p) { if (p[0] < 0) return onHost(p[1]); return p[2]; }
struct Twice { __host__ __device__ int operator()(int i) const { return 2 * i; } };
struct Circle { float x, radius; };
struct Point { float x; };
Circle around(Point a);
struct Triangle {
  Point* points;
  int corners[2];
  __host__ __device__ Triangle(int* p);
  __host__ __device__ float size() const;
};
__host__ __device__ Triangle::Triangle(int* p) : points(nullptr), corners{onHost(p[0]), 0} {}
__host__ __device__ float Triangle::size() const { Circle circle = around(points[corners[0]]); return circle.radius + corners[1]; }
__global__ void both(int* p) { p[0] = first(Twice(), p) + second(p); }
