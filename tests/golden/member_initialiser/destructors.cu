// A destructor stores the object's pointers to virtual functions anew: those of its own class, before its body.
// expect: __device__ virtual ~Shape() { CUI_INITIALISED_FIELD(#, 8, 0);}
// expect: store, generic, instrumented, 8, 0, "Shape::~Shape", "this"
// expect: __device__ ~Square() override { CUI_INITIALISED_FIELD(#, 8, 0);
// expect: CUI_ACCESS(#, *CUI_ACCESS(#, alive)) -= 1;
// expect: __device__ ~Both() { CUI_INITIALISED_FIELD(#, 8, 0); CUI_INITIALISED_FIELD(#, 8, 16);}
// expect: __device__ ~Outside();
// expect: __device__ Outside::~Outside() { CUI_INITIALISED_FIELD(#, 8, 0);}
// expect: __device__ virtual ~Held() { CUI_INITIALISED_FIELD(#, 8, 0);}
// expect: __device__ ~Plain() {}
struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const { return 0; }
  float unused;
};
struct Square : Shape {
  int* alive;
  __device__ ~Square() override {
    *alive -= 1;
  }
};
struct Solid {
  __device__ virtual float volume() const { return 1; }
};
struct Both : Shape, Solid {
  __device__ ~Both() {}
};
struct Outside : Solid {
  __device__ ~Outside();
};
__device__ Outside::~Outside() {}
template <class T>
struct Held {
  T value;
  __device__ virtual ~Held() {}
};
struct Plain {
  int value;
  __device__ ~Plain() {}
};
struct Defaulted : Shape {
  __device__ ~Defaulted() override = default;
};

__global__ void ended(Square* square, Both* both, Outside* outside, Held<int>* held, Plain* plain) {
  square->Square::~Square();
  both->Both::~Both();
  outside->Outside::~Outside();
  held->Held<int>::~Held();
  plain->~Plain();
}
