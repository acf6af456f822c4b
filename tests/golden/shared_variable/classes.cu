// Shared objects of class type: members are accesses of the member, methods work on them unchanged.
// expect: __shared__ Stack stack; CUI_SHARED(#, stack);
// expect: CUI_ACCESS(#, stack.size) = 0;
// expect: stack.push(
struct Stack {
  int size;
  int items[8];
  __device__ void push(int x) { items[size++] = x; }
};
__global__ void classes(int* out) {
  __shared__ Stack stack;
  __shared__ union {
    int asInt;
    float asFloat;
  } both;
  stack.size = 0;
  stack.push(out[0]);
  both.asInt = stack.items[0];
  out[1] = both.asFloat;
}
