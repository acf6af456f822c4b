// Members of unions, anonymous ones included, are accesses of the member.
// expect: CUI_ACCESS(#, u[i].f) = CUI_ACCESS(#, u[i].bytes[2]);
// expect: CUI_ACCESS(#, u[i].asInt) = 0;
struct Value {
  union {
    float f;
    int asInt;
    unsigned char bytes[4];
  };
};
__global__ void unions(Value* u) {
  int i = threadIdx.x;
  u[i].f = u[i].bytes[2];
  u[i].asInt = 0;
}
