// Surface accesses: the place of some bytes of a surface, with the boundary modes.
#include "address_space.h"
#include "cuinstrument/backend/cpu/exec_log.h"
#include "cuinstrument/backend/cpu/toolkit/surface_functions.h"
#include "texture.h"

#include <algorithm>

using namespace cui::cpu;

void* cuiSurfaceAt(cudaSurfaceObject_t handle, int x, int y, int slice, unsigned int bytes, int mode) {
  const Surface* surface = findSurface(handle);
  if (surface == nullptr) cuiFailKernel("an access of a surface object that there is not");
  cuiLastTexel = {};
  const Picture& picture = surface->picture;
  const int rowBytes = static_cast<int>(picture.pitch), size = static_cast<int>(bytes);
  if (x < 0 || x > rowBytes - size || y < 0 || y >= picture.height || slice < 0 || slice >= picture.depth) {
    if (mode == cudaBoundaryModeZero) return nullptr;
    if (mode == cudaBoundaryModeTrap) cuiFailKernel("an access outside of a surface");
    x = std::clamp(x, 0, std::max(0, rowBytes - size));
    y = std::clamp(y, 0, picture.height - 1);
    slice = std::clamp(slice, 0, picture.depth - 1);
  }
  const std::uintptr_t address = picture.address +
                                 (static_cast<std::size_t>(slice) * static_cast<std::size_t>(picture.height) +
                                  static_cast<std::size_t>(y)) *
                                     picture.pitch +
                                 static_cast<std::size_t>(x);
  cuiLastTexel = {address, bytes};
  return pointerTo(address);
}
