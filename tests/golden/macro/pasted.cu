// Tokens made by ## have no place in the source: the access is skipped, unless the whole of it is in the body.
// expect: #define FIELD(n) CUI_MACRO_ACCESS(#, s->field_##n)
struct Fields { int field_a, field_b; };
#define FIELD(n) s->field_##n
__global__ void pasted(Fields* s) {
  FIELD(a) =
      FIELD(b);
}
#undef FIELD
