#include "cli/compile/ptx_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "cli/compile/lean_kernels.h"
#include "cli/compile/mode_kernels.h"
#include "cli/compile/ptx_functions.h"

namespace cui::cli {
namespace {

constexpr std::array preserved = {
#define CUI_PRESERVES(function, registers) \
  std::pair<std::string_view, std::string_view>{#function, #registers},
#include "cuinstrument/backend/cuda/preserved_registers.def"
#undef CUI_PRESERVES
};
/// What functions of a unit that call them preserve: as few, so that a call saves nothing twice.
constexpr std::string_view preservedByUnits = "8";
/// Of a body that may need more registers than the usual limit.
constexpr std::size_t mostText = 49'152;

/// The word behind a directive that begins a line: `sm_90` of `.target sm_90`.
std::string_view directive(std::string_view ptx, std::string_view name) {
  for (std::size_t at = 0; (at = ptx.find(name, at)) != std::string_view::npos; at += name.size()) {
    if (at != 0 && ptx[at - 1] != '\n') continue;
    const std::size_t begin = ptx.find_first_not_of(' ', at + name.size());
    if (begin == std::string_view::npos || begin == at + name.size()) continue;
    return ptx.substr(begin, ptx.find_first_of(" \t\r\n", begin) - begin);
  }
  return {};
}

/// The first number in a word: 90 of `sm_90a`; 0 if it has none.
long firstNumberIn(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_of("0123456789"), word.size()));
  return std::strtol(std::string(word).c_str(), nullptr, 10);
}

/// Whether the PTX is of CUDA 13, or later.
bool isOfCuda13(std::string_view ptx) {
  constexpr int firstVersion = 9;
  return firstNumberIn(directive(ptx, ".version")) >= firstVersion;
}

std::string_view preservedBy(std::string_view declaration, const std::set<std::string_view>& recording) {
  if (declaration.empty()) return {};
  const std::string_view name = nameOfFunction(declaration), function = recorderFunction(name);
  if (isLeanName(name)) return {};  // they keep to the convention
  if (recording.count(name) != 0) return preservedByUnits;
  for (const auto& [known, registers] : preserved)
    if (known == function) return registers;
  return {};
}

/// Whether what was declared in front is defined there: kernels that others launch are declared first.
bool isDefinition(std::string_view behind) {
  return !behind.empty() && behind.front() == '{';
}

/// Whether a kernel's declaration says what blocks it is launched with, or what registers it is to have.
bool isLimited(std::string_view declaration) {
  for (const char* directive : {".maxntid", ".reqntid", ".minnctapersm", ".maxnreg"})
    if (declaration.find(directive) != std::string_view::npos) return true;
  return false;
}

/// The names of a module's functions that the unit calls, and that these call.
std::set<std::string_view> reachedIn(std::string_view module, std::string_view unit) {
  constexpr std::string_view mangled = "_Z";
  std::map<std::string_view, std::string_view> bodies;
  forEachDefinition(module, functionDirective, [&](std::string_view declaration, std::string_view body) {
    bodies.emplace(nameOfFunction(declaration), body);
  });
  std::set<std::string_view> reached;
  std::vector<std::string_view> texts = {unit};
  while (!texts.empty()) {
    const std::string_view text = texts.back();
    texts.pop_back();
    for (std::size_t at = 0; (at = text.find(mangled, at)) != std::string_view::npos;) {
      const std::string_view name = nameBeginningAt(text, at);
      at += name.size();
      if (const auto body = bodies.find(name); body != bodies.end() && reached.insert(name).second)
        texts.push_back(body->second);
    }
  }
  return reached;
}

/// As many blocks fit with it as with so many registers: they are given to warps in eights for each thread.
long registerLimit(long plain, bool lean) {
  constexpr long ofWholeBlocks = 64, atOnce = 8, most = 255;
  return std::min(std::max(lean ? leanRegisters : ofWholeBlocks, (plain + atOnce - 1) / atOnce * atOnce),
                  most);
}

}  // namespace

bool callsRecorder(std::string_view ptx) {
  bool found = false;
  forEachFunction(ptx, [&found](std::string_view, std::string_view declaration) {
    found |= isRecordersExtern(declaration);
  });
  return found;
}

RecorderModes modesOf(std::string_view ptx) {
  unsigned form = 0;
  forEachFunction(ptx, [&form](std::string_view, std::string_view declaration) {
    if (isRecordersExtern(declaration)) form |= formOf(nameOfFunction(declaration));
  });
  const unsigned modes = form & static_cast<unsigned>(RecorderModes::both);
  return modes == 0 ? RecorderModes::both : static_cast<RecorderModes>(modes);
}

std::set<std::string_view> recordingFunctions(std::string_view ptx) {
  std::map<std::string_view, std::set<std::string_view>> callees;
  std::set<std::string_view> recording;
  forEachDefinition(ptx, functionDirective, [&](std::string_view declaration, std::string_view body) {
    const std::string_view function = nameOfFunction(declaration);
    if (!recorderFunction(function).empty()) return;
    forEachWord(body, [&](std::string_view, std::string_view name) {
      if (recorderFunction(name).empty())
        callees[function].insert(name);
      else
        recording.insert(function);
    });
  });
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [caller, names] : callees)
      for (const std::string_view name : names)
        if (recording.count(name) != 0) changed |= recording.insert(caller).second;
  }
  return recording;
}

std::string targetOf(std::string_view ptx) {
  const std::string_view target = directive(ptx, ".target");
  return std::string(target.substr(0, target.find(',')));
}

bool canSplitCompilation(std::string_view ptx) {
  return isOfCuda13(ptx);
}

bool canSayWhatIsPreserved(std::string_view ptx) {
  constexpr int firstArchitecture = 80;
  return isOfCuda13(ptx) && firstNumberIn(directive(ptx, ".target")) >= firstArchitecture &&
         ptx.find(".callprototype") == std::string_view::npos;
}

std::string withPreservedRegisters(std::string_view ptx) {
  std::string result;
  result.reserve(ptx.size() + 4096);
  const std::set<std::string_view> recording = recordingFunctions(ptx);
  forEachFunction(ptx, [&](std::string_view between, std::string_view declaration) {
    result.append(between).append(declaration);
    if (const std::string_view registers = preservedBy(declaration, recording); !registers.empty())
      result.append("\n.abi_preserve ").append(registers).append("\n");
  });
  return result;
}

std::string withRegisterLimits(std::string_view ptx, const KernelRegisters& plain) {
  const std::set<std::string_view> recording = recordingFunctions(ptx);
  std::string result;
  result.reserve(ptx.size() + 4096);
  std::string_view kernel;  // whose body comes next, if it may need a limit
  forEachDeclaration(ptx, kernelDirective, [&](std::string_view between, std::string_view declaration) {
    if (!kernel.empty() && isDefinition(between)) {
      bool records = false, lean = false;
      forEachWord(bodyIn(between), [&](std::string_view, std::string_view name) {
        // Through a pointer, any function may be called.
        records = records || name == ".callprototype" || !recorderFunction(name).empty() ||
                  recording.count(name) != 0;
        lean = lean || isLeanName(name);
      });
      const auto known = plain.find(withoutModeSuffix(kernel));
      if (records)
        result.append(".maxnreg ")
            .append(std::to_string(registerLimit(known == plain.end() ? 0 : known->second, lean)))
            .append("\n");
    }
    result.append(between).append(declaration);
    kernel = isLimited(declaration) ? std::string_view{} : nameOfKernel(declaration);
  });
  return result;
}

std::set<std::string, std::less<>> unlimitedKernels(std::string_view ptx) {
  std::set<std::string, std::less<>> kernels;
  std::string_view kernel;  // whose body comes next
  forEachDeclaration(ptx, kernelDirective, [&](std::string_view between, std::string_view declaration) {
    if (!kernel.empty() && isDefinition(between)) kernels.emplace(kernel);
    kernel = isLimited(declaration) ? std::string_view{} : nameOfKernel(declaration);
  });
  return kernels;
}

bool mayNeedMoreRegisters(std::string_view ptx) {
  bool found = false;
  forEachDefinition(ptx, kernelDirective, [&found](std::string_view declaration, std::string_view body) {
    found = found || (body.size() > mostText && !isLimited(declaration));
  });
  return found;
}

bool functionsMayNeedMoreRegisters(std::string_view ptx) {
  const std::set<std::string_view> recording = recordingFunctions(ptx);
  bool found = false;
  forEachDefinition(ptx, functionDirective, [&](std::string_view declaration, std::string_view body) {
    found = found || (body.size() > mostText && recording.count(nameOfFunction(declaration)) != 0);
  });
  return found;
}

std::string withModule(std::string_view unit, std::string_view module) {
  std::string result;
  result.reserve(unit.size() + module.size());
  forEachFunction(unit, [&result](std::string_view between, std::string_view declaration) {
    result.append(between);
    if (isRecordersExtern(declaration)) {
      result.append(".weak");  // as the module defines it
      declaration.remove_prefix(externDirective.size());
    }
    result.append(declaration);
  });
  result.append("\n");
  constexpr std::string_view lastOfHeader = ".address_size 64";
  if (const std::size_t header = module.find(lastOfHeader); header != std::string_view::npos)
    module.remove_prefix(header + lastOfHeader.size());
  const std::set<std::string_view> reached = reachedIn(module, unit);
  bool leftOut = false;  // the declaration in front
  forEachFunction(module, [&](std::string_view between, std::string_view declaration) {
    if (leftOut) between.remove_prefix(std::max<std::size_t>(bodyIn(between).size(), 1));  // or a semicolon
    leftOut = !declaration.empty() && reached.count(nameOfFunction(declaration)) == 0;
    result.append(between).append(leftOut ? std::string_view{} : declaration);
  });
  return result;
}

}  // namespace cui::cli
