// A virtual function is found through a pointer at the beginning of the object, which the call reads; not
// where the compiler knows the function. A virtual base class is found through it, too. Constructors store it.
// expect: CUI_INITIALISED_FIELD(#, 8, 0); CUI_INITIALISED_FIELD(#, 8, 16); CUI_INITIALISED(#, this->side);
// expect: return CUI_THIS_FIELD(#, 8, 0, area)() + CUI_ARROW_FIELD(#, 8, 0, this)->area() + Shape::operator()(1);
// expect: = CUI_ARROW_FIELD(#, 8, 0, CUI_ACCESS(#, shapes[i]))->area();
// expect: CUI_FIELD(#, 8, 0, one).area() + CUI_FIELD(#, 8, 0, one)(2);
// expect: = squares[i].area();
// expect: CUI_FIELD(#, 8, 16, rounds[i]).length() + CUI_ARROW_FIELD(#, 8, 16, rounds)->length();
// expect: = own.area();
// expect: CUI_ACCESS(#, CUI_ARROW_FIELD(#, 8, 0, left)->b)
// expect: CUI_ACCESS(#, fixed->b)
// expect: "a virtual destructor"
// expect: "a pointer that its object has in some instantiations"
struct Shape {
  int id;
  __device__ virtual float area() const = 0;
  __device__ virtual void grow(float by) { id += 1; }
  __device__ virtual Shape& operator+=(int more) {
    id += more;
    return *this;
  }
  __device__ virtual float operator()(float x) const { return x; }
  __device__ virtual operator int() const { return id; }
  __device__ virtual ~Shape() {}
  __device__ float twice() const { return area() + this->area() + Shape::operator()(1); }
};
struct Named {
  int name;
  __device__ virtual int length() const { return name; }
};
struct Square final : Shape, Named {
  float side;
  __device__ Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Round : Shape, Named {
  float radius;
  __device__ float area() const override { return radius * radius; }
};

__global__ void calls(Shape** shapes, const Shape& one, Square* squares, Round* rounds, float* out, int i) {
  out[0] = shapes[i]->area();
  out[1] = one.area() + one(2);
  shapes[i]->grow(out[1]);
  *shapes[i] += 3;
  out[2] = squares[i].area();
  out[3] = rounds[i].area();
  out[4] = rounds[i].length() + rounds->length();
  out[5] = shapes[i]->Shape::twice();
  Square own(1);
  out[6] = own.area();
  int id = *shapes[i];
  out[7] = id;
  rounds[i].~Round();
  delete shapes[i];
}

struct Base {
  int b;
  __device__ virtual int get() { return b; }
};
struct Left : virtual Base {
  int l;
};
struct Fixed final : virtual Base {};
__global__ void virtualBase(Left* left, Fixed* fixed, int* out) {
  out[0] = left->get();
  out[1] = left->b + left->l;
  out[2] = fixed->b;
}

template <class T>
__device__ float areaOf(const T& t) {
  return t.area();
}
template <class T>
__device__ float twiceOf(const T* t) {
  return t->area();
}
struct Flat {
  float value;
  __device__ float area() const { return value; }
};
#define AREA(s) (s)->area()
__global__ void templates(const Round* r, const Flat* f, Shape* s, float* out) {
  out[0] = areaOf(*r) + areaOf(*s);
  out[1] = twiceOf(r) + twiceOf(f);
  out[2] = AREA(r) + AREA(s);
}

void launch(const Round* r, const Flat* f, Shape* s, float* out) {
  templates<<<1, 1>>>(r, f, s, out);
}
