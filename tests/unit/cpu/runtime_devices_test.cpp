// CUINSTRUMENT_CPU_DEVICES: several devices that are alike and have one memory.
#include <cuda_runtime.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

namespace {

class Devices : public testing::Test {
 protected:
  void SetUp() override { setenv("CUINSTRUMENT_CPU_DEVICES", "3", 1); }
  void TearDown() override {
    cudaSetDevice(0);
    cudaGetLastError();
    unsetenv("CUINSTRUMENT_CPU_DEVICES");
  }
  static int current() {
    int number = -1;
    EXPECT_EQ(cudaGetDevice(&number), cudaSuccess);
    return number;
  }
};

TEST_F(Devices, AreChosenByEachThread) {
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(cudaSetDevice(2), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  EXPECT_EQ(current(), 2);
  int elsewhere = -1;
  std::thread([&] { elsewhere = current(); }).join();
  EXPECT_EQ(elsewhere, 0);
}

TEST_F(Devices, ArePeers) {
  int can = -1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 1, 1), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);  // the current one
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
}

TEST_F(Devices, HaveTheirMemory) {
  int *first = nullptr, *second = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&first), sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&second), sizeof(int)), cudaSuccess);
  cudaPointerAttributes where{};
  ASSERT_EQ(cudaPointerGetAttributes(&where, second), cudaSuccess);
  EXPECT_EQ(where.device, 1);
  const int seven = 7;
  int back = 0;
  ASSERT_EQ(cudaMemcpy(first, &seven, sizeof seven, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyPeer(second, 1, first, 3, sizeof(int)), cudaErrorInvalidDevice);
  ASSERT_EQ(cudaMemcpyPeer(second, 1, first, 0, sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(&back, second, sizeof back, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, 7);
  // A reset ends the current device's allocations, and no other's.
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaFree(second), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
}

TEST_F(Devices, AreKnownByTheirBus) {
  char id[16];
  int number = -1;
  ASSERT_EQ(cudaDeviceGetPCIBusId(id, sizeof id, 2), cudaSuccess);
  EXPECT_STREQ(id, "0000:02:00.0");
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&number, id), cudaSuccess);
  EXPECT_EQ(number, 2);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&number, "01:00"), cudaSuccess);
  EXPECT_EQ(number, 1);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&number, "0000:03:00.0"), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&number, "0:0:0:0"), cudaErrorInvalidValue);
  cudaDeviceProp one{}, two{};
  ASSERT_EQ(cudaGetDeviceProperties(&one, 1), cudaSuccess);
  ASSERT_EQ(cudaGetDeviceProperties(&two, 2), cudaSuccess);
  EXPECT_EQ(two.pciBusID, 2);
  EXPECT_NE(one.uuid.bytes[15], two.uuid.bytes[15]);
}

}  // namespace
