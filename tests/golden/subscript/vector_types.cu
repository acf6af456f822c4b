// A vector type moves as one access of 16 bytes, also through a cast; one component is 4 bytes.
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, reinterpret_cast<const float4*>(in)[i]);
// expect: CUI_ACCESS(#, ((float2*)in2)[i]) = make_float2(CUI_ACCESS(#, out[i].x), 0);
// expect: "float4", "", "", ""
__global__ void vectorTypes(float4* out, const float* in, float* in2) {
  int i = threadIdx.x;
  out[i] = reinterpret_cast<const float4*>(in)[i];
  ((float2*)in2)[i] = make_float2(out[i].x, 0);
  float4 whole = out[i];
  out[i + 1] = whole;
}
