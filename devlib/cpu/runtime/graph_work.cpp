// What the nodes of graphs do, by the parameters that describe it. They are copied: what becomes of them
// later does not matter.
#include <cstring>

#include "cuinstrument/backend/cpu/toolkit/launch_overloads.h"
#include "graph.h"
#include "runtime.h"

namespace cui::cpu {

NodeWork workOf(const cudaMemcpy3DParms& parameters) {
  return [parameters](cudaStream_t stream) { return cudaMemcpy3DAsync(&parameters, stream); };
}
NodeWork workOf(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return [=](cudaStream_t stream) { return cudaMemcpyAsync(to, from, bytes, kind, stream); };
}
NodeWork workOf(const cudaHostNodeParams& parameters) {
  return [parameters](cudaStream_t stream) {
    return cudaLaunchHostFunc(stream, parameters.fn, parameters.userData);
  };
}
NodeWork workOf(const cudaMemsetParams& p) {
  return [p](cudaStream_t stream) -> cudaError_t {
    const std::size_t row = p.width * p.elementSize;
    const std::size_t pitch = p.height > 1 ? p.pitch : row;
    if (p.elementSize == 1)
      return cudaMemset2DAsync(p.dst, pitch, static_cast<int>(p.value), row, p.height, stream);
    // Zero first: it checks the place, and most sets are of zero.
    if (const cudaError_t error = cudaMemset2DAsync(p.dst, pitch, 0, row, p.height, stream)) return error;
    for (std::size_t y = 0; p.value != 0 && y < p.height; ++y)
      for (std::size_t x = 0; x < p.width; ++x)
        std::memcpy(static_cast<char*>(p.dst) + y * pitch + x * p.elementSize, &p.value, p.elementSize);
    return cudaSuccess;
  };
}

bool isGood(const cudaMemsetParams* p) {
  return p != nullptr && (p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4);
}

cudaError_t copyKernelCall(const cudaKernelNodeParams& parameters, KernelCall& call) {
  const backend::KernelSignature* signature = backend::findKernel(parameters.func);
  if (signature == nullptr)
    return notSupported("a kernel node whose kernel was not named where its address was taken");
  if (parameters.kernelParams == nullptr && signature->parameterCount > 0)
    return leave(cudaErrorInvalidValue);
  call.parameters = parameters;
  for (std::size_t i = 0; i < signature->parameterCount; ++i) {
    const auto* bytes = static_cast<const unsigned char*>(parameters.kernelParams[i]);
    call.arguments.emplace_back(bytes, bytes + signature->parameterBytes[i]);
  }
  return cudaSuccess;
}

NodeWork workOf(const std::shared_ptr<const KernelCall>& call) {
  return [call](cudaStream_t stream) {
    std::vector<void*> arguments;
    for (const auto& argument : call->arguments)
      arguments.push_back(const_cast<unsigned char*>(argument.data()));
    const cudaKernelNodeParams& p = call->parameters;
    const backend::CalledLaunch before = backend::calledLaunch();
    backend::calledLaunch() = call->place;
    const cudaError_t error =
        backend::launchByAddress(p.func, p.gridDim, p.blockDim, arguments.data(), p.sharedMemBytes, stream,
                                 call->cooperative, true, call->cluster);
    backend::calledLaunch() = before;
    return error;
  };
}

}  // namespace cui::cpu
