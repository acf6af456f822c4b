// Graphs' nodes that allocate and free. The address is given out when the node is made; memory is there from
// one node's run to the other's.
#include "address_space.h"
#include "graph.h"
#include "runtime.h"

namespace cui::cpu {

class ReservedMemory {
 public:
  explicit ReservedMemory(std::size_t bytes) : bytes_(bytes), address_(addressSpace().reserve(bytes)) {}
  ~ReservedMemory() {
    if (address_ != 0) addressSpace().unreserve(address_, bytes_);
  }
  ReservedMemory(const ReservedMemory&) = delete;
  ReservedMemory& operator=(const ReservedMemory&) = delete;

  std::uintptr_t address() const { return address_; }
  bool allocate() const { return addressSpace().allocateReserved(address_, bytes_); }
  void free() const { addressSpace().free(address_, MemoryKind::device, MemoryKind::device); }

 private:
  std::size_t bytes_;
  std::uintptr_t address_;  ///< 0: there was no room
};

namespace {

/// Memory that is still there from an earlier run is an error, as in CUDA.
NodeWork allocating(const std::shared_ptr<const ReservedMemory>& memory) {
  return [memory](cudaStream_t) { return memory->allocate() ? cudaSuccess : cudaErrorInvalidValue; };
}
NodeWork freeing(void* pointer) {
  return [pointer](cudaStream_t stream) { return cudaFreeAsync(pointer, stream); };
}

}  // namespace

cudaError_t captureAllocation(cudaStream_t stream, void** pointer, std::size_t bytes) {
  if (pointer == nullptr || bytes == 0) return leave(cudaErrorInvalidValue);
  const auto memory = std::make_shared<const ReservedMemory>(bytes);
  if (memory->address() == 0) return leave(cudaErrorMemoryAllocation);
  *pointer = pointerTo(memory->address());
  return capture(stream, cudaGraphNodeTypeMemAlloc, allocating(memory), memory);
}

cudaError_t captureFree(cudaStream_t stream, void* pointer) {
  if (pointer == nullptr) return leave(cudaErrorInvalidValue);
  return capture(stream, cudaGraphNodeTypeMemFree, freeing(pointer));
}

void freeReserved(const std::vector<std::shared_ptr<const ReservedMemory>>& places) {
  for (const auto& memory : places) memory->free();
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     struct cudaMemAllocNodeParams* parameters) {
  if (const cudaError_t error = enter()) return leave(error);
  if (parameters == nullptr || parameters->bytesize == 0) return leave(cudaErrorInvalidValue);
  const auto memory = std::make_shared<const ReservedMemory>(parameters->bytesize);
  if (memory->address() == 0) return leave(cudaErrorMemoryAllocation);
  const cudaError_t error =
      addNode(node, graph, dependencies, count, cudaGraphNodeTypeMemAlloc, allocating(memory));
  if (error != cudaSuccess) return error;
  (*node)->memory = memory;
  parameters->dptr = pointerTo(memory->address());
  return cudaSuccess;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count, void* pointer) {
  if (pointer == nullptr) return leave(cudaErrorInvalidValue);
  return addNode(node, graph, dependencies, count, cudaGraphNodeTypeMemFree, freeing(pointer));
}

// Nothing is held back: what is reserved is what is in use.
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void* value) {
  if (const cudaError_t error = enter()) return leave(error);
  if (device != 0) return leave(cudaErrorInvalidDevice);
  if (value == nullptr || attribute < cudaGraphMemAttrUsedMemCurrent ||
      attribute > cudaGraphMemAttrReservedMemHigh)
    return leave(cudaErrorInvalidValue);
  const bool high = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
  *static_cast<unsigned long long*>(value) =
      high ? addressSpace().reservedBytesHigh() : addressSpace().reservedBytesUsed();
  return cudaSuccess;
}

/// High-water marks can be set to 0, which starts them anew.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void* value) {
  if (const cudaError_t error = enter()) return leave(error);
  if (device != 0) return leave(cudaErrorInvalidDevice);
  if (value == nullptr || *static_cast<const unsigned long long*>(value) != 0 ||
      (attribute != cudaGraphMemAttrUsedMemHigh && attribute != cudaGraphMemAttrReservedMemHigh))
    return leave(cudaErrorInvalidValue);
  addressSpace().resetReservedHigh();
  return cudaSuccess;
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  if (const cudaError_t error = enter()) return leave(error);
  return leave(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
