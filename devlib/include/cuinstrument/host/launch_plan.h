// How a launch of a kernel that has others beside it is made (backend/cuda/plain_launch.h,
// split_launch.h): between the unit's host code and libcuinstrument.a. Includes nothing, since it is read
// behind text that has been preprocessed.
#pragma once

extern "C" {

struct CuiLaunchPlan {
  const void* kernel;               ///< the other one, as the runtime's functions take it
  unsigned int recordedBelow;       ///< its two parameters more: which blocks it leaves out; 0: none,
  unsigned int lastRecorded;        ///< and the last of these
  unsigned int sampleBlocks;        ///< launched in front, with the recorder; 0: none are
  const void* sampleKernel;         ///< what records them: the kernel, or another one beside it
  unsigned long sampleSharedBytes;  ///< dynamic shared memory of that launch
};

/// What a kernel beside another is: without the recorder, for whole launches or also for those of which a
/// sample's blocks are launched apart; or for launches in one mode, with fewer registers than the other, or
/// with more; or for profiles, with sums in registers; or for traces, whose records it writes itself, or for
/// samples of their blocks.
enum CuiOtherKernel {
  cuiPlainWhole,
  cuiPlainRest,
  cuiProfiled,
  cuiTraced,
  cuiTallied,
  cuiInPlace,
  cuiLogged
};

/// As a unit, of that table, registers a kernel, in any image of which is another of this kind. What the
/// other is to be registered as.
const void* cuiCudaAddOtherKernel(const void* kernel, const void* table, CuiOtherKernel kind);

/// Within a launch that was announced, with what it is made with. 0: the kernel is to be launched as it is.
struct CuiLaunchExtent {
  unsigned int x, y, z;
};
int cuiCudaPlanLaunch(const void* kernel, CuiLaunchExtent grid, unsigned long sharedBytes,
                      CuiLaunchPlan* plan);
}
