// half2 and its kin from a list in braces, which nvcc takes and to Clang is ambiguous; raw forms, as ever.
// expect: CUI_ACCESS(#, pairs[0]) = {CUI_ACCESS(#, halves[0]), CUI_ACCESS(#, halves[1])};
// expect: CUI_ACCESS(#, pairs[1]) = {};
// expect: CUI_ACCESS(#, others[0]) = {CUI_ACCESS(#, shorts[0]), CUI_ACCESS(#, shorts[1])};
// expect: CUI_ACCESS(#, others[1]) = {};
// expect: CUI_ACCESS(#, pairs[2]) = raw;
// expect: CUI_ACCESS(#, pairs[3]) = local;
// expect-not: Clang rejects
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void lists(half2* pairs, half* halves, __nv_bfloat162* others, __nv_bfloat16* shorts, __half2_raw raw) {
  pairs[0] = {halves[0], halves[1]};
  pairs[1] = {};
  others[0] = {shorts[0], shorts[1]};
  others[1] = {};
  pairs[2] = raw;
  half2 local;
  local = {halves[0], halves[0]};
  pairs[3] = local;
}
