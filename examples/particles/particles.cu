// Moves particles stored as an array of structs and as a struct of arrays: the same arithmetic and the same
// bytes of use, but with structs of 32 bytes the lanes of a warp touch 32 sectors where 4 would do.
//   particles [count]
#include <cstddef>
#include <vector>

#include "../common/example.h"

constexpr int blockSize = 256;
constexpr float timeStep = 0.5f;

struct Particle {
  float x, y, z;
  float vx, vy, vz;
  float mass, charge;
};

/// One device array per member that the kernel uses.
struct ParticleArrays {
  float *x, *y, *z;
  const float *vx, *vy, *vz;
};

__global__ void moveStructs(Particle* particles, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Particle& particle = particles[i];
  particle.x += particle.vx * timeStep;
  particle.y += particle.vy * timeStep;
  particle.z += particle.vz * timeStep;
}

__global__ void moveArrays(ParticleArrays particles, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  particles.x[i] += particles.vx[i] * timeStep;
  particles.y[i] += particles.vy[i] * timeStep;
  particles.z[i] += particles.vz[i] * timeStep;
}

int main(int argc, char** argv) {
  const int count = sizeArgument(argc, argv, 16384, 1 << 24);
  const std::size_t columnBytes = count * sizeof(float);

  std::vector<Particle> particles(count);
  std::vector<float> columns(static_cast<std::size_t>(6) * count);  // x, y, z, vx, vy, vz
  for (int i = 0; i < count; ++i) {
    Particle& particle = particles[i];
    particle = {float(i), float(i % 100), float(i % 31), float(i % 5), float(i % 7), float(i % 9), 1, -1};
    const float members[] = {particle.x, particle.y, particle.z, particle.vx, particle.vy, particle.vz};
    for (int member = 0; member < 6; ++member) columns[member * count + i] = members[member];
  }

  Particle* deviceParticles = nullptr;
  float* deviceColumns = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceParticles, count * sizeof(Particle)));
  CUDA_CHECK(cudaMalloc(&deviceColumns, 6 * columnBytes));
  CUDA_CHECK(cudaMemcpy(deviceParticles, particles.data(), count * sizeof(Particle), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(deviceColumns, columns.data(), 6 * columnBytes, cudaMemcpyHostToDevice));
  const auto column = [&](int member) { return deviceColumns + static_cast<std::size_t>(member) * count; };
  const ParticleArrays arrays{column(0), column(1), column(2), column(3), column(4), column(5)};

  const int blocks = divideRoundingUp(count, blockSize);
  moveStructs<<<blocks, blockSize>>>(deviceParticles, count);
  CUDA_CHECK(cudaGetLastError());
  moveArrays<<<blocks, blockSize>>>(arrays, count);
  CUDA_CHECK(cudaGetLastError());

  std::vector<Particle> moved(count);
  CUDA_CHECK(cudaMemcpy(moved.data(), deviceParticles, count * sizeof(Particle), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(columns.data(), deviceColumns, 6 * columnBytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceParticles));
  CUDA_CHECK(cudaFree(deviceColumns));

  bool correct = true;
  for (int i = 0; i < count; ++i) {
    const Particle& start = particles[i];
    const float x = start.x + start.vx * timeStep;
    const float y = start.y + start.vy * timeStep;
    const float z = start.z + start.vz * timeStep;
    correct = correct && moved[i].x == x && moved[i].y == y && moved[i].z == z && columns[i] == x &&
              columns[count + i] == y && columns[2 * count + i] == z;
  }
  return report("particles", count, correct);
}
