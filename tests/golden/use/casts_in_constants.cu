// What is read through another type in a function that could be a constant: the host's compiler wants a way
// through it without such a cast in a call's argument, which it refuses.
// standard: 17 20
// expect: return CUI_PUNNED(#, *(unsigned*)(this));
// expect: return CUI_PUNNED(#, *reinterpret_cast<const unsigned*>(p + i)) + CUI_ACCESS(#, *static_cast<const unsigned*>(any));
// expect: return CUI_PUNNED(#, reinterpret_cast<const unsigned&>(p[i]));
// expect: CUI_PUNNED(#, *(unsigned*)(p + i)) = 3;
// expect: return CUI_ACCESS(#, *(const unsigned*)(p + i));
// expect: return *(const Pair*)p;
// expect: return ((const Fields*)p)->high;
// expect: "an object of another type, in a function that might compute a constant"
// expect: #define BITS(x) CUI_MACRO_PUNNED(#, *(const unsigned*)(x))
// expect: CUI_ACCESS(#, out[2]) = BITS(numbers);
// expect: auto loaded = [=] { return CUI_ACCESS(#, *(const unsigned*)(numbers + i)); };
// expect: return CUI_ACCESS(#, *reinterpret_cast<const Pair*>(numbers + j)); };
// expect: auto field = [&](int j) { return CUI_ARROW_FIELD(#, 4, 0, ((const Fields*)(numbers + j)))->high; };
// expect: constexpr { return CUI_PUNNED(#, *(const unsigned*)(numbers + j)); };
struct Pair {
  short a;
  unsigned char b, c;
  __device__ constexpr unsigned bits() const noexcept { return *(unsigned*)(this); }
  __device__ constexpr bool operator==(Pair other) const noexcept { return this->bits() == other.bits(); }
};
__host__ __device__ constexpr unsigned mixed(const float* p, const void* any, int i) {
  return *reinterpret_cast<const unsigned*>(p + i) + *static_cast<const unsigned*>(any);
}
__device__ constexpr unsigned referred(const float* p, int i) { return reinterpret_cast<const unsigned&>(p[i]); }
__device__ constexpr void stored(float* p, int i) { *(unsigned*)(p + i) = 3; }
template <class T>
__device__ constexpr unsigned ofTemplate(const T* p, int i) {
  return *(const unsigned*)(p + i);
}
__device__ constexpr Pair copied(const float* p) { return *(const Pair*)p; }
struct Fields {
  unsigned low : 4, high : 28;
};
__device__ constexpr unsigned field(const float* p) { return ((const Fields*)p)->high; }
#define BITS(x) *(const unsigned*)(x)
__device__ constexpr unsigned inMacro(const float* p) { return BITS(p); }
__device__ constexpr unsigned constant = 7;
static_assert(Pair{1, 2, 3}.a == 1 && constant == 7, "");

__global__ void read(const Pair* pairs, float* numbers, unsigned* out) {
  out[0] = pairs[0] == pairs[1];
  out[1] = mixed(numbers, out, 1) + referred(numbers, 2) + ofTemplate(numbers, 3) + inMacro(numbers) +
           copied(numbers).b + field(numbers);
  stored(numbers, 4);
  out[2] = BITS(numbers);
}

// Lambdas are constexpr since C++17 where they can be: only those that say so are told when they cannot.
__host__ __device__ unsigned lambdas(float* numbers, int i) {
  auto loaded = [=] { return *(const unsigned*)(numbers + i); };
  auto copied = [=](int j) { return *reinterpret_cast<const Pair*>(numbers + j); };
  auto field = [&](int j) { return ((const Fields*)(numbers + j))->high; };
  auto asked = [=](int j) constexpr { return *(const unsigned*)(numbers + j); };
  return loaded() + copied(2).b + field(3) + asked(4);
}

__global__ void inLambda(float* p, const float4* q, unsigned* out) {
  auto move = [&](int i) { *reinterpret_cast<float4*>(p + i) = q[i]; };
  move(4 * threadIdx.x);
  out[0] = lambdas(p, 1);
}
