// What members' own initialisers access, in classes with functions for the device.
// expect: int x = CUI_ACCESS(#, table[2]);
// expect: T x = CUI_ACCESS(#, table[3]);
// expect: int first = CUI_ACCESS(#, CUI_ACCESS(#, from)[0]);
// expect: int x = hostTable[1];
// expect: Plain() : y(1) { CUI_INITIALISED(#, this->x); CUI_INITIALISED_FIELD(#, 4, 4);}
__device__ int table[8];
int hostTable[8];
struct Plain {
  int x = table[2];
  int y : 3;
  __device__ Plain() : y(1) {}
};
template <class T> struct OfTemplate {
  T x = table[3];
  __device__ T get() const { return x; }
};
struct Iterator {
  const int* from;
  int first = from[0];
  __device__ explicit Iterator(const int* p) : from(p) {}
};
struct OfHost {
  int x = hostTable[1];
  OfHost() {}
};
__global__ void k(int* p) {
  Plain plain;
  OfTemplate<int> t;
  Iterator iterator(p);
  p[0] = plain.x + t.get() + iterator.first;
}
void use(int* p) { k<<<1, 32>>>(p + OfHost().x); }
