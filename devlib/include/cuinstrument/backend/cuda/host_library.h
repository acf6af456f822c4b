// The CUDA backend's host side as a library: what units call where they do not compile it themselves
// (host_side.h). Compiled once, with the C++ compiler, into libcuinstrument.a (devlib/cuda). Its functions
// are those of launch.h and harvest.h; the CUDA runtime they call is the one the program links.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "cuinstrument/backend/cuda/device_state.h"
#include "cuinstrument/backend/cuda/host_unit.h"
#include "cuinstrument/format/unit.h"

extern "C" {

/// Bumped with any change here, in host_unit.h, or of what the host side writes for device code and reads
/// from it (device_state.h, format/); cuiCudaLinkUnit refuses (one line on stderr, recording off) another.
/// Never 0, which is host/abi.h's word for units that bring their own host side.
enum : cui::uint32_t { CUI_CUDA_HOST_VERSION = 21 };

static_assert(sizeof(cui::backend::DeviceContext) == 1152 && sizeof(cui::backend::DeviceUnit) == 112 &&
                  sizeof(cui::format::ProfileSums) == 64,
              "a change of layout is one of CUI_CUDA_HOST_VERSION");

void cuiCudaLinkUnit(cui::uint32_t version, const cui::format::UnitTable* table,
                     cui::backend::HostUnit* unit);
void cuiCudaAnnounceLaunch(cui::backend::HostUnit* unit, unsigned int entry);
void cuiCudaLaunchGrid(const dim3* grid);
void cuiCudaLaunchBlock(const dim3* block);
void cuiCudaLaunchSharedBytes(std::size_t bytes);
void cuiCudaLaunchStream(cudaStream_t stream);
void cuiCudaConcludeLaunch(cui::backend::HostUnit* unit, unsigned int entry);
void cuiCudaAnnounceNode(cui::backend::HostUnit* unit, unsigned int entry,
                         const cui::backend::GraphNode* node);
cui::uint64_t cuiCudaStreamIdentity(cudaStream_t stream);
void cuiCudaPrepareDevice(void);
void cuiCudaAfterSynchronize(cudaError_t result, int deviceWide);
void cuiCudaBeforeReset(void);
}
