// What members' own initialisers access, in classes with functions for the device, and in those without any function, which are for
// both sides unless what they name is the host's.
// expect: struct Bare { int x = CUI_ACCESS(#, table[4]); };
// expect: T x = CUI_ACCESS(#, table[5]); };
// expect: struct Listed { int x = CUI_ACCESS(#, table[6]); int y; };
// expect: struct Launching { int x = (CUI_LAUNCH(#, start CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(1)CUI_LAUNCH_CLOSE(>>>)()), 0); };
// expect: struct BareOfHost { int x = hostTable[2]; };
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
struct Bare { int x = table[4]; };
template <class T> struct BareTemplate { T x = table[5]; };
struct Listed { int x = table[6]; int y; };
struct BareOfHost { int x = hostTable[2]; };
__global__ void start() {}
struct Launching { int x = (start<<<1, 1>>>(), 0); };
struct OfHost {
  int x = hostTable[1];
  OfHost() {}
};
__global__ void k(int* p) {
  Plain plain;
  OfTemplate<int> t;
  Iterator iterator(p);
  p[0] = plain.x + t.get() + iterator.first;
  Bare bare;
  BareTemplate<int> ofTemplate;
  p[1] = bare.x + ofTemplate.x + Bare{}.x;
  Listed listed{};
  p[2] = listed.x;
}
void use(int* p) { k<<<1, 32>>>(p + OfHost().x + BareOfHost().x + Launching().x); }
