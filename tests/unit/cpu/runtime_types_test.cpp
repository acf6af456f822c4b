// Sizes and alignments as the CUDA C++ Programming Guide tabulates them, and the constructors.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

namespace {

#define EXPECT_LAYOUT(type, size, alignment) \
  static_assert(sizeof(type) == (size) && alignof(type) == (alignment), #type)
EXPECT_LAYOUT(char1, 1, 1);
EXPECT_LAYOUT(uchar2, 2, 2);
EXPECT_LAYOUT(char3, 3, 1);
EXPECT_LAYOUT(uchar4, 4, 4);
EXPECT_LAYOUT(short1, 2, 2);
EXPECT_LAYOUT(ushort2, 4, 4);
EXPECT_LAYOUT(short3, 6, 2);
EXPECT_LAYOUT(ushort4, 8, 8);
EXPECT_LAYOUT(int1, 4, 4);
EXPECT_LAYOUT(uint2, 8, 8);
EXPECT_LAYOUT(int3, 12, 4);
EXPECT_LAYOUT(uint4, 16, 16);
EXPECT_LAYOUT(long1, 8, 8);
EXPECT_LAYOUT(ulong2, 16, 16);
EXPECT_LAYOUT(long3, 24, 8);
EXPECT_LAYOUT(ulong4, 32, 16);
EXPECT_LAYOUT(longlong1, 8, 8);
EXPECT_LAYOUT(ulonglong2, 16, 16);
EXPECT_LAYOUT(longlong3, 24, 8);
EXPECT_LAYOUT(ulonglong4, 32, 16);
EXPECT_LAYOUT(float1, 4, 4);
EXPECT_LAYOUT(float2, 8, 8);
EXPECT_LAYOUT(float3, 12, 4);
EXPECT_LAYOUT(float4, 16, 16);
EXPECT_LAYOUT(double1, 8, 8);
EXPECT_LAYOUT(double2, 16, 16);
EXPECT_LAYOUT(double3, 24, 8);
EXPECT_LAYOUT(double4, 32, 16);
EXPECT_LAYOUT(double4_16a, 32, 16);
EXPECT_LAYOUT(double4_32a, 32, 32);
EXPECT_LAYOUT(dim3, 12, 4);
EXPECT_LAYOUT(half, 2, 2);
EXPECT_LAYOUT(half2, 4, 4);
EXPECT_LAYOUT(__nv_bfloat16, 2, 2);
EXPECT_LAYOUT(__nv_bfloat162, 4, 4);

TEST(Types, MakeFunctionsFillMembersInOrder) {
  const float4 f = make_float4(1, 2, 3, 4);
  EXPECT_EQ(f.x + 10 * f.y + 100 * f.z + 1000 * f.w, 4321.0f);
  const uchar3 c = make_uchar3(1, 2, 3);
  EXPECT_EQ(c.x + 10 * c.y + 100 * c.z, 321);
}

TEST(Types, Dim3DefaultsToOneAndConverts) {
  const dim3 d(7);
  EXPECT_EQ(d.x, 7u);
  EXPECT_EQ(d.y, 1u);
  EXPECT_EQ(d.z, 1u);
  const uint3 u = dim3(2, 3, 4);
  EXPECT_EQ(u.x * 100 + u.y * 10 + u.z, 234u);
  EXPECT_EQ(dim3(u).z, 4u);
}

}  // namespace
