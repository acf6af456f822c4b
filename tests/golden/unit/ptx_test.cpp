// memoryInstructions(): which memory inline assembly touches, read from its text.
#include "constructs/ptx.h"

#include <gtest/gtest.h>

#include <string>

namespace cui::constructs {
namespace {

/// `load global 16 [%4-16]`, one a line; a reason instead of the rest where there is one.
std::string spelled(const std::vector<PtxAccess>& all) {
  static const char* const kinds[] = {"load", "store", "rmw", "atomic", "copy"};
  static const char* const spaces[] = {"generic", "global", "shared", "constant", "local"};
  std::string text;
  for (const PtxAccess& one : all) {
    if (!text.empty()) text += "; ";
    if (!one.reason.empty()) {
      text += one.instruction + ": " + one.reason;
      continue;
    }
    text += std::string(kinds[static_cast<int>(one.kind)]) + " " + spaces[static_cast<int>(one.space)] + " ";
    text += one.bytes ? std::to_string(one.bytes) : "%" + std::to_string(one.bytesOperand);
    text += " [%" + std::to_string(one.operand) + (one.offset ? std::to_string(one.offset) : "") + "]";
    if (one.lanes) text += " of " + std::to_string(one.lanes) + " lanes";
  }
  return text;
}

struct Case {
  const char* name;
  const char* assembly;
  const char* accesses;
};
void PrintTo(const Case& value, std::ostream* out) {
  *out << value.name;
}

class Ptx : public testing::TestWithParam<Case> {};
TEST_P(Ptx, FindsTheAccesses) {
  EXPECT_EQ(spelled(memoryInstructions(GetParam().assembly)), GetParam().accesses);
}

INSTANTIATE_TEST_SUITE_P(
    Instructions, Ptx,
    testing::Values(
        Case{"Load", "ld.global.f32 %0, [%1];", "load global 4 [%1]"},
        Case{"NoSemicolon", "ld.u8 %0, [%1]", "load generic 1 [%1]"},
        Case{"Vector", "ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [ %4 + -0x10 ];",
             "load global 16 [%4-16]"},
        Case{"Wide", "ld.global.nc.b128 %0, [%1];", "load global 16 [%1]"},
        Case{"Shared", "st.volatile.shared::cta.v2.u16 [%0], {%1, %2};", "store shared 4 [%0]"},
        Case{"Release", "st.release.gpu.global.u64 [%0], %1;", "store global 8 [%0]"},
        Case{"Atomic", "atom.global.cas.b64 %0, [%1], %2, %3;", "atomic global 8 [%1]"},
        Case{"Packed", "red.global.add.noftz.f16x2 [%0], %1; red.global.add.bf16x2 [%0], %1;",
             "atomic global 4 [%0]; atomic global 4 [%0]"},
        Case{"AtomicVector", "atom.global.v4.f32.add {%0,%1,%2,%3}, [%4], {%5,%6,%7,%8};",
             "atomic global 16 [%4]"},
        Case{"Scopes", "{\n\t.reg .b32 r;\n\tld.shared.b32 r, [%1];\n\tmov.b32 %0, r;\n}",
             "load shared 4 [%1]"},
        Case{"AsyncCopy", "cp.async.cg.shared.global [%0], [%1], 16;",
             "store shared 16 [%0]; load global 16 [%1]"},
        Case{"AsyncCopyBySize", "cp.async.ca.shared.global.L2::cache_hint [%0], [%1], %2, %3;",
             "store shared %2 [%0]; load global %2 [%1]"},
        Case{"AsyncCopyZeroFill", "cp.async.ca.shared.global [%0], [%1], 16, %2;",
             "store shared 16 [%0]; cp.async.ca.shared.global: it may read fewer bytes than it copies"},
        Case{"Predicated", "@p st.global.u32 [%0], %1;", "st.global.u32: a predicated instruction"},
        Case{"Register", "ld.global.u32 %0, [$r + 4];",
             "ld.global.u32: its address is computed in the assembly"},
        Case{"Cluster", "ld.shared::cluster.u32 %0, [%1];",
             "ld.shared::cluster.u32: the shared memory of another block"},
        Case{"Tile", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];",
             "load shared 16 [%4] of 32 lanes"},
        Case{"TileTransposed", "ldmatrix.sync.aligned.m8n8.x1.trans.shared::cta.b16 {%0}, [%1+32];",
             "load shared 16 [%132] of 8 lanes"},
        Case{"TileStored", "stmatrix.sync.aligned.x2.m8n8.b16 [%0], {%1, %2};",
             "store generic 16 [%0] of 16 lanes"},
        Case{"TileOfAnotherShape", "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%0,%1}, [%2];",
             "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8: a matrix of a shape that is not understood"},
        Case{"TileOfRegister", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [$row];",
             "ldmatrix.sync.aligned.m8n8.x1.shared.b16: its address is computed in the assembly"},
        Case{"TileOfWmma", "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%0,%1}, [%2];",
             "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16: a tile: many addresses in one instruction"},
        Case{"Texture", "tex.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];",
             "tex.2d.v4.f32.f32: a texture or surface"},
        Case{"Parameter", "ld.param.u32 %0, [name];", ""},
        Case{"Comment", "// ld.global.u32 %0, [%1];\n/* st.global.u32 [%0], 1; */ membar.gl;", ""},
        Case{"Others", "mul.lo.u32 %0, %1, %2; prefetch.global.L2 [%0]; bar.sync 0;", ""},
        Case{"Loop", "again: ld.global.u32 %0, [%1]; bra again;",
             "ld.global.u32: the assembly has branches"}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace cui::constructs
