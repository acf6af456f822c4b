__global__ void cubeEach(int* data) { data[threadIdx.x] *= data[threadIdx.x] * data[threadIdx.x]; }

bool cube(int* host, int count) {
  int* device = nullptr;
  if (cudaMalloc(&device, count * sizeof(int)) != cudaSuccess) return false;
  cudaMemcpy(device, host, count * sizeof(int), cudaMemcpyHostToDevice);
  cubeEach<<<1, count>>>(device);
  const bool done = cudaMemcpy(host, device, count * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess;
  cudaFree(device);
  return done;
}
