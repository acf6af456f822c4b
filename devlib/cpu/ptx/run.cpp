// What CUI_PTX calls: the program of a place in the source, made at its first run, on a lane's operands.
#include <atomic>
#include <deque>
#include <mutex>

#include "../runtime/runtime.h"
#include "cuinstrument/backend/cpu/exec_ptx.h"
#include "frame.h"

namespace cui::cpu::ptx {
namespace {

const Program& programOf(backend::PtxSite& site, const char* text, const backend::PtxOperand* operands,
                         unsigned count) {
  if (const void* known = __atomic_load_n(&site.program, __ATOMIC_ACQUIRE))
    return *static_cast<const Program*>(known);
  static std::mutex mutex;
  static std::deque<Program> programs;
  const std::lock_guard<std::mutex> lock(mutex);
  if (site.program == nullptr) {
    std::vector<std::string> constraints;
    constraints.reserve(count);
    for (unsigned i = 0; i < count; ++i) constraints.emplace_back(operands[i].constraint);
    Program program = parse(text, constraints);
    if (!program.problem.empty())
      program.problem = std::string(site.file) + ":" + std::to_string(site.line) + ": " + program.problem +
                        " in inline assembly";
    __atomic_store_n(&site.program, &programs.emplace_back(std::move(program)), __ATOMIC_RELEASE);
  }
  return *static_cast<const Program*>(site.program);
}

void execute(const Program& program, Frame& frame) {
  while (frame.next() < program.instructions.size()) {
    const Instruction& in = program.instructions[frame.next()];
    frame.goTo(frame.next() + 1);
    if (in.predicate >= 0 && frame.isTrue(static_cast<std::uint32_t>(in.predicate)) == in.isPredicateNegated)
      continue;
    in.execute(in, frame);
  }
}

}  // namespace
}  // namespace cui::cpu::ptx

namespace cui::backend {

void runPtx(PtxSite& site, const char* text, const PtxOperand* operands, unsigned count) {
  using namespace cui::cpu;
  const ptx::Program& program = ptx::programOf(site, text, operands, count);
  if (!program.problem.empty()) cuiUnsupportedInKernel(program.problem.c_str());
  // On the lane's stack: a lane that waits here may be forgotten with everything on it.
  auto* slots = static_cast<std::uint64_t*>(__builtin_alloca((program.slots + 1) * sizeof(std::uint64_t)));
  for (unsigned i = 0; i < count; ++i) slots[i] = operands[i].bits;
  for (unsigned i = count; i < program.slots; ++i) slots[i] = 0;
  ptx::Frame frame(slots, site.file, site.line);
  ptx::execute(program, frame);
  for (unsigned i = 0; i < count; ++i)
    if (operands[i].target != nullptr) operands[i].assign(operands[i].target, slots[i]);
}

}  // namespace cui::backend
