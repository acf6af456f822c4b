// Object-like macros that name an element.
// expect: #define FIRST CUI_MACRO_ACCESS(#, p[0])
// expect: #define LENGTH CUI_MACRO_ACCESS(#, header->length)
struct Header { int length; };
#define FIRST p[0]
#define LENGTH header->length
__global__ void objectLike(int* p, Header* header) {
  FIRST = LENGTH;
  FIRST = LENGTH + 1;
}
#undef FIRST
#undef LENGTH
