// Several contexts of one device (backend/cuda/contexts.h): the runtime is failing_runtime.cpp, whose device
// stays well here, and the driver's functions for contexts are these.
#define CUI_HOST_SIDE_IN_LIBRARY_ITSELF 1
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "cuinstrument/backend/cuda/harvest.h"
#include "cuinstrument/backend/cuda/launch.h"
#include "failing_runtime.h"
#include "one_unit.h"

namespace {

using namespace cui::format;
using namespace cui::backend;
using namespace cui::hostlib::test;

/// Before anything is recorded: each context has buffers of its own.
const bool areSmall = setenv("CUINSTRUMENT_DB", "contexts.db", 1) == 0 &&
                      setenv("CUINSTRUMENT_BUFFER", "128K", 1) == 0 &&
                      setenv("CUINSTRUMENT_POOL", "0", 1) == 0 && setenv("CUINSTRUMENT_CHUNKS", "0", 1) == 0;

struct Context {
  unsigned long long number;
  int device;
};
/// Those that there are. Addresses are used again, numbers are not.
std::map<void*, Context> contexts;
unsigned long long lastNumber;
void* current;
void* primary[2];  ///< of each device

void use(void* context) {
  current = context;
  cudaSetDevice(contexts[context].device);
}
void* make(std::uintptr_t address, int device) {
  void* const context = reinterpret_cast<void*>(address);
  contexts[context] = {++lastNumber, device};
  use(context);
  return context;
}
void destroy(void* context) {
  contexts.erase(context);
  if (current == context) current = nullptr;
}

/// Two devices with their primary contexts.
void begin() {
  ASSERT_TRUE(areSmall);
  haveDevices(2);
  DriverContexts& driver = runtime().driverContexts;
  driver.asked = driver.known = true;
  driver.get = [](void** context) { return *context = current, 0; };
  driver.set = [](void* context) {
    if (contexts.count(context) == 0) return 709;  // CUDA_ERROR_CONTEXT_IS_DESTROYED
    return use(context), 0;
  };
  driver.number = [](void* context, unsigned long long* number) {
    if (contexts.count(context) == 0) return 709;
    return *number = contexts[context].number, 0;
  };
  driver.primaryState = [](int device, unsigned int*, int* active) {
    return *active = primary[device] != nullptr, 0;
  };
  driver.retainPrimary = [](void** context, int device) { return *context = primary[device], 0; };
  driver.releasePrimary = [](int) { return 0; };
  for (int device : {1, 0})
    if (primary[device] == nullptr)
      primary[device] = make(0x100 + 16u * static_cast<unsigned>(device), device);
}

const FileEntry files[] = {{"unit.cu", "/src/unit.cu", 1}};
const UnitTable table = {unitFormatVersion, 5,       "unit.cu", "1",     1,      0, 1, 1, 0, 0, files,
                         nullptr,           kernels, launches,  nullptr, nullptr};
HostUnit unit = unitWith([]() -> const UnitTable& { return table; });

/// Of one launch in the current context.
void launch() {
  announceLaunch(unit, 0);
  const dim3 one(1);
  launchGrid(one);
  launchBlock(one);
  concludeLaunch(unit, 0);
}

/// The place of the context with that number, or -1.
int placeOfNumber(unsigned long long number) {
  for (int place = 0; place < maxDevices; ++place) {
    const Device& device = runtime().devices[place];
    if (device.state == Device::ready && device.contextNumber == number) return place;
  }
  return -1;
}

TEST(Contexts, EachHasAPlaceWhileItIsThere) {
  begin();
  linkUnit(unit, 0);
  for (int device : {0, 1}) {
    use(primary[device]);
    launch();
    EXPECT_EQ(placeOfNumber(contexts[primary[device]].number), device);
    EXPECT_FALSE(runtime().devices[device].mayEnd);
    EXPECT_EQ(runtime().devices[device].ordinal, device);
  }

  void* const own = make(0x200, 1);
  const unsigned long long ofOwn = lastNumber;
  launch();
  launch();
  EXPECT_EQ(placeOfNumber(ofOwn), 2) << "behind all devices' numbers";
  const Device& device = runtime().devices[2];
  EXPECT_TRUE(device.mayEnd);
  EXPECT_EQ(device.ordinal, 1);
  EXPECT_EQ(device.ring.device, 2);
  EXPECT_NE(device.context, runtime().devices[1].context);
  EXPECT_EQ(device.unreadLaunches, 2u);
  EXPECT_EQ(unit.writtenDevices, 7u) << "it has its state in each";
  afterSynchronize(cudaSuccess, true);
  EXPECT_EQ(device.unreadLaunches, 0u) << "all is taken over, as the context may end";

  use(primary[0]);
  launch();
  EXPECT_EQ(runtime().devices[0].unreadLaunches, 2u);

  // Another one comes to lie where it lay.
  destroy(own);
  make(0x200, 0);
  launch();
  EXPECT_EQ(placeOfNumber(ofOwn), -1);
  EXPECT_EQ(placeOfNumber(lastNumber), 2);
  EXPECT_EQ(runtime().devices[2].ordinal, 0);
  EXPECT_EQ(unit.writtenDevices, 7u);
  use(primary[0]);
}

TEST(Contexts, ManyAfterEachOtherNeedOnePlace) {
  begin();
  linkUnit(unit, 0);
  launch();
  for (int i = 0; i < 200; ++i) {
    void* const own = make(0x1000 + 16 * static_cast<std::uintptr_t>(i), i % 2);
    launch();
    EXPECT_GE(placeOfNumber(lastNumber), 1);
    EXPECT_LT(placeOfNumber(lastNumber), 5);
    afterSynchronize(cudaSuccess, true);
    destroy(own);
  }
  use(primary[0]);
}

TEST(Contexts, AtMostAsManyAsThereArePlaces) {
  begin();
  linkUnit(unit, 0);
  launch();
  for (int i = 0; i < maxDevices + 4; ++i) {
    make(0x10000 + 16 * static_cast<std::uintptr_t>(i), 0);
    launch();
  }
  EXPECT_EQ(placeOfNumber(lastNumber), -1) << "it is not recorded, and nothing else of it is touched";
  use(primary[0]);
  launch();
}

}  // namespace
