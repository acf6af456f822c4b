// A host function that names functions of the toolkit's for the device, in text that only the device's side has: nothing of it is
// lost, nor of the kernel that uses the same macro. The host's own functions of such names stay what they are.
// expect: #define KEY(at) __ldg(CUI_MACRO_POINTER(#, &keys[CUI_MACRO_ACCESS(#, order[at])]))
// expect: CUI_ACCESS(#, out[threadIdx.x]) = KEY(threadIdx.x);
// expect: kernel CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)(out + KEY(0) + int(fabs(1.0))));
// expect-not: Clang rejects
// cpu: no, there __ldg is for both sides
#include <cmath>
__device__ int keys[64], order[64];
int hostKeys[64];
#ifdef __CUDA_ARCH__
#define KEY(at) __ldg(&keys[order[at]])
#else
#define KEY(at) hostKeys[at]
#endif
__global__ void kernel(int* out) { out[threadIdx.x] = KEY(threadIdx.x); }
void launch(int* out) {
  kernel<<<1, 32>>>(out + KEY(0) + int(fabs(1.0)));
}
