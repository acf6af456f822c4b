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
    text += !one.size.empty() ? one.size
            : one.bytes       ? std::to_string(one.bytes)
                              : "%" + std::to_string(one.bytesOperand);
    text += " [%" + std::to_string(one.operand) + (one.offset ? std::to_string(one.offset) : "") + "]";
    if (!one.condition.empty()) text += " if " + one.condition;
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
             "store shared 16 [%0]; load global %2 [%1]"},
        Case{"AsyncCopyZeroFillAndPolicy", "cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2, %3;",
             "store shared 16 [%0]; load global %2 [%1]"},
        Case{"AsyncCopyOfZeros", "cp.async.ca.shared.global [%0], [%1], %2, 0;", "store shared %2 [%0]"},
        Case{"AsyncCopyOfSome", "cp.async.ca.shared.global [%0], [%1], 16, 8;",
             "store shared 16 [%0]; load global 8 [%1]"},
        Case{"AsyncCopyIgnored", "setp.eq.s32 p, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, p;",
             "store shared 16 [%0]; load global 16 [%1] if !(static_cast<int>(%2) == 0)"},
        Case{"AsyncCopyIgnoredByOthers", "cp.async.cg.shared.global [%0], [%1], 16, p;",
             "store shared 16 [%0]; cp.async.cg.shared.global: it may read fewer bytes than it copies"},
        Case{"AsyncCopyPredicated",
             "{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.ca.shared.global [%1], [%2], %3; }",
             "store shared %3 [%1] if static_cast<unsigned int>(%0) != 0; "
             "load global %3 [%2] if static_cast<unsigned int>(%0) != 0"},
        Case{"BulkCopy",
             "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];",
             "store shared %2 [%0]; load global %2 [%1]"},
        Case{"BulkCopyBack",
             "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1+16], 512, %2;",
             "store global 512 [%0]; load shared 512 [%116]"},
        Case{"BulkCopyOfRegister", "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], size;",
             "cp.async.bulk.global.shared::cta.bulk_group: its size is computed in the assembly; "
             "cp.async.bulk.global.shared::cta.bulk_group: its size is computed in the assembly"},
        Case{
            "BulkCopyToAnotherBlock",
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];",
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes: to the shared memory of "
            "another block; cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes: to the "
            "shared "
            "memory of another block"},
        Case{"BulkCopyToSeveral",
             "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
             "[%1], 16, "
             "[%2], %3;",
             "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster: to the "
             "shared "
             "memory of several blocks; load global 16 [%1]"},
        Case{"TensorCopy", "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];",
             "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group: a tensor copy: its addresses are in the "
             "tensor's map"},
        Case{"BulkReduction", "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 16;",
             "atomic global 16 [%0]; load shared 16 [%1]"},
        Case{"BulkReductionInAnotherBlock",
             "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.inc.u32 [%0], "
             "[%1], 16, [%2];",
             "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.inc.u32: to the "
             "shared memory of another block; "
             "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.inc.u32: to the "
             "shared memory of another block"},
        Case{"BulkPrefetch", "cp.async.bulk.prefetch.L2.global [%0], 16; cp.async.bulk.commit_group;", ""},
        Case{"Predicated", "setp.lt.s32 p, %2, %3; @p st.global.u32 [%0], %1;",
             "store global 4 [%0] if static_cast<int>(%2) < static_cast<int>(%3)"},
        Case{"PredicatedNot", "setp.hi.u64 $p, %2, -1; @!$p red.global.add.u32 [%0], 1;",
             "atomic global 4 [%0] if !(static_cast<unsigned long long>(%2) > static_cast<unsigned long "
             "long>(-1))"},
        Case{"PredicatedFromElsewhere", "@p st.global.u32 [%0], %1;",
             "st.global.u32: its predicate is computed in the assembly"},
        Case{"PredicateOfRegister", "setp.ne.s32 p, r, 0; @p st.global.u32 [%0], %1;",
             "st.global.u32: its predicate is computed in the assembly"},
        Case{"PredicateOfFloat", "setp.gt.f32 p, %2, 0f00000000; @p st.global.u32 [%0], %1;",
             "st.global.u32: its predicate is computed in the assembly"},
        Case{"PredicateChanged", "setp.ne.s32 p, %2, 0; and.pred p, p, q; @p st.global.u32 [%0], %1;",
             "st.global.u32: its predicate is computed in the assembly"},
        Case{"PredicateSetBySome",
             "setp.ne.s32 p, %2, 0; @q setp.ne.s32 p, %3, 0; @p st.global.u32 [%0], %1;",
             "st.global.u32: its predicate is computed in the assembly"},
        Case{"PredicateOfAnInnerScope",
             "setp.ne.s32 p, %2, 0; { .reg .pred q, p; @p st.global.u32 [%0], %1; }",
             "st.global.u32: its predicate is computed in the assembly"},
        Case{"PredicatedMatrix",
             "setp.ne.s32 p, %1, 0; @p ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%2];",
             "ldmatrix.sync.aligned.m8n8.x1.shared.b16: a predicated matrix"},
        Case{"LoadKeptOutOfL1", "ld.global.nc.L1::no_allocate.v4.s32 {%0,%1,%2,%3}, [%4];",
             "load global 16 [%4]"},
        Case{"LoadOfEight", "ld.global.L1::evict_last.L2::256B.v8.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];",
             "load global 32 [%8]"},
        Case{"StreamingStore", "st.global.cs.v2.f64 [%0], {%1, %2};", "store global 16 [%0]"},
        Case{"AsyncStore", "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];",
             "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32: an asynchronous store to another "
             "block"},
        Case{"Fill", "st.bulk.weak.shared::cta [%0], %1, 0;", "store shared %1 [%0]"},
        Case{"FillOfRegister", "st.bulk.shared::cta [%0], size, 0;",
             "st.bulk.shared::cta: its size is computed in the assembly"},
        Case{
            "BlockTaken",
            "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];",
            "store shared 16 [%0]"},
        Case{"BlockTakenForSeveral",
             "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::"
             "cluster::all.b128 [%0], [%1];",
             "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::"
             "cluster::all.b128: to the shared memory of several blocks"},
        Case{"BlockAskedFor", "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, %1;", ""},
        Case{"SharedAtomic", "atom.shared.exch.b32 %0, [%1], %2;", "atomic shared 4 [%1]"},
        Case{"Barrier", "mbarrier.arrive.shared::cta.b64 _, [%0];",
             "mbarrier.arrive.shared::cta.b64: a barrier object in shared memory"},
        Case{"Descriptors",
             "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;",
             "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16: a product of tiles: their addresses are in "
             "descriptors"},
        Case{"SeveralDevices", "multimem.red.release.sys.global.add.u32 [%0], %1;", "atomic global 4 [%0]"},
        Case{"SeveralDevicesRead",
             "multimem.ld_reduce.weak.global.add.acc::f32.v4.bf16x2 {%0, %1, %2, %3}, [%4 + 16];",
             "load global 16 [%416]"},
        Case{"SeveralDevicesReadBytes", "multimem.ld_reduce.add.v4.e4m3x4 {%0, %1, %2, %3}, [%4];",
             "load generic 16 [%4]"},
        Case{"SeveralDevicesWritten", "multimem.st.weak.global.v4.f32 [%0], {%1, %2, %3, %4};",
             "store global 16 [%0]"},
        Case{"SeveralDevicesCopied", "multimem.cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;",
             "multimem.cp.async.bulk.global.shared::cta.bulk_group: a block for the memory of several "
             "devices"},
        Case{"NewInstruction", "ldnew.global.b32 %0, [%1];",
             "ldnew.global.b32: an instruction that is not understood"},
        Case{"Declaration", ".shared .b32 place[4]; .reg .b32 r;", ""},
        Case{"EarlyEnd", "setp.ne.s32 p, %2, 0; @p exit; st.global.u32 [%0], %1;",
             "st.global.u32: the assembly has branches"},
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
