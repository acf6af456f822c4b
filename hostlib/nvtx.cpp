// What NVTX calls becomes events for the drain. See nvtx.h.
#include "hostlib/nvtx.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cuinstrument/host/abi.h"
#include "hostlib/session.h"

extern "C" {
// Of the program's NVTX headers; without any its address is null.
// NOLINTNEXTLINE(readability-identifier-naming): NVTX's name
extern __attribute__((weak)) cui::hostlib::nvtx::Initialize InitializeInjectionNvtx2_fnptr;
}

namespace cui::hostlib::nvtx {
namespace {

/// A thread's open ranges, by domain; the default domain's is null.
thread_local std::unordered_map<const void*, std::vector<std::uint64_t>> openRanges;

std::uint64_t nextPhase() {
  static std::atomic<std::uint64_t> phases{0};
  return phases.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// Texts and domains that the program gets handles of: their addresses, good until it ends.
const void* keep(std::string text) {
  static std::mutex mutex;
  static auto* const texts = new std::deque<std::string>;  // outlives the program's last call
  const std::lock_guard lock(mutex);
  return &texts->emplace_back(std::move(text));
}

std::string text(const char* message) {
  return message == nullptr ? std::string() : std::string(message);
}
/// As UTF-8.
std::string text(const wchar_t* message) {
  std::string result;
  for (; message != nullptr && *message != 0; ++message) {
    const std::uint32_t code = std::char_traits<wchar_t>::to_int_type(*message);
    const auto part = [&](unsigned shift, std::uint32_t lead) {
      result += static_cast<char>(lead | (code >> shift & (lead == 0x80 ? 0x3fu : 0x7fu)));
    };
    if (code < 0x80) {
      part(0, 0);
      continue;
    }
    if (code < 0x800) {
      part(6, 0xc0);
    } else {
      if (code < 0x10000) {
        part(12, 0xe0);
      } else {
        part(18, 0xf0);
        part(12, 0x80);
      }
      part(6, 0x80);
    }
    part(0, 0x80);
  }
  return result;
}
std::string text(const EventAttributes* attributes) {
  if (attributes == nullptr || attributes->size < sizeof(EventAttributes)) return {};
  switch (attributes->messageType) {
    case ascii:
      return text(static_cast<const char*>(attributes->message));
    case wide:
      return text(static_cast<const wchar_t*>(attributes->message));
    case registered:
      return attributes->message == nullptr ? std::string()
                                            : *static_cast<const std::string*>(attributes->message);
    default:
      return {};
  }
}

std::uint64_t begin(std::uint64_t parent, std::string name) {
  const std::uint64_t id = nextPhase();
  if (Drain* const drain = Session::instance().drain())
    drain->push(PhaseEvent{id, parent, cuiNow(), std::move(name)});
  return id;
}
void end(std::uint64_t id) {
  if (Drain* const drain = Session::instance().drain()) drain->push(PhaseEndEvent{id, cuiNow()});
}

/// Begins a phase within the last of `open`.
std::uint64_t beginWithin(const std::vector<std::uint64_t>& open, std::string name) {
  return begin(open.empty() ? 0 : open.back(), std::move(name));
}
void mark(const void* domain, std::string name) {
  end(beginWithin(openRanges[domain], std::move(name)));
}
int push(const void* domain, std::string name) {
  std::vector<std::uint64_t>& open = openRanges[domain];
  open.push_back(beginWithin(open, std::move(name)));
  return static_cast<int>(open.size()) - 1;
}
int pop(const void* domain) {
  std::vector<std::uint64_t>& open = openRanges[domain];
  if (open.empty()) return noPushPopTracking;
  end(open.back());
  open.pop_back();
  return static_cast<int>(open.size());
}

/// What NVTX calls: one function for each way to give a name.
template <class Text>
void markNamed(Text name) {
  mark(nullptr, text(name));
}
template <class Text>
std::uint64_t startNamed(Text name) {
  return begin(0, text(name));
}
template <class Text>
int pushNamed(Text name) {
  return push(nullptr, text(name));
}
int popDefault() {
  return pop(nullptr);
}
void markIn(const void* domain, const EventAttributes* attributes) {
  mark(domain, text(attributes));
}
std::uint64_t startIn(const void*, const EventAttributes* attributes) {
  return begin(0, text(attributes));
}
void endIn(const void*, std::uint64_t id) {
  end(id);
}
int pushIn(const void* domain, const EventAttributes* attributes) {
  return push(domain, text(attributes));
}
template <class Text>
const void* registerIn(const void*, Text name) {
  return keep(text(name));
}
template <class Text>
const void* createDomain(Text name) {
  return keep(text(name));
}

template <class F>
void put(FunctionTable table, unsigned size, unsigned number, F* function) {
  if (number < size && table[number] != nullptr)
    *table[number] = reinterpret_cast<Function>(function);  // NVTX casts it back
}

}  // namespace

int initialize(GetExportTable getExportTable) {
  const auto* const callbacks = static_cast<const ExportedCallbacks*>(getExportTable(callbacksTable));
  if (callbacks == nullptr || callbacks->structSize < sizeof *callbacks) return 0;
  FunctionTable core = nullptr, core2 = nullptr;
  unsigned size = 0, size2 = 0;
  if (callbacks->getModuleFunctionTable(coreModule, &core, &size) == 0) return 0;
  using Wide = const wchar_t*;
  using Narrow = const char*;
  using Attributes = const EventAttributes*;
  put(core, size, markEx, &markNamed<Attributes>);
  put(core, size, markA, &markNamed<Narrow>);
  put(core, size, markW, &markNamed<Wide>);
  put(core, size, rangeStartEx, &startNamed<Attributes>);
  put(core, size, rangeStartA, &startNamed<Narrow>);
  put(core, size, rangeStartW, &startNamed<Wide>);
  put(core, size, rangeEnd, &end);
  put(core, size, rangePushEx, &pushNamed<Attributes>);
  put(core, size, rangePushA, &pushNamed<Narrow>);
  put(core, size, rangePushW, &pushNamed<Wide>);
  put(core, size, rangePop, &popDefault);
  if (callbacks->getModuleFunctionTable(core2Module, &core2, &size2) == 0) return 1;
  put(core2, size2, domainMarkEx, &markIn);
  put(core2, size2, domainRangeStartEx, &startIn);
  put(core2, size2, domainRangeEnd, &endIn);
  put(core2, size2, domainRangePushEx, &pushIn);
  put(core2, size2, domainRangePop, &pop);
  put(core2, size2, domainRegisterStringA, &registerIn<Narrow>);
  put(core2, size2, domainRegisterStringW, &registerIn<Wide>);
  put(core2, size2, domainCreateA, &createDomain<Narrow>);
  put(core2, size2, domainCreateW, &createDomain<Wide>);
  return 1;
}

void offer() {
  if (&InitializeInjectionNvtx2_fnptr != nullptr && InitializeInjectionNvtx2_fnptr == nullptr)
    InitializeInjectionNvtx2_fnptr = &initialize;
}

}  // namespace cui::hostlib::nvtx
