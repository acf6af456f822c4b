#include "cli/compile/split_prologue.h"

#include <array>

#include "cli/base/replaced_text.h"
#include "cuinstrument/format/split_launch.h"

namespace cui::cli {
namespace {

constexpr std::array<std::string_view, 6> asked = {"%ctaid.x",  "%ctaid.y",  "%ctaid.z",
                                                   "%nctaid.x", "%nctaid.y", "%nctaid.z"};

std::size_t countOf(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size()) ++count;
  return count;
}

std::string decimal(std::uint64_t value) {
  return std::to_string(value);
}

/// Where a SplitBlock lies, in %cuir16, if %cuir7 is such a launch's dynamic shared memory; else goes on.
std::string findOwn() {
  return "\tmov.u32 \t%cuir7, %dynamic_smem_size;\n\tand.b32 \t%cuir8, %cuir7, " +
         decimal(format::splitSharedMask) + ";\n\tsetp.ne.u32 \t%cuip2, %cuir8, " +
         decimal(format::splitSharedBits) +
         ";\n\t@%cuip2 bra \t$L__cuiOwn;\n"
         // What it holds ends the block's memory.
         "\tmov.u32 \t%cuir16, %aggr_smem_size;\n\tsub.u32 \t%cuir16, %cuir16, " +
         decimal(sizeof(format::SplitBlock)) + ";\n\tand.b32 \t%cuir16, %cuir16, -16;\n";
}

/// Of a kernel: from the table, for all that it calls.
std::string findInTable() {
  using format::SplitGrid;
  using format::SplitTable;
  return "\tshr.u32 \t%cuir9, %cuir7, 1;\n\tand.b32 \t%cuir9, %cuir9, " + decimal(format::splitGrids - 1) +
         ";\n\tmul.wide.u32 \t%cuid2, %cuir9, " + decimal(sizeof(SplitGrid)) +
         ";\n\tadd.u64 \t%cuid2, %cuid1, %cuid2;\n"
         "\tld.global.v4.u32 \t{%cuir10, %cuir11, %cuir12, %cuir13}, [%cuid2];\n\tld.global.u32 \t%cuir14, "
         "[%cuid2+" +
         decimal(offsetof(SplitGrid, blocks)) +
         "];\n\tsetp.ne.u32 \t%cuip3, %cuir7, %cuir13;\n\t@%cuip3 bra \t$L__cuiOwn;\n"
         "\tsetp.ne.u32 \t%cuip3, %cuir14, %cuir4;\n\t@%cuip3 bra \t$L__cuiOwn;\n"
         "\tgriddepcontrol.launch_dependents;\n"
         "\tmul.wide.u32 \t%cuid3, %cuir1, 4;\n\tadd.u64 \t%cuid3, %cuid1, %cuid3;\n\tld.global.u32 "
         "\t%cuir15, [%cuid3+" +
         decimal(offsetof(SplitTable, blocks)) +
         "];\n\trem.u32 \t%cuir1, %cuir15, %cuir10;\n\tdiv.u32 \t%cuir9, %cuir15, %cuir10;\n"
         "\trem.u32 \t%cuir2, %cuir9, %cuir11;\n\tdiv.u32 \t%cuir3, %cuir9, %cuir11;\n"
         "\tmov.u32 \t%cuir4, %cuir10;\n\tmov.u32 \t%cuir5, %cuir11;\n\tmov.u32 \t%cuir6, %cuir12;\n"
         "\tmov.u32 \t%cuir9, " +
         decimal(format::splitMark) +
         ";\n"
         // One thread, and a barrier, so that no other reads before: all of a block's threads begin here.
         "\tmov.u32 \t%cuir8, %tid.x;\n\tmov.u32 \t%cuir17, %tid.y;\n\tor.b32 \t%cuir8, %cuir8, %cuir17;\n"
         "\tmov.u32 \t%cuir17, %tid.z;\n\tor.b32 \t%cuir8, %cuir8, %cuir17;\n"
         "\tsetp.eq.u32 \t%cuip3, %cuir8, 0;\n"
         "\t@%cuip3 st.shared.v4.u32 \t[%cuir16], {%cuir1, %cuir2, %cuir3, %cuir15};\n"
         "\t@%cuip3 st.shared.v4.u32 \t[%cuir16+16], {%cuir4, %cuir5, %cuir6, %cuir9};\n\tbar.sync \t0;\n";
}

/// Of what it calls.
std::string findInShared() {
  return "\tld.shared.v4.u32 \t{%cuir9, %cuir10, %cuir11, %cuir12}, [%cuir16];\n"
         "\tld.shared.v4.u32 \t{%cuir13, %cuir14, %cuir15, %cuir17}, [%cuir16+16];\n\tsetp.ne.u32 \t%cuip3, "
         "%cuir17, " +
         decimal(format::splitMark) +
         ";\n\t@%cuip3 bra \t$L__cuiOwn;\n"
         "\tmov.u32 \t%cuir1, %cuir9;\n\tmov.u32 \t%cuir2, %cuir10;\n\tmov.u32 \t%cuir3, %cuir11;\n"
         "\tmov.u32 \t%cuir4, %cuir13;\n\tmov.u32 \t%cuir5, %cuir14;\n\tmov.u32 \t%cuir6, %cuir15;\n";
}

constexpr std::string_view prologueRegisters =
    "\t.reg .pred \t%cuip<4>;\n\t.reg .b32 \t%cuir<18>;\n\t.reg .b64 \t%cuid<4>;\n";

/// The block and the grid as the hardware has them, in the first six registers.
std::string askHardware() {
  std::string text;
  for (std::size_t i = 0; i < asked.size(); ++i)
    text += "\tmov.u32 \t%cuir" + decimal(i + 1) + ", " + std::string(asked[i]) + ";\n";
  return text;
}

/// Behind the brace.
std::string withPrologue(std::string_view body, const std::string& prologue) {
  return "{\n" + std::string(prologueRegisters) + prologue + std::string(body.substr(1));
}

}  // namespace

bool asksForBlock(std::string_view body) {
  return body.find("ctaid") != std::string_view::npos;
}

bool canAskElsewhere(std::string_view body) {
  std::size_t known = 0;
  for (const std::string_view name : asked) known += countOf(body, name);
  return countOf(body, "ctaid") == known;  // a vector of all three, or of a cluster
}

std::string inGridOfProgram(std::string_view body, const UnitState& state, bool kernel) {
  std::string changed(body);
  for (std::size_t i = 0; i < asked.size(); ++i)
    changed = replaced(changed, asked[i], "%cuir" + decimal(i + 1));
  return withPrologue(changed, askHardware() + "\tld.const.u64 \t%cuid1, [" + std::string(state.name) + "+" +
                                   decimal(state.bytes - 8) +
                                   "];\n\tsetp.eq.s64 \t%cuip1, %cuid1, 0;\n\t@%cuip1 bra \t$L__cuiOwn;\n" +
                                   findOwn() + (kernel ? findInTable() : findInShared()) +
                                   std::string(endOfPrologue));
}

std::string withoutSampledBlocks(std::string_view body, bool waits) {
  const std::string waiting =
      "\tld.param.u32 \t%cuir9, [cuiLastRecorded];\n\tsetp.ne.u32 \t%cuip3, %cuir7, %cuir9;\n"
      "\t@%cuip3 bra \t$L__cuiOther;\n\tgriddepcontrol.wait;\n$L__cuiOther:\n";
  return withPrologue(body,
                      "\tld.param.u32 \t%cuir8, [cuiRecordedBelow];\n\tsetp.eq.u32 \t%cuip1, %cuir8, 0;\n"
                      "\t@%cuip1 bra \t$L__cuiOwn;\n" +
                          askHardware() +
                          "\tmad.lo.u32 \t%cuir7, %cuir5, %cuir3, %cuir2;\n"
                          "\tmad.lo.u32 \t%cuir7, %cuir7, %cuir4, %cuir1;\n\tmul.lo.u32 \t%cuir9, %cuir7, " +
                          decimal(format::sampleOrder(1)) +
                          ";\n\tshr.u32 \t%cuir9, %cuir9, 1;\n\tsetp.ge.u32 \t%cuip2, %cuir9, %cuir8;\n"
                          "\t@%cuip2 bra \t$L__cuiOwn;\n" +
                          (waits ? waiting : std::string()) + "\tret;\n$L__cuiOwn:\n");
}

}  // namespace cui::cli
