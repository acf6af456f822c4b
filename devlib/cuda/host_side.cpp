// The CUDA backend's host side, compiled once for all units whose toolkit has the major version that this
// file is compiled with: what the headers define, behind a C interface.
#define CUI_HOST_SIDE_IN_LIBRARY_ITSELF 1
#include <dlfcn.h>

#include "cuinstrument/backend/cuda/graph_nodes.h"
#include "cuinstrument/backend/cuda/harvest.h"
#include "cuinstrument/backend/cuda/host_library.h"
#include "cuinstrument/backend/cuda/launch.h"
#include "cuinstrument/backend/cuda/split_launch.h"
#include "cuinstrument/cuda_library.h"

static_assert(CUDART_VERSION / 1000 == CUI_CUDA_LIBRARY_MAJOR, "two toolkits");

namespace backend = cui::backend;

namespace {

/// The shared library that has `address`, if it is one, stays until the process ends.
void keepLoaded(const void* address) {
  Dl_info info;
  if (::dladdr(address, &info) != 0 &&
      ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) == nullptr)
    (void)::dlerror();  // not the program's
}

}  // namespace

extern "C" {

void cuiCudaLinkUnit(cui::uint32_t version, const cui::format::UnitTable* table, backend::HostUnit* unit) {
  // Of another version's unit only the table is known. Recording is off from here on, and where it is off
  // nothing below looks into a unit.
  if (version != CUI_CUDA_HOST_VERSION) return cuiHostSide(table, version, CUI_CUDA_HOST_VERSION);
  if (__atomic_load_n(&unit->linked, __ATOMIC_ACQUIRE)) return;
  // Until the end the tables are read, and what is here drives the devices.
  keepLoaded(table);
  keepLoaded(&backend::runtime());
  backend::linkUnit(*unit, CUI_CUDA_HOST_VERSION);
}

void cuiCudaAnnounceLaunch(backend::HostUnit* unit, unsigned int entry) {
  // Where there is a unit of another version, nothing is recorded.
  if (cuiRecording() != 0 && !__atomic_load_n(&unit->linked, __ATOMIC_ACQUIRE))
    cuiCudaLinkUnit(CUI_CUDA_HOST_VERSION, &unit->table(), unit);
  backend::announceLaunch(*unit, entry);
}
void cuiCudaLaunchGrid(const dim3* grid) {
  backend::launchGrid(*grid);
}
void cuiCudaLaunchBlock(const dim3* block) {
  backend::launchBlock(*block);
}
void cuiCudaLaunchSharedBytes(std::size_t bytes) {
  backend::launchSharedBytes(bytes);
}
void cuiCudaLaunchStream(cudaStream_t stream) {
  backend::launchStream(stream);
}
void cuiCudaConcludeLaunch(backend::HostUnit* unit, unsigned int entry) {
  backend::concludeLaunch(*unit, entry);
}

void cuiCudaAnnounceNode(backend::HostUnit* unit, unsigned int entry, const backend::GraphNode* node) {
  backend::announceNode(*unit, entry, *node);
}

cui::uint64_t cuiCudaStreamIdentity(cudaStream_t stream) {
  return backend::streamIdentity(stream);
}
void cuiCudaPrepareDevice(void) {
  backend::prepareDevice();
}
void cuiCudaAfterSynchronize(cudaError_t result, int deviceWide) {
  backend::afterSynchronize(result, deviceWide != 0);
}
void cuiCudaBeforeReset(void) {
  backend::beforeReset();
}

const void* cuiCudaAddOtherKernel(const void* kernel, const void* table, CuiOtherKernel kind) {
  using cui::backend::OtherKind;
  static_assert(static_cast<int>(OtherKind::plainRest) == cuiPlainRest &&
                    static_cast<int>(OtherKind::profiled) == cuiProfiled &&
                    static_cast<int>(OtherKind::traced) == cuiTraced &&
                    static_cast<int>(OtherKind::tallied) == cuiTallied &&
                    static_cast<int>(OtherKind::inPlace) == cuiInPlace &&
                    static_cast<int>(OtherKind::logged) == cuiLogged,
                "they are the same");
  return backend::addOtherKernel(kernel, static_cast<const cui::format::UnitTable*>(table),
                                 static_cast<OtherKind>(kind));
}
int cuiCudaPlanLaunch(const void* kernel, CuiLaunchExtent grid, std::size_t sharedBytes,
                      CuiLaunchPlan* plan) {
  return backend::planLaunch(kernel, grid, sharedBytes, *plan) ? 1 : 0;
}
}
