// Several contexts of one device (backend/cuda/contexts.h): the runtime is failing_runtime.cpp, whose device
// stays well here, and the driver's functions for contexts are these.
#define CUI_HOST_SIDE_IN_LIBRARY_ITSELF 1
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <map>

#include "cuinstrument/backend/cuda/harvest.h"
#include "cuinstrument/backend/cuda/launch.h"

namespace {

using namespace cui::format;
using namespace cui::backend;

/// Those that there are, with their numbers; addresses are used again, numbers are not.
std::map<void*, unsigned long long> contexts;
unsigned long long lastNumber;
void *current, *primary;

void* make(std::uintptr_t address) {
  void* const context = reinterpret_cast<void*>(address);
  contexts[context] = ++lastNumber;
  return current = context;
}
void destroy(void* context) {
  contexts.erase(context);
  if (current == context) current = nullptr;
}

void useFakeDriver() {
  DriverContexts& driver = runtime().driverContexts;
  driver.asked = driver.known = true;
  driver.get = [](void** context) { return *context = current, 0; };
  driver.set = [](void* context) {
    if (contexts.count(context) == 0) return 709;  // CUDA_ERROR_CONTEXT_IS_DESTROYED
    return current = context, 0;
  };
  driver.number = [](void* context, unsigned long long* number) {
    if (contexts.count(context) == 0) return 709;
    return *number = contexts[context], 0;
  };
  driver.primaryState = [](int, unsigned int*, int* active) { return *active = primary != nullptr, 0; };
  driver.retainPrimary = [](void** context, int) { return *context = primary, 0; };
  driver.releasePrimary = [](int) { return 0; };
}

const FileEntry files[] = {{"unit.cu", "/src/unit.cu", 1}};
const KernelEntry kernels[] = {{"k", 0, 2, 1}};
const LaunchEntry launches[] = {{"k", "k", "main", 0, 9, 1, 0}};
const UnitTable table = {unitFormatVersion, 5,       "unit.cu", "1",     1,      0, 1, 1, 0, 0, files,
                         nullptr,           kernels, launches,  nullptr, nullptr};
DeviceUnit state;

void calibrate(DeviceContext* context, cudaStream_t) {
  context->state.dropped = 100;
  context->constants.warpsPerMultiprocessor = context->warpSlots = 2;
}

HostUnit unit = {[]() -> const UnitTable& { return table; },
                 false,
                 []() -> const void* { return &state; },
                 [](std::size_t& count) -> const GlobalEntry* { return count = 0, nullptr; },
                 &calibrate,
                 false,
                 CUI_MODE_TRACE | CUI_MODE_PROFILE,
                 false,
                 false,
                 0,
                 0,
                 0,
                 nullptr,
                 nullptr};

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
  useFakeDriver();
  linkUnit(unit, 0);
  primary = make(0x100);
  launch();
  const unsigned long long ofPrimary = lastNumber;
  EXPECT_EQ(placeOfNumber(ofPrimary), 0);
  EXPECT_FALSE(runtime().devices[0].mayEnd);

  void* const own = make(0x200);
  const unsigned long long ofOwn = lastNumber;
  launch();
  launch();
  EXPECT_EQ(placeOfNumber(ofOwn), 1);
  const Device& device = runtime().devices[1];
  EXPECT_TRUE(device.mayEnd);
  EXPECT_EQ(device.ordinal, 0);
  EXPECT_EQ(device.ring.device, 1);
  EXPECT_NE(device.context, runtime().devices[0].context);
  EXPECT_EQ(device.unreadLaunches, 2u);
  EXPECT_EQ(unit.writtenDevices, 3u) << "it has its state in both";
  afterSynchronize(cudaSuccess, true);
  EXPECT_EQ(device.unreadLaunches, 0u) << "all is taken over, as the context may end";

  current = primary;
  launch();
  EXPECT_EQ(placeOfNumber(ofPrimary), 0);

  // Another one comes to lie where it lay.
  destroy(own);
  make(0x200);
  launch();
  EXPECT_EQ(placeOfNumber(ofOwn), -1);
  EXPECT_EQ(placeOfNumber(lastNumber), 1);
  EXPECT_EQ(unit.writtenDevices, 3u);
}

TEST(Contexts, ManyAfterEachOtherNeedOnePlace) {
  for (int i = 0; i < 200; ++i) {
    void* const own = make(0x1000 + 16 * static_cast<std::uintptr_t>(i));
    launch();
    EXPECT_GT(placeOfNumber(lastNumber), 0);
    EXPECT_LT(placeOfNumber(lastNumber), 4);
    afterSynchronize(cudaSuccess, true);
    destroy(own);
  }
  current = primary;
}

TEST(Contexts, AtMostAsManyAsThereArePlaces) {
  for (int i = 0; i < maxDevices + 4; ++i) {
    make(0x10000 + 16 * static_cast<std::uintptr_t>(i));
    launch();
  }
  EXPECT_EQ(placeOfNumber(lastNumber), -1) << "it is not recorded, and nothing else of it is touched";
  current = primary;
  launch();
}

}  // namespace
