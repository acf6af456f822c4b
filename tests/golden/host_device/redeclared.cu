// Where one declaration of a function names sides and another does not, or others, nvcc takes it for both sides.
// expect: int Redeclared::method(int* p) const { return CUI_ACCESS(#, p[CUI_ACCESS(#, x)]); }
// expect: T Redeclared::pattern(T* p) { return CUI_ACCESS(#, p[1]); }
// expect: Redeclared::Redeclared(int* p) : x(CUI_ACCESS(#, p[2]))
// expect: int Redeclared::fixed(int* p) { return CUI_ACCESS(#, p[3]); }
// expect: int Redeclared::operator[](int* p) const { return CUI_ACCESS(#, p[4]); }
// expect: __host__ int Redeclared::onHost(int* p) { return CUI_ACCESS(#, p[5]); }
// expect: int Redeclared::onDevice(int* p) { return CUI_ACCESS(#, p[6]); }
// expect: __host__ __device__ int Redeclared::plain(int* p) { return CUI_ACCESS(#, p[7]); }
// expect: T RedeclaredOf<T>::method(T* p) { return CUI_ACCESS(#, p[0]); }
// expect: U RedeclaredOf<T>::pattern(U* p) { return CUI_ACCESS(#, p[1]); }
// expect: int RedeclaredOf<int>::method(int* p) { return CUI_ACCESS(#, p[2]); }
// expect: int redeclaredFriend(int* p, Redeclared r) { return CUI_ACCESS(#, p[r.x]); }
// expect: int redeclaredBefore(int* p) { return CUI_ACCESS(#, p[1]); }
// expect: int redeclaredAfter(int* p) { return CUI_ACCESS(#, p[2]); }
// expect: int redeclared::inside(int* p) { return CUI_ACCESS(#, p[3]); }
// expect: int overloaded(float* p) { return static_cast<int>(p[0]); }
// expect-not: Clang rejects
struct Redeclared {
  int x;
  __host__ __device__ int method(int* p) const;
  template <class T>
  __host__ __device__ T pattern(T* p);
  __host__ __device__ Redeclared(int* p);
  __host__ __device__ static int fixed(int* p);
  __host__ __device__ int operator[](int* p) const;
  __host__ __device__ int onHost(int* p);
  __device__ int onDevice(int* p);
  int plain(int* p);
  friend __host__ __device__ int redeclaredFriend(int* p, Redeclared r);
};
int Redeclared::method(int* p) const { return p[x]; }
template <class T> T Redeclared::pattern(T* p) { return p[1]; }
Redeclared::Redeclared(int* p) : x(p[2]) {}
int Redeclared::fixed(int* p) { return p[3]; }
int Redeclared::operator[](int* p) const { return p[4]; }
__host__ int Redeclared::onHost(int* p) { return p[5]; }
int Redeclared::onDevice(int* p) { return p[6]; }
__host__ __device__ int Redeclared::plain(int* p) { return p[7]; }
int redeclaredFriend(int* p, Redeclared r) { return p[r.x]; }

template <class T>
struct RedeclaredOf {
  __host__ __device__ T method(T* p);
  template <class U>
  __host__ __device__ U pattern(U* p);
};
template <class T> T RedeclaredOf<T>::method(T* p) { return p[0]; }
template <class T> template <class U> U RedeclaredOf<T>::pattern(U* p) { return p[1]; }
template <> int RedeclaredOf<int>::method(int* p) { return p[2]; }

__device__ int redeclaredBefore(int* p);
int redeclaredAfter(int* p);
namespace redeclared { __device__ int inside(int* p); }
__global__ void redeclarations(int* p, float* q) {
  Redeclared r(p);
  RedeclaredOf<int> i;
  RedeclaredOf<float> f;
  p[0] = r.method(p) + r.pattern(p) + Redeclared::fixed(p) + r[p] + r.onHost(p) + r.onDevice(p) + r.plain(p) + i.method(p) +
         i.pattern(p) + redeclaredFriend(p, r) + redeclaredBefore(p) + redeclared::inside(p);
  q[0] = f.method(q);
}
int redeclaredBefore(int* p) { return p[1]; }
__host__ __device__ int redeclaredAfter(int* p) { return p[2]; }
int redeclared::inside(int* p) { return p[3]; }

// Not one of these pairs: another type.
__device__ int overloaded(int* p) { return p[0]; }
int overloaded(float* p) { return static_cast<int>(p[0]); }
