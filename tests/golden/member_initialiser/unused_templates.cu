// Bit fields and references of templates that nothing here instantiates (a library's code may): where they lie is the same in all
// instances as long as nothing in front of them depends on the arguments, but for pointers and references, whatever they lead to.
// expect: : width(1), align(Align::none), fill() { CUI_INITIALISED_FIELD(#, 1, 4); CUI_INITIALISED(#, this->width); CUI_INITIALISED_FIELD(#, 4, 4); CUI_INITIALISED(#, this->fill);}
// expect: WithPointer(T* p, T& r) : p(p), r(r), kind(Kind::one) { CUI_INITIALISED(#, this->p); CUI_INITIALISED_FIELD(#, 8, 8); CUI_INITIALISED_FIELD(#, 1, 16);}
// expect: : Specs<int>(), sign(Align::left) { CUI_INITIALISED_FIELD(#, 4, 12);}
// expect: Behind(T v) : value(v), align(Align::none) { CUI_INITIALISED(#, this->value);}
// expect: "Above::Above", "this->align", "this->align", "", "Align", "", "", "its size or place depends on the template's arguments"
// expect: "Virtual::Virtual", "this->align", "this->align", "", "Align", "", "", "its size or place depends on the template's arguments"
// expect: Width() : align(Align::left) { CUI_INITIALISED_FIELD(#, 4, 0);}
// expect: InUnion() : align(Align::left) { CUI_INITIALISED_FIELD(#, 4, 0);}
// expect: Close() : last(2) { CUI_INITIALISED_FIELD(#, 4, 1);}
// expect: "Behind::Behind", "this->align", "this->align", "", "Align", "", "", "its size or place depends on the template's arguments"
// expect: "First::First", "this->x", "this->x", "", "T", "", "", "its size or place depends on the template's arguments"
// expect: "WidthFirst::WidthFirst", "this->x", "this->x", "", "unsigned int", "", "", "its size or place depends on the template's arguments"
enum class Kind : unsigned char { none, one };
enum class Align { none, left };
template <class T> struct Specs {
  int width;
  Align align : 4;
  bool alternative : 1 = false;
  T fill;
  __host__ __device__ constexpr Specs() : width(1), align(Align::none), fill() {}
};
template <class T> struct WithPointer {
  T* p;
  T& r;
  Kind kind : 3;
  __device__ WithPointer(T* p, T& r) : p(p), r(r), kind(Kind::one) {}
};
template <class T> struct Derived : Specs<int> {
  Align sign : 5;
  T more;
  __device__ Derived() : Specs<int>(), sign(Align::left) {}
};
template <class T> struct Behind {
  T value;
  Align align : 4;
  __device__ Behind(T v) : value(v), align(Align::none) {}
};
template <class T> struct Above : T {
  Align align : 4;
  __device__ Above() : align(Align::none) {}
};
template <class T> struct Virtual {
  Align align : 4;
  __device__ Virtual() : align(Align::none) {}
  __device__ virtual T get() const { return T(); }
};
template <unsigned N> struct Width {
  Align align : 4;
  unsigned more : N;
  __device__ Width() : align(Align::left) {}
};
template <class T> union InUnion {
  T value;
  Align align : 4;
  __device__ InUnion() : align(Align::left) {}
};
template <class T> struct __attribute__((packed)) Close {
  char first;
  int last;
  T behind;
  __device__ Close() : last(2) {}
};
template <class T> struct __attribute__((packed)) First {
  T x;
  __device__ First() : x() {}
};
template <unsigned N> struct WidthFirst {
  unsigned x : N;
  __device__ WidthFirst() : x(1) {}
  __device__ unsigned get() const { return x; }
};
