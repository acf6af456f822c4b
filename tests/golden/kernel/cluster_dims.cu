// rewrite: --backend=cpu
// nvcc: no, it is rewritten for the CPU backend
// A kernel tells the CPU backend of which blocks its clusters are: a launch does not know.
// expect: pairs(int* out) { CUI_CLUSTER(3, 2, 1, 1); CUI_KERNEL(#);
// expect: rows(int* out) { CUI_CLUSTER(1, 4); CUI_KERNEL(#);
// expect: sized(int* out) { CUI_CLUSTER(2, Blocks, 2); CUI_KERNEL(#);
// expect: declared(int* out) { CUI_CLUSTER(3, 8, 1, 1); CUI_KERNEL(#);
// expect: plain(int* out) { CUI_KERNEL(#);
// expect: KERNEL(made) { CUI_CLUSTER(2, 2, 2);
constexpr int width = 4;
#define HALF 2
#define KERNEL(name) __global__ void __cluster_dims__(HALF, HALF) name(int* out)

__global__ void __cluster_dims__(2, 1, 1) pairs(int* out) { out[blockIdx.x] = 1; }
__global__ void __cluster_dims__(width) rows(int* out) { out[blockIdx.x] = 2; }
template <int Blocks>
__global__ void __cluster_dims__(Blocks, HALF) sized(int* out) { out[blockIdx.x] = Blocks; }
__cluster_dims__(8, 1, 1) __global__ void declared(int* out);
__global__ void declared(int* out) { out[blockIdx.x] = 3; }
__global__ void plain(int* out) { out[blockIdx.x] = 4; }
KERNEL(made) { out[blockIdx.x] = 5; }

void launched(int* out) {
  sized<1><<<4, 32>>>(out);
  sized<3><<<6, 32>>>(out);
}
