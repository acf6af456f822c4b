// __device__, __constant__ and __managed__ variables: on the CPU backend they are the program's own
// static variables, so a symbol is an address in writable static storage.
#include <cstdint>
#include <map>
#include <mutex>

#include "address_map.h"
#include "locate.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

std::mutex symbolsMutex;

/// Symbols that the program has named: begin -> bytes.
std::map<std::uintptr_t, std::size_t>& knownSymbols() {
  static auto* symbols = new std::map<std::uintptr_t, std::size_t>;
  return *symbols;
}

cudaError_t checkSymbol(const volatile void* symbol, std::size_t symbolBytes) {
  if (const cudaError_t error = enter()) return error;
  if (symbol == nullptr || !inWritableStaticStorage(symbol, symbolBytes)) return cudaErrorInvalidSymbol;
  std::lock_guard<std::mutex> lock(symbolsMutex);
  knownSymbols().emplace(reinterpret_cast<std::uintptr_t>(symbol), symbolBytes);
  return cudaSuccess;
}

bool fits(std::size_t symbolBytes, std::size_t bytes, std::size_t offset) {
  return offset <= symbolBytes && bytes <= symbolBytes - offset;
}

}  // namespace

bool isKnownSymbol(const volatile void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  std::lock_guard<std::mutex> lock(symbolsMutex);
  const auto found = lastNotBehind(knownSymbols(), address);
  return found != knownSymbols().end() && address - found->first < found->second;
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cuiMemcpyToSymbol(const volatile void* symbol, size_t symbolBytes, const void* src, size_t bytes,
                              size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
  if (const cudaError_t error = checkSymbol(symbol, symbolBytes)) return leave(error);
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return leave(cudaErrorInvalidMemcpyDirection);
  if (!fits(symbolBytes, bytes, offset)) return leave(cudaErrorInvalidValue);
  return cudaMemcpyAsync(const_cast<char*>(static_cast<const volatile char*>(symbol)) + offset, src, bytes,
                         kind, stream);
}

cudaError_t cuiMemcpyFromSymbol(void* dst, const volatile void* symbol, size_t symbolBytes, size_t bytes,
                                size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
  if (const cudaError_t error = checkSymbol(symbol, symbolBytes)) return leave(error);
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return leave(cudaErrorInvalidMemcpyDirection);
  if (!fits(symbolBytes, bytes, offset)) return leave(cudaErrorInvalidValue);
  return cudaMemcpyAsync(dst, const_cast<char*>(static_cast<const volatile char*>(symbol)) + offset, bytes,
                         kind, stream);
}

cudaError_t cuiGetSymbolAddress(void** address, const volatile void* symbol, size_t symbolBytes) {
  if (address == nullptr) return leave(cudaErrorInvalidValue);
  if (const cudaError_t error = checkSymbol(symbol, symbolBytes)) return leave(error);
  *address = const_cast<void*>(symbol);
  return cudaSuccess;
}

cudaError_t cuiGetSymbolSize(size_t* bytes, const volatile void* symbol, size_t symbolBytes) {
  if (bytes == nullptr) return leave(cudaErrorInvalidValue);
  if (const cudaError_t error = checkSymbol(symbol, symbolBytes)) return leave(error);
  *bytes = symbolBytes;
  return cudaSuccess;
}
