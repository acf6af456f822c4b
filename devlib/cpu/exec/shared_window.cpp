#include "shared_window.h"

#include <link.h>

#include "units.h"

extern "C" {
alignas(1024) __thread char cuiDynamicShared[cui::cpu::sharedWindowBytes];

/// GCC lets a use of an `extern thread_local` array in an unnamed namespace call the file's own
/// initialiser of thread-local objects, although a file that only declares the array has none. This one
/// serves such files; a file with thread-local objects to initialise has its own, which is local.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
void __tls_init(void) {}
/// What CUI_SHARED_ALIAS names as the initialiser of a dynamic shared array in a template.
void cuiNoTlsInit(void) {}
}

namespace cui::cpu {

namespace {
constexpr std::uint32_t baseAlignment = 128;

struct Storage {
  std::uintptr_t inside;
  std::uintptr_t begin, bytes;
};

/// Finds the calling thread's block of the module whose thread-local storage holds storage->inside.
int findStorage(dl_phdr_info* module, std::size_t, void* data) {
  auto* storage = static_cast<Storage*>(data);
  const auto begin = reinterpret_cast<std::uintptr_t>(module->dlpi_tls_data);
  if (begin == 0) return 0;
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& header = module->dlpi_phdr[i];
    if (header.p_type != PT_TLS || storage->inside - begin >= header.p_memsz) continue;
    storage->begin = begin;
    storage->bytes = header.p_memsz;
    return 1;
  }
  return 0;
}
}  // namespace

SharedWindow::SharedWindow() : dynamicBegin_(reinterpret_cast<std::uintptr_t>(cuiDynamicShared)) {
  Storage storage{dynamicBegin_, dynamicBegin_, sharedWindowBytes};
  dl_iterate_phdr(findStorage, &storage);
  blockBegin_ = storage.begin;
  blockBytes_ = storage.bytes;
}

void SharedWindow::reset(std::uint64_t dynamicBytes) {
  variables_.clear();
  next_ = 0;
  strays_ = false;
  dynamicBytes_ = dynamicBytes;
}

const SharedWindow::Variable* SharedWindow::findVariable(std::uintptr_t address) const {
  for (const Variable& variable : variables_)
    if (address - variable.begin < variable.end - variable.begin) return &variable;
  return nullptr;
}

const SharedWindow::Variable& SharedWindow::add(std::uintptr_t address, std::size_t bytes) {
  variables_.push_back({address, address + bytes, next_});
  next_ += static_cast<std::uint32_t>((bytes + baseAlignment - 1) / baseAlignment * baseAlignment);
  if (address - blockBegin_ >= blockBytes_) strays_ = true;
  return variables_.back();
}

const SharedWindow::Variable& SharedWindow::announce(std::uintptr_t address, std::size_t bytes, bool& fresh) {
  fresh = false;
  // All dynamic arrays are one buffer; an access past the launch's size is still reported as shared.
  if (address - dynamicBegin_ < sharedWindowBytes) {
    bytes = sharedWindowBytes;
    address = dynamicBegin_;
  }
  for (const Variable& variable : variables_)
    if (variable.begin == address) return variable;
  fresh = true;
  const Variable& variable = add(address, bytes == 0 ? 1 : bytes);
  if (address == dynamicBegin_)
    next_ = variable.offset +
            static_cast<std::uint32_t>((dynamicBytes_ + baseAlignment - 1) / baseAlignment * baseAlignment);
  return variable;
}

std::uintptr_t SharedWindow::address(std::uint64_t offset) const {
  for (const Variable& variable : variables_)
    if (offset - variable.offset < variable.end - variable.begin)
      return variable.begin + (offset - variable.offset);
  return 0;
}

bool SharedWindow::translate(std::uintptr_t address, std::size_t bytes, std::uint64_t& offset) {
  const Variable* variable = findVariable(address);
  if (variable == nullptr) {
    if (address - blockBegin_ >= blockBytes_) return false;
    bool fresh;
    GlobalShared global;
    if (address - dynamicBegin_ < sharedWindowBytes) {
      variable = &announce(dynamicBegin_, sharedWindowBytes, fresh);
    } else if (findGlobalShared(static_cast<std::int64_t>(address - dynamicBegin_), global)) {
      variable = &announce(dynamicBegin_ + static_cast<std::uintptr_t>(global.offset), global.bytes, fresh);
    } else {
      // Nobody told its extent: what is touched gets its place in pieces of 128 bytes.
      const std::uintptr_t begin = address / baseAlignment * baseAlignment;
      variable = &add(begin, (address + bytes - begin + baseAlignment - 1) / baseAlignment * baseAlignment);
    }
  }
  offset = variable->offset + (address - variable->begin);
  return true;
}

}  // namespace cui::cpu
