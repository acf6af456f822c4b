// mma.sync, ldmatrix, stmatrix, movmatrix. Which lane holds which elements is what the PTX ISA says: a
// register of 32 bits has 32/bits neighbours of a row of A, or of a column of B; four lanes next to each
// other have a row, eight groups of four the rows; further registers have the rows 8 below and the columns
// behind.
#include <algorithm>
#include <cstring>

#include "cuinstrument/backend/cpu/exec_intrinsics.h"
#include "instructions.h"
#include "real.h"

namespace cui::cpu::ptx {
namespace {

constexpr unsigned lanes = 32;
constexpr unsigned maxRegisters = 8;
constexpr unsigned allLanes = 0xffffffffu;

struct Shape {
  unsigned m, n, k;
};
Shape shapeOf(const Instruction& in) {
  if (in.has(Modifier::m8n8k4)) return {8, 8, 4};
  if (in.has(Modifier::m8n8k16)) return {8, 8, 16};
  if (in.has(Modifier::m16n8k4)) return {16, 8, 4};
  if (in.has(Modifier::m16n8k8)) return {16, 8, 8};
  if (in.has(Modifier::m16n8k16)) return {16, 8, 16};
  if (in.has(Modifier::m16n8k32)) return {16, 8, 32};
  return {0, 0, 0};
}

/// One lane's part of mma.sync d, a, b, c.
struct Fragments {
  const Instruction* in;
  std::uint64_t a[maxRegisters], b[maxRegisters], c[maxRegisters], d[maxRegisters];
};

double elementOf(const std::uint64_t* registers, unsigned number, Type type) {
  const unsigned bits = bitsOf(type), perRegister = bits >= 32 ? 1 : 32 / bits;
  const std::uint64_t pattern = registers[number / perRegister] >> number % perRegister * bits;
  const std::uint64_t own = extended(pattern, type);
  if (isFloat(type)) return realOf(own, type);
  return isSigned(type) ? static_cast<double>(static_cast<std::int64_t>(own)) : static_cast<double>(own);
}

/// Lane and number of an element of A (row by row) or of B (column by column), which are alike.
void locate(unsigned row, unsigned k, bool hasTwoRows, Type type, unsigned& lane, unsigned& number) {
  const unsigned perRegister = bitsOf(type) >= 32 ? 1 : 32 / bitsOf(type);
  const unsigned block = k / (4 * perRegister), within = k % (4 * perRegister);
  lane = row % 8 * 4 + within / perRegister;
  number = (block * (hasTwoRows ? 2 : 1) + row / 8) * perRegister + within % perRegister;
}

void setSum(Fragments& lane, unsigned number, double sum, Type type) {
  std::uint64_t bits;
  if (isFloat(type))
    bits = patternOf(sum, type, RoundingMode::nearest);
  else if (lane.in->has(Modifier::satfinite))
    bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(std::clamp(sum, -0x1p31, 0x1p31 - 1)));
  else
    bits = zeroExtended(static_cast<std::uint64_t>(static_cast<std::int64_t>(sum)), 32);
  if (type == Type::f16)
    lane.d[number / 2] |= bits << number % 2 * 16;
  else
    lane.d[number] = bits;
}

/// Integers of 32 bits and their sums are exact in double precision; those of floating point are summed in
/// the accumulator's own, as wmma's are (mma.h).
void multiplyAll(void* const* arguments) {
  const auto part = [&](unsigned lane) -> Fragments& { return *static_cast<Fragments*>(arguments[lane]); };
  const Instruction& in = *part(0).in;
  const Shape shape = shapeOf(in);
  const Type d = in.type(0), a = in.type(1), b = in.type(2), c = in.type(3);
  for (unsigned row = 0; row < shape.m; ++row)
    for (unsigned column = 0; column < shape.n; ++column) {
      Fragments& own = part(row % 8 * 4 + column / 2);
      const unsigned number = row / 8 * 2 + column % 2;
      double sum = elementOf(own.c, number, c);
      for (unsigned k = 0; k < shape.k; ++k) {
        unsigned laneA, numberA, laneB, numberB;
        locate(row, k, shape.m == 16, a, laneA, numberA);
        locate(column, k, false, b, laneB, numberB);
        sum += elementOf(part(laneA).a, numberA, a) * elementOf(part(laneB).b, numberB, b);
        if (d == Type::f32 || d == Type::f16) sum = static_cast<float>(sum);
      }
      setSum(own, number, sum, d);
    }
}

void readAll(const Operand& operand, std::uint64_t* values, const Frame& frame) {
  if (operand.kind != Operand::Kind::list) {
    values[0] = frame.read(operand, Type::b64);
    return;
  }
  for (std::size_t i = 0; i < operand.parts.size() && i < maxRegisters; ++i)
    values[i] = frame.read(operand.parts[i], Type::b64);
}
void writeAll(const Operand& operand, const std::uint64_t* values, Type type, Frame& frame) {
  if (operand.kind != Operand::Kind::list) return frame.write(operand, values[0], type);
  for (std::size_t i = 0; i < operand.parts.size() && i < maxRegisters; ++i)
    frame.write(operand.parts[i], values[i], type);
}

/// A row's address of each lane, and the registers of up to four matrices of 8 rows of 8 elements of 16 bits.
struct Rows {
  char* address;
  std::uint64_t values[4];
  unsigned matrices;
  bool transposed;
};

/// The two elements of a lane in matrix `matrix`: at row and column, or where those are exchanged.
char* place(void* const* arguments, unsigned lane, unsigned matrix, unsigned element) {
  const auto* own = static_cast<const Rows*>(arguments[lane]);
  unsigned row = lane / 4, column = lane % 4 * 2 + element;
  if (own->transposed) std::swap(row, column);
  return static_cast<const Rows*>(arguments[std::size_t{8} * matrix + row])->address +
         std::size_t{2} * column;
}

template <bool loads>
void moveAll(void* const* arguments) {
  for (unsigned lane = 0; lane < lanes; ++lane) {
    auto* own = static_cast<Rows*>(arguments[lane]);
    for (unsigned matrix = 0; matrix < own->matrices; ++matrix)
      for (unsigned element = 0; element < 2; ++element) {
        char* const at = place(arguments, lane, matrix, element);
        auto value = static_cast<std::uint16_t>(own->values[matrix] >> 16 * element);
        std::memcpy(loads ? static_cast<void*>(&value) : at, loads ? at : static_cast<void*>(&value),
                    sizeof value);
        if (loads) own->values[matrix] |= std::uint64_t{value} << 16 * element;
      }
  }
}

Rows rowsOf(const Instruction& in, const Operand& address, const Frame& frame) {
  const unsigned matrices = in.has(Modifier::x4) ? 4 : in.has(Modifier::x2) ? 2 : 1;
  char* row = nullptr;  // the lanes above those that give a row's address may hold anything
  if (cuiLaneIndex() < matrices * 8)
    row = static_cast<char*>(frame.address(address, in.has(Modifier::shared)));
  return {row, {}, matrices, in.has(Modifier::trans)};
}

void transposeAll(void* const* arguments) {
  std::uint16_t matrix[8][8];
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::uint64_t value = *static_cast<std::uint64_t*>(arguments[lane]);
    for (unsigned e = 0; e < 2; ++e)
      matrix[lane / 4][lane % 4 * 2 + e] = static_cast<std::uint16_t>(value >> 16 * e);
  }
  for (unsigned lane = 0; lane < lanes; ++lane)
    *static_cast<std::uint64_t*>(arguments[lane]) =
        matrix[std::size_t{lane % 4} * 2][lane / 4] |
        std::uint64_t{matrix[std::size_t{lane % 4} * 2 + 1][lane / 4]} << 16;
}

}  // namespace

void multiplyMatrices(const Instruction& in, Frame& frame) {
  const Shape shape = shapeOf(in);
  const bool isVolta = shape.k == 4 && in.type(1) == Type::f16;  // another layout, of quarter warps
  if (shape.m == 0 || in.types.size() != 4 || isVolta) frame.unsupported(in, "a shape or its types");
  Fragments own = {};
  own.in = &in;
  readAll(in.operands[1], own.a, frame);
  readAll(in.operands[2], own.b, frame);
  readAll(in.operands[3], own.c, frame);
  cuiWarpTogether(allLanes, multiplyAll, &own);
  writeAll(in.operands[0], own.d, in.type(0) == Type::f64 ? Type::b64 : Type::b32, frame);
}

void loadMatrices(const Instruction& in, Frame& frame) {
  Rows rows = rowsOf(in, in.operands[1], frame);
  cuiWarpTogether(allLanes, moveAll<true>, &rows);
  writeAll(in.operands[0], rows.values, Type::b32, frame);
}

void storeMatrices(const Instruction& in, Frame& frame) {
  Rows rows = rowsOf(in, in.operands[0], frame);
  readAll(in.operands[1], rows.values, frame);
  cuiWarpTogether(allLanes, moveAll<false>, &rows);
}

void moveMatrix(const Instruction& in, Frame& frame) {
  std::uint64_t value = frame.read(in.operands[1], Type::b32);
  cuiWarpTogether(allLanes, transposeAll, &value);
  frame.write(in.operands[0], value, Type::b32);
}

}  // namespace cui::cpu::ptx
