// NPP is not part of the CPU backend.
#pragma once

#error "cuinstrument: npp.h (NPP) is not supported on the CPU backend; build with nvcc instead"
