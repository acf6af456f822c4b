// A program as `cuinstrument nvcc` makes it, but for its device, which is in failing_runtime.cpp: it launches
// a kernel that records what this file writes to the device's memory in its place, then the device fails.
//   failing_child [reset]    and is reset
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "cuinstrument/backend/cuda/device_state.h"
#include "cuinstrument/backend/cuda/host_side.h"
#include "cuinstrument/backend/cuda/host_unit.h"
#include "device_write.h"
#include "failing_runtime.h"
#include "one_unit.h"

namespace {

using namespace cui::format;
using namespace cui::backend;
using namespace cui::hostlib::test;

const FileEntry files[] = {{"child.cu", "/src/child.cu", 1}};
const SiteEntry sites[] = {{11, 0, 3, 1, 3, 5, Kind::load, Space::global, Status::instrumented, 4, 0, "k",
                            "p[i]", "p", "i", "float", "", "", ""}};
const UnitTable table = {unitFormatVersion, 5,        "child.cu", "1",    1, 1, 1, 1, 0, 0, files, sites,
                         kernels,           launches, nullptr,    nullptr};
HostUnit unit = unitWith([]() -> const UnitTable& { return table; });

WarpRecord recordOf(RecordType type, unsigned lap) {
  WarpRecord record = {};
  record.flags = makeFlags(type, AddressForm::affine, Space::global, false);
  record.generationA = static_cast<std::uint8_t>(lap);
  record.siteAndGeneration = state.siteBase | lap << 24;
  record.launch = gridsBefore + 1;
  return record;
}

/// The kernel's entry, to the ring.
void enter(DeviceContext& context) {
  WarpRecord record = recordOf(RecordType::kernelEntry, 1);
  record.activeMask = 32;
  record.block = 1;
  writeAsDevice(context.slots + context.cursor.tail++ * slotBytes, record);
}

/// An access of a whole warp, to the chunk of the first warp slot's lane 0.
void access(const DeviceContext& context, std::uint64_t address) {
  Cursor& cursor = context.constants.cursors[0];
  WarpRecord record = recordOf(RecordType::access, lapOf(cursor));
  record.address = address;
  record.activeMask = 0xffffffff;
  record.warpAndBytes = makeWarpAndBytes(0, 4);
  record.stride = 4;
  std::memcpy(context.constants.units + std::size_t{cursor.next} * slotBytes, &record, sizeof record);
  ++cursor.next;
  --cursor.roomAndLap;
}

/// The same, to its sums; one of a part of a warp to a lane's; one to the table.
void profile(const DeviceContext& context) {
  const unsigned long long key = profileKey(gridsBefore + 1, state.siteBase, false);
  // The last plane's: those between are not read.
  const unsigned entry = profilePlanes * profileEntries - 1, plane = profilePlanes - 1;
  context.constants.profile[entry] = {key, 10, 1280, 0, 0, 0, 0x147f, ~0x1000ull};
  context.profileSlots.planesUsed[plane] = 1;
  context.constants.profileLanes[(plane * 32 + 3) * profileLaneEntries] = {key, 1, 12,     80,     0,
                                                                           16,  0, 0x1000, 0x1000, 0x104f};
  context.profileSlots.lanesUsed[plane] = 1;
}

}  // namespace

int main(int argc, char** argv) {
  cuiCudaLinkUnit(CUI_CUDA_HOST_VERSION, &table, &unit);
  cuiCudaAnnounceLaunch(&unit, 0);
  const dim3 one(1), warp(32);
  cuiCudaLaunchGrid(&one);
  cuiCudaLaunchBlock(&warp);
  if (state.context == nullptr) return std::puts("not prepared"), 1;
  DeviceContext& context = *state.context;
  enter(context);
  if (context.constants.profile != nullptr)
    profile(context);
  else
    for (int i = 0; i < 10; ++i) access(context, 0x1000 + 128u * static_cast<unsigned>(i));
  cuiCudaConcludeLaunch(&unit, 0);
  failDevice();
  cuiCudaAfterSynchronize(cudaErrorIllegalAddress, 1);
  if (argc > 1 && std::strcmp(argv[1], "reset") == 0) cuiCudaBeforeReset();
  std::puts("done");
  return 0;
}
