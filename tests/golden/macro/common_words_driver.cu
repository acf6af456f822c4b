// The same, of calls of the driver API.
// cpu: no, it refuses launches of the driver API
// expect: CUI_DRIVER_API(#, cuMemAlloc)(p, 4)
// expect: ::CUI_GLOBAL_DRIVER_API(#, cuMemFree)(*p)
#include <cuda.h>
#define of 1
#define api 2
#define driverCategory 3
#define category 4
#define Row 5
CUresult driverWords(CUdeviceptr* p) {
  const CUresult made = cuMemAlloc(p, 4);
  return made ? made : ::cuMemFree(*p);
}
#undef of
#undef api
#undef driverCategory
#undef category
#undef Row
