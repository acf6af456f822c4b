// Host side: readies a device at the first launch or wrapped call that uses it, and every unit on it.
// All calls here are made with the runtime's lock held and inside QuietCalls.
#pragma once

#include <stdlib.h>
#include <sys/mman.h>

#include "cuinstrument/backend/cuda/chunk_setup.h"
#include "cuinstrument/backend/cuda/clocks.h"
#include "cuinstrument/backend/cuda/collect.h"
#include "cuinstrument/backend/cuda/contexts.h"
#include "cuinstrument/backend/cuda/host_runtime.h"
#include "cuinstrument/backend/cuda/long_kernels.h"
#include "cuinstrument/backend/cuda/plain_kernel.h"
#include "cuinstrument/backend/cuda/profile_collect.h"
#include "cuinstrument/host/abi.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

void closeDevices();  // harvest.h
inline void forgetContextsThatAreGone();

inline void describeDevice(Device& to) {
  static cudaDeviceProp properties;  // 1 KiB; under the lock
  if (cudaGetDeviceProperties(&properties, to.ordinal) != cudaSuccess) return;
  static_assert(sizeof to.uuid == sizeof properties.uuid, "16 bytes");
  __builtin_memcpy(to.uuid, &properties.uuid, sizeof to.uuid);
  int driver = 0, runtimeVersion = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtimeVersion);
  const auto spell = [](char* text, int version) {  // 13010 -> "13.1"
    const int parts[2] = {version / 1000, version % 1000 / 10};
    for (int i = 0; i < 2; ++i) {
      if (parts[i] >= 10) *text++ = static_cast<char>('0' + parts[i] / 10);
      *text++ = static_cast<char>('0' + parts[i] % 10);
      *text++ = i == 0 ? '.' : '\0';
    }
  };
  char driverText[8], runtimeText[8];
  spell(driverText, driver);
  spell(runtimeText, runtimeVersion);
  to.multiprocessors = static_cast<unsigned int>(properties.multiProcessorCount);
  CuiDevice description = {};
  description.device = to.ring.device;
  description.name = properties.name;
  description.computeMajor = properties.major;
  description.computeMinor = properties.minor;
  description.multiprocessors = properties.multiProcessorCount;
  description.memoryBytes = properties.totalGlobalMem;
  description.l2Bytes = static_cast<uint64_t>(properties.l2CacheSize);
  description.sharedBytesPerBlock = properties.sharedMemPerBlock;
  description.backend = "cuda";
  description.driverVersion = driverText;
  description.runtimeVersion = runtimeText;
  cuiDevice(&description);
}

/// Memory of the host's that the device reaches; null if there is none. A context that another thread is
/// destroying answers to its number no more before its memory is given back: what lay there may still count
/// as registered, seen with two devices. Then it is tried elsewhere.
inline void* mapRegistered(std::size_t bytes) {
  constexpr int tries = 8;
  void* refused[tries];  // kept until the end, so that each try is elsewhere
  int count = 0;
  void* registered = nullptr;
  while (registered == nullptr && count < tries) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) break;
    madvise(memory, bytes, MADV_HUGEPAGE);  // which is sooner registered
    if (count != 0) cudaGetLastError();     // the last try's error is left to be told
    const cudaError_t error =
        cudaHostRegister(memory, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable);
    (error == cudaSuccess ? registered : refused[count++]) = memory;
    if (error != cudaErrorHostMemoryAlreadyRegistered) break;
  }
  for (int i = 0; i < count; ++i) munmap(refused[i], bytes);
  return registered;
}

/// Ring, host words, chunks and staging memory. mmap'ed and registered rather than cudaHostAlloc'ed: it stays
/// readable for hostlib's drain when the user resets the device.
inline bool allocateHostMemory(Device& device, uint64_t slotCount, unsigned int chunkCount) {
  const std::size_t page = 4096;
  const std::size_t countersBytes = sizeof(CounterTable);
  const std::size_t ringBytes = slotCount * format::slotBytes;
  // Chunks, and two queues of at most twice as many words.
  const std::size_t chunksBytes = chunkCount * (hostChunkBytes + std::size_t{2 * (8 + 4)});
  device.mappingBytes = page + ringBytes + countersBytes + chunksBytes;
  void* memory = mapRegistered(device.mappingBytes);
  if (memory == nullptr) return false;
  device.mapping = memory;
  char* bytes = static_cast<char*>(memory);
  device.ring.consumed = reinterpret_cast<volatile uint64_t*>(bytes);
  device.contextCopy = reinterpret_cast<DeviceContext*>(bytes + 1024);
  device.ring.slots = bytes + page;
  device.ring.slotCount = slotCount;
  device.countersCopy = reinterpret_cast<CounterTable*>(bytes + page + ringBytes);
  device.chunks.freed = reinterpret_cast<volatile uint64_t*>(bytes + 64);
  if (chunkCount != 0) placeChunks(device.chunks, chunkCount, bytes + page + ringBytes + countersBytes);
  return true;
}

/// Largest power of two of slots in `bytes`, at least 4096 (128 KiB).
inline uint64_t ringSlots(uint64_t bytes) {
  uint64_t slots = 4096;
  while (slots * 2 * format::slotBytes <= bytes) slots *= 2;
  return slots;
}

/// Where the kernels of samples' blocks find their places; null if none are launched apart. Which warps a
/// sample takes is asked with the hardware's blocks.
inline const format::SplitTable* makeSplits(Device& device) {
  forgetAttributes(device.ring.device);
  device.splits = nullptr;
  device.splitGrids = device.splitBlocks = device.splitNumbered = 0;
  void *memory = nullptr, *mapped = nullptr;
  if (cuiOptions()->plainLaunches == 0 || cuiOptions()->sampleLimit == ~0u ||
      cuiOptions()->warpSampleLimit != ~0u ||
      cudaHostAlloc(&memory, sizeof(format::SplitTable), cudaHostAllocMapped) != cudaSuccess)
    return nullptr;
  if (cudaHostGetDevicePointer(&mapped, memory, 0) != cudaSuccess) return nullptr;
  device.splits = static_cast<format::SplitTable*>(memory);
  return static_cast<const format::SplitTable*>(mapped);
}

inline bool fillContext(Device& device) {
  void* mapped = nullptr;
  if (cudaHostGetDevicePointer(&mapped, device.mapping, 0) != cudaSuccess) return false;
  DeviceContext& context = *device.contextCopy;
  context = DeviceContext();
  context.slots = static_cast<unsigned char*>(mapped) + 4096;
  context.consumed = static_cast<const volatile unsigned long long*>(mapped);
  context.constants.counters = device.counters;
  context.constants.splits = makeSplits(device);
  context.slotCount = device.ring.slotCount;
  context.reserveLimit = device.ring.slotCount / 2;
  context.waitNs = cuiOptions()->waitNs;
  context.warpSampleLimit = cuiOptions()->warpSampleLimit;
  while ((1ull << context.slotCountLog2) < context.slotCount) ++context.slotCountLog2;
  return cudaMemcpyAsync(device.context, &context, sizeof context, cudaMemcpyHostToDevice, device.stream) ==
             cudaSuccess &&
         cudaMemsetAsync(device.counters, 0, sizeof(CounterTable), device.stream) == cudaSuccess;
}

/// Learns the number of the next grid and sets the time reference of the device's events.
inline bool calibrate(Device& device) {
  if (runtime().units == nullptr) return false;  // others record: those of a second host side, to be refused
  runtime().units->calibrate(device.context, device.stream);
  DeviceContext& copy = *device.contextCopy;
  long long offset = 0;
  if (cuiOptions()->timestamps != 0 && (!finishOwnStream(device) || !compareTimers(device, offset)))
    return false;
  if (cudaMemcpyAsync(&copy, device.context, sizeof copy, cudaMemcpyDeviceToHost, device.stream) !=
          cudaSuccess ||
      !finishOwnStream(device))
    return false;
  cuiDeviceGridBase(device.ring.device, copy.state.dropped + 1);
  copy.state.dropped = 0;
  copy.clockOffset = offset;
  device.warpSlots = copy.warpSlots;
  setUpPool(device, device.warpSlots);
  copy.constants.units = device.pool.units;
  copy.constants.cursors = device.pool.cursors;
  const std::size_t cursorBytes = std::size_t{device.warpSlots} * 32 * sizeof(Cursor);
  if (device.pool.cursors == nullptr &&  // then there are cursors without room
      (cudaMalloc(reinterpret_cast<void**>(&copy.constants.cursors), cursorBytes) != cudaSuccess ||
       cudaMemsetAsync(copy.constants.cursors, 0, cursorBytes, device.stream) != cudaSuccess))
    return false;
  const std::size_t progressBytes = std::size_t{device.warpSlots} * 32 * progressBytesPerLane;
  if (cudaMalloc(reinterpret_cast<void**>(&copy.constants.progress), progressBytes) != cudaSuccess ||
      cudaMemsetAsync(copy.constants.progress, 0, progressBytes, device.stream) != cudaSuccess)
    return false;
  copy.unitUsed = device.pool.unitUsed;
  copy.newestLogs = device.pool.newestLogs;
  copy.firstPoolUnit = device.pool.firstUnits;
  copy.poolUnits = device.pool.unitCount - device.pool.firstUnits;
  fillHostChunks(device, copy);
  if (cudaMemcpyAsync(device.context, &copy, sizeof copy, cudaMemcpyHostToDevice, device.stream) !=
          cudaSuccess ||
      !finishOwnStream(device))
    return false;
  return makeReference(device);
}

inline bool setUpDevice(Device& device) {
  describeDevice(device);
  // The first of these calls makes a thread's context, where it has none.
  const bool begun = cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking) == cudaSuccess;
  const CurrentContext current = currentContext();
  device.driverContext = current.context;
  device.contextNumber = current.number;  // also where it fails: it is not tried again
  device.mayEnd = current.number != 0 && !isPrimary(current, device.ordinal);
  if (!begun || !allocateHostMemory(device, ringSlots(cuiOptions()->bufferBytes), wantedChunks()) ||
      cudaMalloc(reinterpret_cast<void**>(&device.context), 2 * sizeof(DeviceContext)) != cudaSuccess ||
      cudaMalloc(reinterpret_cast<void**>(&device.counters), sizeof(CounterTable)) != cudaSuccess)
    return false;
  device.scratch = device.context + 1;
  exportMemory(device, device.context, 2 * sizeof(DeviceContext));
  exportMemory(device, device.counters, sizeof(CounterTable));
  device.countersKnown = static_cast<CounterTable*>(calloc(1, sizeof(CounterTable)));
  if (device.countersKnown == nullptr || !fillContext(device) || !calibrate(device)) return false;
  cuiAttachRing(&device.ring);
  device.chunks.device = device.ring.device;
  if (device.chunks.chunkCount != 0) cuiAttachChunks(&device.chunks);
  watchLongKernels(device);
  return true;
}

/// Reports where the unit's file-scope variables lie.
inline void reportGlobals(const HostUnit& unit, int index) {
  std::size_t count = 0;
  const GlobalEntry* globals = unit.globals(count);
  for (std::size_t i = 0; i < count; ++i) {
    void* address = nullptr;
    if (cudaGetSymbolAddress(&address, globals[i].address) != cudaSuccess) {
      cudaPointerAttributes attributes;
      if (cudaPointerGetAttributes(&attributes, globals[i].address) != cudaSuccess ||
          attributes.type != cudaMemoryTypeManaged)
        continue;
      address = attributes.devicePointer;
    }
    cuiVariable(&unit.table(), globals[i].variable, reinterpret_cast<uint64_t>(address), globals[i].bytes,
                index);
  }
}

/// False where a unit is one too many for the device's profile: it does not record.
inline bool hasRoomFor(const Device& device, const HostUnit& unit) {
  return cuiOptions()->profile == 0 || unit.siteBase + unit.table().siteCount <= device.profile.siteCount;
}

/// False if the unit has no such state on this device. One that is not compiled for the mode does not record.
inline bool writeState(const Device& device, const HostUnit& unit) {
  const bool profile = cuiOptions()->profile != 0;
  const bool hasRoom = hasRoomFor(device, unit);
  const bool times = cuiOptions()->timestamps != 0 && !profile;
  const unsigned int mode = (profile ? profileBit : 0) | (times ? timeBit : 0) |
                            (times || cuiOptions()->warpSampleLimit != ~0u ? warpSampleBit : 0);
  DeviceUnit state = {device.context,
                      unit.siteBase,
                      unit.siteBase << keyShift | mode,
                      cuiOptions()->recordValues,
                      recordedBelow(cuiOptions()->sampleLimit),
                      cuiOptions()->barriers != 0,
                      device.runs != nullptr,
                      device.contextCopy->constants};
  if (device.closed || !hasRoom || !unit.hasMode) state = switchedOff(state);
  void* address = nullptr;
  // From pageable memory: the copy has been taken when the call returns.
  return cudaGetSymbolAddress(&address, unit.symbol()) == cudaSuccess &&
         cudaMemcpyAsync(address, &state, sizeof state, cudaMemcpyHostToDevice, device.stream) ==
             cudaSuccess &&
         hasRoom;
}

/// Lets the units record, or not. Kernels under way notice at once or later, even in the middle of a record:
/// launches that are left out can have begun while others were recorded.
inline void setClosed(Device& device, bool closed) {
  if (device.closed == closed) return;
  device.closed = closed;
  const uint64_t bit = 1ull << device.ring.device;
  for (HostUnit* unit = runtime().units; unit != nullptr; unit = unit->next)
    if ((unit->preparedDevices & bit) != 0) writeState(device, *unit);
  finishOwnStream(device);
}

/// From the first captured launch on, kernels count their runs, so that the host can tell them apart.
inline void countRuns(Device& device) {
  if (device.runs != nullptr || cuiOptions()->profile != 0) return;
  const std::size_t bytes = std::size_t{runTableSize} * sizeof(RunCount);
  if (cudaMalloc(reinterpret_cast<void**>(&device.runs), bytes) != cudaSuccess ||
      cudaMemsetAsync(device.runs, 0, bytes, device.stream) != cudaSuccess ||
      cudaMemcpyAsync(&device.context->runs, &device.runs, sizeof device.runs, cudaMemcpyHostToDevice,
                      device.stream) != cudaSuccess ||
      !finishOwnStream(device)) {
    device.runs = nullptr;
    return;
  }
  const uint64_t bit = 1ull << device.ring.device;
  for (HostUnit* unit = runtime().units; unit != nullptr; unit = unit->next)
    if ((unit->preparedDevices & bit) != 0) writeState(device, *unit);
  finishOwnStream(device);
}

/// Puts the DeviceUnit of every new unit in place.
inline void setUpUnits(Device& device) {
  const uint64_t bit = 1ull << device.ring.device;
  const unsigned int count = __atomic_load_n(&runtime().unitCount, __ATOMIC_ACQUIRE);
  if (cuiOptions()->profile != 0) {
    uint32_t sites = 1;
    for (const HostUnit* unit = runtime().units; unit != nullptr; unit = unit->next)
      if (unit->siteBase + unit->table().siteCount > sites) sites = unit->siteBase + unit->table().siteCount;
    if (sites > device.profile.siteCount) makeProfile(device, sites);
  }
  for (HostUnit* unit = runtime().units; unit != nullptr; unit = unit->next) {
    if ((unit->preparedDevices & bit) != 0) continue;
    unit->preparedDevices |= bit;
    if (writeState(device, *unit))
      unit->writtenDevices |= bit;
    else
      cuiStat("unit_not_recorded", "error", 1, 0, unit->table().mainFile);
    reportGlobals(*unit, device.ring.device);
  }
  finishOwnStream(device);
  device.unitsPrepared = count;
}

/// The device's number for the runtime, or -1. Where the program sees one alone, it is that once it records:
/// the runtime takes 0.3 us to say so.
inline int currentOrdinal() {
  const Runtime& all = runtime();
  if (all.deviceCount == 1 && all.devices[0].state == Device::ready) return 0;
  int ordinal = 0;
  return cudaGetDevice(&ordinal) == cudaSuccess && ordinal >= 0 && ordinal < maxDevices ? ordinal : -1;
}

/// The place of the thread's device and context among runtime().devices. -1: not known, or there is none left
/// for it. With the lock held.
inline int currentDeviceNumber() {
  const int ordinal = currentOrdinal();
  if (ordinal < 0) return -1;
  if (isFirstContext(runtime().devices[ordinal])) return ordinal;
  CurrentContext current = currentContext();
  // A thread that has none gets the primary one with its first call: another one may have been readied.
  if (current.number == 0 && runtime().devices[ordinal].contextNumber != 0 &&
      cudaPeekAtLastError() == cudaSuccess && cudaFree(nullptr) == cudaSuccess)
    current = currentContext();
  int place = placeOf(ordinal, current);
  if (place < 0 || runtime().devices[place].state == Device::unused) {
    forgetContextsThatAreGone();
    place = placeOf(ordinal, current);
  }
  return place;
}

/// The current device, ready to record; null if it cannot (said once). With the lock held.
inline Device* currentDevice() {
  const int index = currentDeviceNumber();
  if (index < 0) {
    if (currentOrdinal() >= 0)
      cuiStat("context_not_recorded", "data_loss", 1, 0, "calls in one context too many at once");
    return nullptr;
  }
  Device& device = runtime().devices[index];
  if (device.state == Device::failed) return nullptr;
  if (device.state == Device::unused) {
    device.ring.device = index;
    device.ordinal = currentOrdinal();
    const bool good = setUpDevice(device) && cudaGetDeviceCount(&runtime().deviceCount) == cudaSuccess;
    device.state = good ? Device::ready : Device::failed;
    if (!good) {
      cuiStat("device_not_recorded", "error", 1, 0, cudaGetErrorName(cudaPeekAtLastError()));
      return nullptr;
    }
    if (!runtime().closeRegistered) {
      // Runs before the user's static destructors and before the CUDA runtime shuts down.
      runtime().closeRegistered = true;
      atexit(&closeDevices);
    }
  }
  if (device.unitsPrepared != __atomic_load_n(&runtime().unitCount, __ATOMIC_ACQUIRE)) setUpUnits(device);
  return &device;
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
