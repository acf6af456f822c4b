// Bit fields of a packed structure that lie in two objects of their type: the bytes that they lie in are recorded.
// expect: CUI_FIELD(#, 2, 0, s[i]).near = CUI_FIELD(#, 2, 1, s[i + 1]).both;
// expect: CUI_FIELD(#, 2, 1, s[i]).both = 3;
// expect: CUI_ARROW_FIELD(#, 3, 3, s)->part += 1;
// expect: = CUI_ARROW_FIELD(#, 6, 5, s)->wide + CUI_FIELD(#, 4, 1, c[1]).value;
// expect: rmw, generic, instrumented, 2, 0, "straddling", "s[i].both"
// expect: load, generic, instrumented, 6, 0, "straddling", "s->wide"
struct __attribute__((packed)) Straddling {
  char first;
  short near : 7, both : 9;
  int part : 20;
  long long wide : 40;
};
template <class T>
struct __attribute__((packed)) StraddlingOf {
  char first;
  T value : 27;
};
__global__ void straddling(Straddling* s, StraddlingOf<int>* c, long long* out) {
  int i = threadIdx.x;
  s[i].near = s[i + 1].both;
  s[i].both = 3;
  s->part += 1;
  *out = s->wide + c[1].value;
}
