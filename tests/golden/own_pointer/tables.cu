// Virtual functions whose call names no object that can be wrapped, or a function only by a pointer; references that structured
// bindings name.
// standard: 17 20
// expect: "bindings", "to", "to", "", "void *", "", "", "a pointer in an object that cannot be wrapped"
// expect: CUI_ACCESS(#, to) = CUI_ACCESS(#, scale);
// expect-not: "own", "", "void *"
// expect: "a pointer in an object that cannot be wrapped"
// expect: "perhaps a virtual function, called through a pointer"
// expect: = CUI_ARROW_FIELD(#, 8, 0, handles[i])->area();
// expect: += CUI_THIS_FIELD(#, 8, 0, area)();
// expect: = outer[i]->area();
struct Shape {
  float side;
  __device__ virtual float area() const { return side; }
  __device__ float grow() { return side += area(); }
};
struct Plain {
  float side;
  __device__ float area() const { return side; }
};
struct Handle {
  Shape* shape;
  __device__ Shape* operator->() const { return shape; }
};
struct Outer {
  Handle inner;
  __device__ const Handle& operator->() const { return inner; }
};
__global__ void calls(Shape* shapes, Handle* handles, Outer* outer, float* out, int i) {
  out[0] = handles[i]->area();
  out[1] = outer[i]->area();
}
__device__ void pointers(Shape* shapes, Plain* plain, float (Shape::*f)() const, float (Plain::*g)() const,
                         float* out, int i) {
  out[0] = (shapes[i].*f)();
  out[1] = (shapes->*f)();
  out[2] = (plain->*g)();
}
struct View {
  float& to;
  float scale;
};
__global__ void bindings(View* views, int i) {
  auto& [to, scale] = views[i];
  to = scale;
  auto [own, mine] = views[i + 1];
  own = mine;
}
