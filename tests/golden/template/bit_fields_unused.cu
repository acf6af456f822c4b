// Bit fields, packed members and references of templates that nothing here instantiates (a library's code may), used with and
// without their object, in a base class and in a union without a name.
// expect: return CUI_THIS_FIELD(#, 4, 4, align) + CUI_ARROW_FIELD(#, 4, 4, this)->sign; }
// expect: CUI_THIS_FIELD(#, 4, 4, align) = CUI_FIELD(#, 4, 4, p[1]).sign; }
// expect: return CUI_THIS_FIELD(#, 4, 0, low) + CUI_ARROW_FIELD(#, 4, 0, other)->low; }
// expect: return CUI_THIS_FIELD(#, 4, 0, part) + CUI_ARROW_FIELD(#, 4, 0, d)->part; }
// expect: return CUI_THIS_FIELD(#, 4, 1, last); }
// expect: return CUI_ACCESS(#, CUI_THIS_FIELD(#, 8, 0, vector)[at]); }
// expect: "Behind::get", "part", "this->part", "", "unsigned int", "", "", "its size or place depends on the template's arguments"
// expect: "Virtual::get", "part", "this->part", "", "unsigned int", "", "", "its size or place depends on the template's arguments"
// expect: "Late::get", "low", "this->low", "", "unsigned int", "", "", "its size or place depends on the template's arguments"
// expect: rmw, generic, skipped, 4, 0, "Late::set", "low", "this->low", "", "unsigned int", "", "", "its size or place depends on the template's arguments"
template <class T> struct Plain {
  int width;
  unsigned align : 4, sign : 3;
  T value;
  __device__ unsigned get() const { return align + this->sign; }
  __device__ void set(const Plain* p) { align = p[1].sign; }
};
template <class T> struct Nameless {
  union {
    unsigned low : 7;
    T value;
  };
  T* from;
  __device__ unsigned get(const Nameless* other) const { return low + other->low; }
};
struct Part {
  unsigned part : 3;
};
template <class T> struct Derived : Part {
  T value;
  __device__ unsigned get(Derived* d) const { return part + d->part; }
};
template <class T> struct __attribute__((packed)) Close {
  char first;
  int last;
  T behind;
  __device__ int get() const { return last; }
};
template <class T> struct Iterator {
  const T& vector;
  int at;
  __device__ int get() const { return vector[at]; }
};
template <class T> struct Behind : T, Part {
  __device__ int get() const { return part; }
};
template <class T> struct Virtual : Part {
  __device__ virtual T other() const { return T(); }
  __device__ int get() const { return part; }
};
template <class T> struct Late {
  T value;
  unsigned low : 7;
  __device__ int get() const { return low; }
  __device__ void set() { low = 1; }
};
