// Copies and fills: data in every direction, and the errors of a wrong direction, range or pitch.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

__device__ int deviceArray[8];
__constant__ float constantArray[4];
__managed__ int managedValue;
const int readOnly = 3;

namespace {

struct Copy : testing::Test {
  char* device = nullptr;
  std::vector<char> host = std::vector<char>(256);
  void SetUp() override {
    std::iota(host.begin(), host.end(), char{0});
    ASSERT_EQ(cudaMalloc(&device, 256), cudaSuccess);
  }
  void TearDown() override { cudaFree(device); }
};

TEST_F(Copy, ThereAndBack) {
  char* other = nullptr;
  ASSERT_EQ(cudaMalloc(&other, 256), cudaSuccess);
  std::vector<char> back(256);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 256, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(other, device, 256, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), other, 256, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(back, host);
  cudaFree(other);
}

TEST_F(Copy, WrongDirectionIsInvalid) {
  std::vector<char> other(256);
  EXPECT_EQ(cudaMemcpy(other.data(), host.data(), 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(other.data(), host.data(), 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(other.data(), device, 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 16, static_cast<cudaMemcpyKind>(9)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(device, nullptr, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(Copy, OverrunIsInvalidAndChangesNothing) {
  ASSERT_EQ(cudaMemset(device, 7, 256), cudaSuccess);
  std::vector<char> big(300, 1);
  EXPECT_EQ(cudaMemcpy(device, big.data(), 257, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device + 250, big.data(), 7, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(device, 0, 257), cudaErrorInvalidValue);
  EXPECT_EQ(device[255], 7);
  EXPECT_EQ(cudaMemset(host.data(), 0, 1), cudaErrorInvalidValue);
  char* freed = device;
  ASSERT_EQ(cudaFree(device), cudaSuccess);
  device = nullptr;
  EXPECT_EQ(cudaMemcpy(host.data(), freed, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
}

TEST_F(Copy, TwoDimensions) {
  // 3 rows of 4 bytes from a 10-byte pitch into a 16-byte pitch.
  ASSERT_EQ(cudaMemset2D(device, 16, 9, 16, 16), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(device, 16, host.data(), 10, 4, 3, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(device[0], 0);
  EXPECT_EQ(device[3], 3);
  EXPECT_EQ(device[4], 9);
  EXPECT_EQ(device[16], 10);
  EXPECT_EQ(device[35], 23);
  EXPECT_EQ(device[48], 9);
  EXPECT_EQ(cudaMemcpy2D(device, 3, host.data(), 10, 4, 3, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  // 16 rows of 17 bytes end behind the allocation's 256 bytes only with the last row.
  EXPECT_EQ(cudaMemset2D(device, 16, 0, 16, 17), cudaErrorInvalidValue);
}

TEST_F(Copy, ThreeDimensions) {
  // A 2 x 2 x 2 corner at (1, 1, 1) of a 4 x 4 x 4 host volume.
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(host.data(), 4, 4, 4);
  p.srcPos = make_cudaPos(1, 1, 1);
  p.dstPtr = make_cudaPitchedPtr(device, 2, 2, 2);
  p.extent = make_cudaExtent(2, 2, 2);
  p.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&p), cudaSuccess);
  EXPECT_EQ(std::vector<char>(device, device + 8), (std::vector<char>{21, 22, 25, 26, 37, 38, 41, 42}));
  ASSERT_EQ(cudaMemset3D(p.dstPtr, 5, make_cudaExtent(1, 2, 2)), cudaSuccess);
  EXPECT_EQ(std::vector<char>(device, device + 8), (std::vector<char>{5, 22, 5, 26, 5, 38, 5, 42}));
}

TEST(Symbol, CopiesToAndFrom) {
  const int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int back[2] = {};
  ASSERT_EQ(cudaMemcpyToSymbol(deviceArray, values, sizeof values), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromSymbol(back, deviceArray, sizeof back, 3 * sizeof(int)), cudaSuccess);
  EXPECT_EQ(back[0], 4);
  EXPECT_EQ(back[1], 5);
  const float one = 1.5f;
  ASSERT_EQ(cudaMemcpyToSymbol(constantArray, &one, sizeof one, sizeof one), cudaSuccess);
  EXPECT_EQ(constantArray[1], 1.5f);
  const int seven = 7;
  ASSERT_EQ(cudaMemcpyToSymbolAsync(managedValue, &seven, sizeof seven), cudaSuccess);
  EXPECT_EQ(managedValue, 7);
}

TEST(Symbol, Errors) {
  int values[9] = {};
  EXPECT_EQ(cudaMemcpyToSymbol(deviceArray, values, sizeof values), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(deviceArray, values, 4, 32), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(deviceArray, values, 4, 0, cudaMemcpyDeviceToHost),
            cudaErrorInvalidMemcpyDirection);
  int local = 0;
  EXPECT_EQ(cudaMemcpyToSymbol(local, values, 4), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaMemcpyToSymbol("deviceArray", values, 4), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaMemcpyToSymbol(readOnly, values, 4), cudaErrorInvalidSymbol);
}

TEST(Symbol, AddressAndSize) {
  void* address = nullptr;
  std::size_t bytes = 0;
  ASSERT_EQ(cudaGetSymbolAddress(&address, deviceArray), cudaSuccess);
  EXPECT_EQ(address, static_cast<void*>(deviceArray));
  int* typed = nullptr;
  ASSERT_EQ(cudaGetSymbolAddress((void**)&typed, deviceArray), cudaSuccess);
  ASSERT_EQ(cudaGetSymbolSize(&bytes, deviceArray), cudaSuccess);
  EXPECT_EQ(bytes, 32u);
  EXPECT_EQ(cudaMemset(address, 0, 32), cudaSuccess);
  EXPECT_EQ(deviceArray[7], 0);
  cudaPointerAttributes a{};
  ASSERT_EQ(cudaPointerGetAttributes(&a, typed + 1), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeDevice);
}

}  // namespace
