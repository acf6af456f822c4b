#include "frame.h"
#include "statements.h"

#include <cstdio>
#include <cstring>
#include <string>

#include "../exec/worker.h"
#include "../runtime/device_limits.h"
#include "../runtime/runtime.h"
#include "cuinstrument/backend/cpu/backend.h"

namespace cui::cpu::ptx {
namespace {

unsigned threadOfBlock() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
std::uint64_t blockOfGrid() {
  return blockIdx.x + std::uint64_t{gridDim.x} * (blockIdx.y + std::uint64_t{gridDim.y} * blockIdx.z);
}
unsigned multiprocessors() {
  int count = limits::multiprocessors;
  deviceAttribute(cudaDevAttrMultiProcessorCount, count);
  return static_cast<unsigned>(count);
}

std::uint64_t negated(std::uint64_t bits, Type type) {
  if (isFloat(type)) return bits ^ (std::uint64_t{1} << (bitsOf(type) - 1));
  return std::uint64_t{0} - bits;
}

/// The pattern of a literal that is written with a fraction, where `type` is expected.
std::uint64_t patternOfReal(std::uint64_t bits, Type type) {
  if (bitsOf(type) == 64) return bits;
  double value;
  std::memcpy(&value, &bits, sizeof value);
  const auto narrow = static_cast<float>(value);
  std::uint32_t result;
  std::memcpy(&result, &narrow, sizeof result);
  return result;
}

}  // namespace

std::uint64_t Frame::pattern(const Operand& operand, Type type) const {
  std::uint64_t bits = 0;
  switch (operand.kind) {
    case Operand::Kind::slot:
      bits = slots_[operand.slot];
      break;
    case Operand::Kind::immediate:
      bits = operand.isReal ? patternOfReal(operand.bits, type) : operand.bits;
      break;
    case Operand::Kind::special:
      bits = special(operand.special);
      break;
    default:
      break;
  }
  return operand.isNegated && type != Type::pred ? negated(bits, type) : bits;
}

std::uint64_t Frame::special(Special name) {
  switch (name) {
#define CUI_PTX_SPECIAL(name, text, ...) \
  case Special::name:                    \
    return static_cast<std::uint64_t>(__VA_ARGS__);
#include "special_registers.def"
  }
  return 0;
}

void* Frame::address(const Operand& operand, bool isShared) const {
  std::uint64_t sum = 0;
  for (const Operand& part : operand.parts) sum += read(part, Type::b64);
  // A number of 32 bits is added to as such: offsets in shared memory may be negative.
  if (isShared) return cuiSharedAddress(static_cast<std::uint32_t>(sum));
  // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses are integers to PTX
  return reinterpret_cast<void*>(sum);
}

std::uint32_t& Frame::carry() {
  static thread_local std::uint32_t ofHost;
  return cuiLaneLog != nullptr ? cuiLaneLog->carry : ofHost;
}

void Frame::unsupported(const Instruction& instruction, const char* why) const {
  const std::string what = std::string(file_) + ":" + std::to_string(line_) + ": " +
                           quoted(instruction.text) + (*why != '\0' ? std::string(" (") + why + ")" : "") +
                           " in inline assembly";
  cuiUnsupportedInKernel(what.c_str());
  __builtin_unreachable();
}

}  // namespace cui::cpu::ptx
