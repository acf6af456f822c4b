// Copies and fills: direction and range checks as CUDA makes them, then memmove and memset.
#include <cstring>

#include "address_space.h"
#include "array.h"
#include "devices.h"
#include "graph.h"
#include "locate.h"
#include "runtime.h"

using namespace cui::cpu;

namespace {

/// Rows of `width` bytes, `pitch` apart, in slices of `slicePitch`.
struct Block {
  std::size_t width = 0, height = 1, depth = 1;
  std::size_t pitch = 0, slicePitch = 0;
};

/// Bytes from the first to behind the last one of a block; false if that overflows.
bool spanOf(const Block& b, std::size_t& span) {
  std::size_t rows = 0, slices = 0;
  return !__builtin_mul_overflow(b.height - 1, b.pitch, &rows) &&
         !__builtin_mul_overflow(b.depth - 1, b.slicePitch, &slices) &&
         !__builtin_add_overflow(rows, slices, &rows) && !__builtin_add_overflow(rows, b.width, &span);
}

/// Whether device code could use memory there. Static storage may be a __device__ variable.
bool reachable(Place place) {
  return place != Place::pageable && place != Place::unmapped;
}

/// A pointer operand of a copy: `device` is the side that the direction names.
bool operandFits(const Located& located, const void* pointer, std::size_t span, bool device) {
  if (located.place == Place::unmapped) return false;
  if (device ? !reachable(located.place) : located.place == Place::device) return false;
  if (located.begin == 0) return true;  // extent unknown
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return span <= located.begin + located.bytes - address;
}

cudaError_t checkCopy(const void* dst, std::size_t dstSpan, const void* src, std::size_t srcSpan,
                      cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (dst == nullptr || src == nullptr) return cudaErrorInvalidValue;
  const Located to = locate(dst), from = locate(src);
  bool toDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool fromDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind == cudaMemcpyDefault)
    toDevice = to.place == Place::device, fromDevice = from.place == Place::device;
  if (!operandFits(to, dst, dstSpan, toDevice) || !operandFits(from, src, srcSpan, fromDevice))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t copyLinear(void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind,
                       cudaStream_t stream) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isStream(stream)) return leave(cudaErrorInvalidResourceHandle);
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return leave(cudaErrorInvalidMemcpyDirection);
  if (bytes == 0) return cudaSuccess;
  // What a graph's own nodes allocate is not there yet: pointers are looked at when it runs.
  if (isCapturing(stream))
    return capture(stream, cudaGraphNodeTypeMemcpy,
                   [=](cudaStream_t at) { return copyLinear(dst, src, bytes, kind, at); });
  if (const cudaError_t error = checkCopy(dst, bytes, src, bytes, kind)) return leave(error);
  std::memmove(dst, src, bytes);
  return cudaSuccess;
}

cudaError_t copyBlock(void* dst, const Block& to, const void* src, const Block& from, cudaMemcpyKind kind,
                      cudaStream_t stream) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isStream(stream)) return leave(cudaErrorInvalidResourceHandle);
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return leave(cudaErrorInvalidMemcpyDirection);
  if (to.width == 0 || to.height == 0 || to.depth == 0) return cudaSuccess;
  if (to.width > to.pitch || to.width > from.pitch) return leave(cudaErrorInvalidPitchValue);
  std::size_t toSpan = 0, fromSpan = 0;
  if (!spanOf(to, toSpan) || !spanOf(from, fromSpan)) return leave(cudaErrorInvalidValue);
  if (isCapturing(stream))
    return capture(stream, cudaGraphNodeTypeMemcpy,
                   [=](cudaStream_t at) { return copyBlock(dst, to, src, from, kind, at); });
  if (const cudaError_t error = checkCopy(dst, toSpan, src, fromSpan, kind)) return leave(error);
  for (std::size_t z = 0; z < to.depth; ++z)
    for (std::size_t y = 0; y < to.height; ++y)
      std::memmove(static_cast<char*>(dst) + z * to.slicePitch + y * to.pitch,
                   static_cast<const char*>(src) + z * from.slicePitch + y * from.pitch, to.width);
  return cudaSuccess;
}

cudaError_t fillBlock(void* pointer, const Block& block, int value, cudaStream_t stream) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isStream(stream)) return leave(cudaErrorInvalidResourceHandle);
  if (block.width == 0 || block.height == 0 || block.depth == 0) return cudaSuccess;
  const bool rows = block.height > 1 || block.depth > 1;
  if (rows && block.width > block.pitch) return leave(cudaErrorInvalidPitchValue);
  std::size_t span = 0;
  if (pointer == nullptr || !spanOf(block, span)) return leave(cudaErrorInvalidValue);
  if (isCapturing(stream))
    return capture(stream, cudaGraphNodeTypeMemset,
                   [=](cudaStream_t at) { return fillBlock(pointer, block, value, at); });
  if (!operandFits(locate(pointer), pointer, span, true)) return leave(cudaErrorInvalidValue);
  for (std::size_t z = 0; z < block.depth; ++z)
    for (std::size_t y = 0; y < block.height; ++y)
      std::memset(static_cast<char*>(pointer) + z * block.slicePitch + y * block.pitch, value, block.width);
  return cudaSuccess;
}

/// One side of a three-dimensional copy: where it begins, and its rows and slices; false if it is none.
bool sideOf(cudaArray_t array, const cudaPitchedPtr& pitched, const cudaPos& at, const cudaExtent& texels,
            std::size_t rowBytes, void*& begin, Block& block) {
  if (array == nullptr) {
    if (texels.depth > 1 && texels.height > pitched.ysize) return false;
    block = {rowBytes, texels.height, texels.depth, pitched.pitch, pitched.pitch * pitched.ysize};
    begin = pitched.ptr == nullptr
                ? nullptr
                : static_cast<char*>(pitched.ptr) + at.z * block.slicePitch + at.y * block.pitch + at.x;
    return true;
  }
  if (!isArray(array) || pitched.ptr != nullptr) return false;
  // In texels; also where an array's height or depth is 0, one row or slice is copied.
  if (at.x + texels.width > array->extent.width || at.y + texels.height > array->rows() ||
      at.z + texels.depth > array->slices())
    return false;
  block = {rowBytes, texels.height, texels.depth, array->rowBytes(), array->sliceBytes()};
  begin = pointerTo(array->address + at.z * array->sliceBytes() + at.y * array->rowBytes() +
                    at.x * array->texelBytes);
  return true;
}

/// Where an array takes part, widths count its texels; else bytes.
cudaError_t copy3D(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  if (p == nullptr) return leave(cudaErrorInvalidValue);
  std::size_t unit = 1;
  for (const cudaArray_t array : {p->srcArray, p->dstArray}) {
    if (array == nullptr) continue;
    if (!isArray(array) || (unit != 1 && unit != array->texelBytes)) return leave(cudaErrorInvalidValue);
    unit = array->texelBytes;
  }
  void *to = nullptr, *from = nullptr;
  Block toBlock, fromBlock;
  const std::size_t rowBytes = p->extent.width * unit;
  if (!sideOf(p->dstArray, p->dstPtr, p->dstPos, p->extent, rowBytes, to, toBlock) ||
      !sideOf(p->srcArray, p->srcPtr, p->srcPos, p->extent, rowBytes, from, fromBlock))
    return leave(cudaErrorInvalidValue);
  return copyBlock(to, toBlock, from, fromBlock, p->kind, stream);
}

/// Byte `x` of row `y` of an array, of whose rows `height` are copied by `width` bytes; null if they do not
/// fit.
void* placeIn(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t width, std::size_t height) {
  if (!isArray(array) || x > array->rowBytes() || width > array->rowBytes() - x || y > array->rows() ||
      height > array->rows() - y)
    return nullptr;
  return pointerTo(array->address + y * array->rowBytes() + x);
}

/// The same of a run of bytes that goes on from row to row.
void* runIn(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t bytes) {
  if (!isArray(array)) return nullptr;
  const std::size_t begin = y * array->rowBytes() + x;
  if (begin > array->sliceBytes() || bytes > array->sliceBytes() - begin) return nullptr;
  return pointerTo(array->address + begin);
}

cudaError_t copyPeer3D(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  if (p == nullptr) return leave(cudaErrorInvalidValue);
  if (!isDevice(p->dstDevice) || !isDevice(p->srcDevice)) return leave(cudaErrorInvalidDevice);
  const cudaMemcpy3DParms parameters{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                     p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  return copy3D(&parameters, stream);
}

Block flat(std::size_t width, std::size_t height, std::size_t pitch) {
  return {width, height, 1, pitch, 0};
}

Block volume(const cudaPitchedPtr& p, const cudaExtent& extent) {
  return {extent.width, extent.height, extent.depth, p.pitch, p.pitch * p.ysize};
}

}  // namespace

cudaError_t cudaMemcpy(void* dst, const void* src, size_t bytes, enum cudaMemcpyKind kind) {
  return copyLinear(dst, src, bytes, kind, nullptr);
}
cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copyLinear(dst, src, bytes, kind, stream);
}
cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t bytes) {
  return cudaMemcpyPeerAsync(dst, dstDevice, src, srcDevice, bytes, nullptr);
}
cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice, size_t bytes,
                                cudaStream_t stream) {
  if (!isDevice(dstDevice) || !isDevice(srcDevice)) return leave(cudaErrorInvalidDevice);
  return copyLinear(dst, src, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemcpy2D(void* dst, size_t dstPitch, const void* src, size_t srcPitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(dst, dstPitch, src, srcPitch, width, height, kind, nullptr);
}
cudaError_t cudaMemcpy2DAsync(void* dst, size_t dstPitch, const void* src, size_t srcPitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copyBlock(dst, flat(width, height, dstPitch), src, flat(width, height, srcPitch), kind, stream);
}
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* parameters) {
  return copy3D(parameters, nullptr);
}
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return copy3D(parameters, stream);
}
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms* parameters) {
  return copyPeer3D(parameters, nullptr);
}
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return copyPeer3D(parameters, stream);
}

// --- arrays; positions and widths of these count bytes

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t bytes,
                              enum cudaMemcpyKind kind) {
  return copyLinear(runIn(dst, x, y, bytes), src, bytes, kind, nullptr);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copyLinear(runIn(dst, x, y, bytes), src, bytes, kind, stream);
}
cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  return copyLinear(dst, runIn(src, x, y, bytes), bytes, kind, nullptr);
}
cudaError_t cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copyLinear(dst, runIn(src, x, y, bytes), bytes, kind, stream);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t dstX, size_t dstY, cudaArray_const_t src,
                                   size_t srcX, size_t srcY, size_t bytes, enum cudaMemcpyKind kind) {
  return copyLinear(runIn(dst, dstX, dstY, bytes), runIn(src, srcX, srcY, bytes), bytes, kind, nullptr);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t srcPitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
  return cudaMemcpy2DToArrayAsync(dst, x, y, src, srcPitch, width, height, kind, nullptr);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t srcPitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  void* const to = placeIn(dst, x, y, width, height);
  if (to == nullptr) return leave(cudaErrorInvalidValue);
  return copyBlock(to, flat(width, height, dst->rowBytes()), src, flat(width, height, srcPitch), kind,
                   stream);
}
cudaError_t cudaMemcpy2DFromArray(void* dst, size_t dstPitch, cudaArray_const_t src, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind) {
  return cudaMemcpy2DFromArrayAsync(dst, dstPitch, src, x, y, width, height, kind, nullptr);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dstPitch, cudaArray_const_t src, size_t x, size_t y,
                                       size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  const void* const from = placeIn(src, x, y, width, height);
  if (from == nullptr) return leave(cudaErrorInvalidValue);
  return copyBlock(dst, flat(width, height, dstPitch), from, flat(width, height, src->rowBytes()), kind,
                   stream);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dstX, size_t dstY, cudaArray_const_t src,
                                     size_t srcX, size_t srcY, size_t width, size_t height,
                                     enum cudaMemcpyKind kind) {
  void* const to = placeIn(dst, dstX, dstY, width, height);
  const void* const from = placeIn(src, srcX, srcY, width, height);
  if (to == nullptr || from == nullptr) return leave(cudaErrorInvalidValue);
  return copyBlock(to, flat(width, height, dst->rowBytes()), from, flat(width, height, src->rowBytes()), kind,
                   nullptr);
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return cudaMemsetAsync(pointer, value, bytes, nullptr);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return fillBlock(pointer, flat(bytes, 1, bytes), value, stream);
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(pointer, pitch, value, width, height, nullptr);
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return fillBlock(pointer, flat(width, height, pitch), value, stream);
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent) {
  return cudaMemset3DAsync(pitched, value, extent, nullptr);
}
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  return fillBlock(pitched.ptr, volume(pitched, extent), value, stream);
}
