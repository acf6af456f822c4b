// A program that uses NVTX, whose headers look for a tool as NVTX 3's do: session_test.cpp reads what is in
// the trace. With the argument "tool" another tool was linked into it.
#include <cstdio>
#include <cstring>

#include "cuinstrument/host/abi.h"
#include "hostlib/nvtx.h"

namespace nvtx = cui::hostlib::nvtx;

extern "C" {
__attribute__((weak)) nvtx::Initialize InitializeInjectionNvtx2_fnptr;
}

namespace {

nvtx::Function core[16], core2[16];
nvtx::Function* coreTable[16];
nvtx::Function* core2Table[16];

int moduleTable(std::uint32_t module, nvtx::FunctionTable* table, unsigned* size) {
  if (module != nvtx::coreModule && module != nvtx::core2Module) return 0;
  *table = module == nvtx::coreModule ? coreTable : core2Table;
  *size = 16;
  return 1;
}
const nvtx::ExportedCallbacks callbacks = {sizeof callbacks, &moduleTable};
const void* exportTable(std::uint32_t table) {
  return table == nvtx::callbacksTable ? &callbacks : nullptr;
}

template <class F>
F* function(nvtx::Function from) {
  return reinterpret_cast<F*>(from);
}
nvtx::EventAttributes named(nvtx::MessageType type, const void* message) {
  nvtx::EventAttributes attributes = {};
  attributes.version = 3;
  attributes.size = sizeof attributes;
  attributes.messageType = type;
  attributes.message = message;
  return attributes;
}

/// Prints what NVTX gives back.
void useNvtx() {
  using Attributes = const nvtx::EventAttributes*;
  const auto push = function<int(const char*)>(core[nvtx::rangePushA]);
  const auto pushEx = function<int(Attributes)>(core[nvtx::rangePushEx]);
  const auto pop = function<int()>(core[nvtx::rangePop]);
  const auto mark = function<void(const wchar_t*)>(core[nvtx::markW]);
  const auto start = function<std::uint64_t(const char*)>(core[nvtx::rangeStartA]);
  const auto end = function<void(std::uint64_t)>(core[nvtx::rangeEnd]);
  const auto create = function<const void*(const char*)>(core2[nvtx::domainCreateA]);
  const auto keep = function<const void*(const void*, const char*)>(core2[nvtx::domainRegisterStringA]);
  const auto pushIn = function<int(const void*, Attributes)>(core2[nvtx::domainRangePushEx]);
  const auto popIn = function<int(const void*)>(core2[nvtx::domainRangePop]);
  std::printf("%d", push("outer"));
  const nvtx::EventAttributes inner = named(nvtx::wide, L"inner \u00e9\u20ac\U0001f600");
  std::printf(" %d", pushEx(&inner));
  mark(L"moment");
  const std::uint64_t apart = start("apart");
  const void* const domain = create("library");
  const nvtx::EventAttributes kept = named(nvtx::registered, keep(domain, "registered"));
  std::printf(" %d", pushIn(domain, &kept));
  std::printf(" %d", pop());
  std::printf(" %d", popIn(domain));
  std::printf(" %d", pop());
  std::printf(" %d", pop());
  end(apart);
  push("never popped");
}

int noTool(nvtx::GetExportTable) {
  return 1;
}

const cui::format::UnitTable unit = {cui::format::unitFormatVersion,
                                     5,
                                     "nvtx.cu",
                                     "1",
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     0,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr};

}  // namespace

int main(int argc, char** argv) {
  for (int i = 0; i < 16; ++i) {
    coreTable[i] = &core[i];
    core2Table[i] = &core2[i];
  }
  if (argc > 1 && std::strcmp(argv[1], "tool") == 0) InitializeInjectionNvtx2_fnptr = &noTool;
  cuiRegisterUnit(CUI_ABI_VERSION, &unit);
  if (InitializeInjectionNvtx2_fnptr == nullptr || InitializeInjectionNvtx2_fnptr(&exportTable) != 1)
    std::printf("no tool");
  else if (core[nvtx::rangePop] == nullptr)
    std::printf("another tool");
  else
    useNvtx();
  std::printf("\n");
  return 0;
}
