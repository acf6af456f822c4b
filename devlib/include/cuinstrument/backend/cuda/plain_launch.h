// At the end of a unit's host code, in nvcc's registrations and stubs: kernels that have others beside them,
// without the recorder or for one mode (cli/compile/plain_kernels.h), whose names are cuiOtherKernels[].
// Included by the file that embeds the images, in no other place. The host compiler warns of nothing in it,
// as of nothing in the header whose macros these replace.
#if defined(__GNUC__)
#pragma GCC system_header
#endif
#include "cuinstrument/host/launch_plan.h"

// Programs whose units bring their host side have none of them: all kernels are launched as they are.
#pragma weak cuiCudaAddOtherKernel
#pragma weak cuiCudaPlanLaunch

// Once in a file: nvcc makes two stubs for each kernel, and compilers would take their time over a copy in
// each.
#if defined(__GNUC__) && !defined(__clang__)
#define CUI_ONE_COPY __attribute__((noinline, noclone))
#else
#define CUI_ONE_COPY __attribute__((noinline))
#endif

// Whether it is the suffix of a kernel's name, and of which kind.
static inline bool cuiIsOtherKernel(const char* suffix, CuiOtherKernel& kind) {
  kind = __builtin_strcmp(suffix, "$cuiRest") == 0       ? cuiPlainRest
         : __builtin_strcmp(suffix, "$cuiProfiled") == 0 ? cuiProfiled
         : __builtin_strcmp(suffix, "$cuiTraced") == 0   ? cuiTraced
         : __builtin_strcmp(suffix, "$cuiTallied") == 0  ? cuiTallied
         : __builtin_strcmp(suffix, "$cuiInPlace") == 0  ? cuiInPlace
         : __builtin_strcmp(suffix, "$cuiLogged") == 0   ? cuiLogged
                                                         : cuiPlainWhole;
  return kind != cuiPlainWhole || __builtin_strcmp(suffix, "$cuiWhole") == 0;
}

// Behind __cudaRegisterFunction() of the kernel itself. Where images without the recorder have been loaded,
// those without are the program's own. Names are sorted: programs of thousands of kernels begin, too.
CUI_ONE_COPY static void cuiRegisterOtherKernels(void** images, const char* kernel, const char* name) {
  static const bool registers = &cuiCudaAddOtherKernel != nullptr && !cuiTakesPlainCode(&cui::unitTable());
  if (!registers) return;
  const unsigned long length = __builtin_strlen(name);
  unsigned long low = 0, high = sizeof cuiOtherKernels / sizeof *cuiOtherKernels - 1;  // a null ends them
  while (low < high) {
    const unsigned long middle = low + (high - low) / 2;
    if (__builtin_strncmp(cuiOtherKernels[middle], name, length) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (const char* other; (other = cuiOtherKernels[low]) != nullptr; ++low) {
    if (__builtin_strncmp(other, name, length) != 0) return;
    CuiOtherKernel kind;
    if (!cuiIsOtherKernel(other + length, kind)) continue;
    __cudaRegisterFunction(images,
                           static_cast<const char*>(cuiCudaAddOtherKernel(kernel, &cui::unitTable(), kind)),
                           const_cast<char*>(other), other, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  }
}

// A kernel without the recorder begins while the other's sample runs, once all of its blocks have. Those for
// one mode have not the two parameters more.
CUI_ONE_COPY static cudaError_t cuiLaunchOtherKernel(const CuiLaunchPlan& plan, dim3 grid, dim3 block,
                                                     void** arguments, int count, size_t sharedBytes,
                                                     cudaStream_t stream) {
  void** const all = static_cast<void**>(__builtin_alloca((count + 2) * sizeof(void*)));
  for (int i = 0; i < count; ++i) all[i] = arguments[i];
  all[count] = const_cast<unsigned int*>(&plan.recordedBelow);
  all[count + 1] = const_cast<unsigned int*>(&plan.lastRecorded);
  if (plan.sampleBlocks == 0) return cudaLaunchKernel(plan.kernel, grid, block, all, sharedBytes, stream);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = grid;
  configuration.blockDim = block;
  configuration.dynamicSmemBytes = sharedBytes;
  configuration.stream = stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  return cudaLaunchKernelExC(&configuration, plan.kernel, all);
}

CUI_ONE_COPY static void cuiLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                         int count, size_t sharedBytes, cudaStream_t stream) {
  CuiLaunchPlan plan;
  const bool planned = &cuiCudaPlanLaunch != nullptr &&
                       cuiCudaPlanLaunch(kernel, {grid.x, grid.y, grid.z}, sharedBytes, &plan) != 0;
  if (!planned) return (void)cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
  if (plan.sampleBlocks != 0 && cudaLaunchKernel(plan.sampleKernel, plan.sampleBlocks, block, arguments,
                                                 plan.sampleSharedBytes, stream) != cudaSuccess)
    return;  // the others would have failed as well
  (void)cuiLaunchOtherKernel(plan, grid, block, arguments, count, sharedBytes, stream);
}

#undef CUI_ONE_COPY

// What the macro's own (false, …) says, of which the host compiler would warn.
static inline bool cuiLaunchesOneThread(bool) {
  return false;
}
static inline bool cuiLaunchesOneThread(bool, bool isSo) {
  return isSo;
}

// Those of crt/host_runtime.h, with more behind them and in between.
#undef __cudaRegisterEntry
#define __cudaRegisterEntry(images, pointer, fun, threadLimit)                                         \
  (__cudaRegisterFunction(images, (const char*)pointer, (char*)__device_fun(fun), #fun, -1, (uint3*)0, \
                          (uint3*)0, (dim3*)0, (dim3*)0, (int*)0),                                     \
   cuiRegisterOtherKernels(images, (const char*)pointer, #fun))
#undef __cudaLaunch
#define __cudaLaunch(fun, ...)                                                                               \
  {                                                                                                          \
    volatile static char* __f __NV_ATTR_UNUSED_FOR_LAUNCH;                                                   \
    __f = fun;                                                                                               \
    dim3 __gridDim, __blockDim;                                                                              \
    size_t __sharedMem;                                                                                      \
    cudaStream_t __stream;                                                                                   \
    if (__cudaPopCallConfiguration(&__gridDim, &__blockDim, &__sharedMem, &__stream) != cudaSuccess) return; \
    if (cuiLaunchesOneThread(false, ##__VA_ARGS__)) __blockDim.x = __blockDim.y = __blockDim.z = 1;          \
    cuiLaunchKernel((const void*)fun, __gridDim, __blockDim, __args_arr, __args_idx, __sharedMem, __stream); \
  }
