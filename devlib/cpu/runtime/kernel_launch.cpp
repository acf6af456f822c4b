// Launches by a kernel's address, with pointers to its arguments.
#include <map>
#include <mutex>

#include "cuinstrument/backend/cpu/toolkit/launch_overloads.h"
#include "graph.h"
#include "runtime.h"

namespace cui::backend {
namespace {

struct Signatures {
  std::mutex mutex;
  std::map<const void*, KernelSignature> known;
};
Signatures& signatures() {
  static auto* instance = new Signatures;  // read by static constructors and destructors
  return *instance;
}

}  // namespace

void registerKernel(const void* kernel, const KernelSignature& signature) {
  std::lock_guard<std::mutex> lock(signatures().mutex);
  const auto [known, fresh] = signatures().known.emplace(kernel, signature);
  if (!fresh && signature.place.unit != nullptr) known->second = signature;
}

const KernelSignature* findKernel(const void* kernel) {
  std::lock_guard<std::mutex> lock(signatures().mutex);
  const auto found = signatures().known.find(kernel);
  return found == signatures().known.end() ? nullptr : &found->second;
}

cudaError_t launchAndReport(const format::UnitTable* unit, unsigned launchEntry, const LaunchShape& shape,
                            void (*thread)(void*), void* context) {
  const cudaError_t before = cudaGetLastError();
  launch(unit, launchEntry, shape, thread, context);
  const cudaError_t error = cudaPeekAtLastError();
  if (error == cudaSuccess) cuiSetLastError(before);
  return error;
}

cudaError_t launchByAddress(const void* kernel, dim3 grid, dim3 block, void** arguments,
                            std::size_t sharedBytes, cudaStream_t stream, bool cooperative, bool ofNode,
                            dim3 cluster) {
  if (kernel == nullptr) return cpu::leave(cudaErrorInvalidDeviceFunction);
  const KernelSignature* signature = findKernel(kernel);
  if (signature == nullptr)
    return cpu::notSupported(
        "a launch by the address of a kernel that was not named where the address was taken");
  if (cpu::isCapturing(stream)) {
    auto call = std::make_shared<cpu::KernelCall>();
    call->cooperative = cooperative;
    call->cluster = cluster;
    const cudaKernelNodeParams parameters = {const_cast<void*>(kernel),          grid,      block,
                                             static_cast<unsigned>(sharedBytes), arguments, nullptr};
    if (const cudaError_t error = cpu::copyKernelCall(parameters, *call)) return error;
    return cpu::capture(stream, cudaGraphNodeTypeKernel, cpu::workOf(call));
  }
  struct Call {
    const KernelSignature* signature;
    const void* kernel;
    void** arguments;
  } call{signature, kernel, arguments};
  LaunchShape shape = {
      {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, sharedBytes, stream, cooperative, {}};
  // A call that the rewriter has seen says where it is; else there is the place that named the kernel. A
  // call that makes a graph's node does not say which kernel it is.
  const CalledLaunch place = calledLaunch().unit != nullptr ? calledLaunch() : signature->place;
  if (ofNode) shape.named = signature->place;
  shape.cluster[0] = cluster.x;
  shape.cluster[1] = cluster.y;
  shape.cluster[2] = cluster.z;
  return launchAndReport(
      place.unit, place.entry, shape,
      [](void* context) {
        const Call& c = *static_cast<Call*>(context);
        c.signature->call(c.kernel, c.arguments);
      },
      &call);
}

}  // namespace cui::backend
