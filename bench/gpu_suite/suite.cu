// Times each kernel of kernels.cuh, most of which have a thread for each element (several.cu has those whose
// threads do several). Built plain and instrumented from this one source; gpu_suite.py sets the times side by
// side.
#include <chrono>
#include <numeric>

#include "kernels.cuh"
#include "measure.cuh"

static void streaming(int n) {
  const int blocks = n / 256;
  const Array<float> a(floats(n)), b(floats(n)), c(n), mass(floats(n)), x(n);
  const Array<int> index(noise(n, n)), counts(256), counter(1);
  const Array<Particle> particles(n);
  const Array<unsigned char> bytes(n), inverted(n);
  std::vector<int> permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0);
  const std::vector<int> order = noise(n, n);
  for (int i = 0; i < n; ++i) std::swap(permutation[i], permutation[order[i]]);
  const Array<int> targets(permutation);
  measure("vector_add", c, [&] { vectorAdd<<<blocks, 256>>>(a.data, b.data, c.data, n); });
  measure("gather", c, [&] { gather<<<blocks, 256>>>(a.data, index.data, c.data, n); });
  measure("scatter", c, [&] { scatter<<<blocks, 256>>>(a.data, targets.data, c.data, n); });
  measure("array_of_structs", particles, [&] { arrayOfStructs<<<blocks, 256>>>(particles.data, n); });
  measure("struct_of_arrays", x, [&] { structOfArrays<<<blocks, 256>>>(x.data, mass.data, n); });
  measure("stencil", c, [&] { stencil<<<blocks, 256>>>(a.data, c.data, n); });
  measure("scan", c, [&] { scanBlocks<<<blocks / 8, 256>>>(a.data, c.data, n / 8); });
  measure("reduction", x, [&] { reduce<<<1024, 256>>>(a.data, x.data, n); });
  measure("histogram_global", counts, [&] { histogramGlobal<<<blocks, 256>>>(index.data, counts.data, n); });
  measure("histogram_shared", counts, [&] { histogramShared<<<1024, 256>>>(index.data, counts.data, n); });
  measure("one_address", counter, [&] { countOne<<<blocks / 4, 256>>>(counter.data, n / 4); });
  measure("float4_stream", c, [&] {
    streamVectors<<<blocks / 4, 256>>>(reinterpret_cast<const float4*>(a.data),
                                       reinterpret_cast<float4*>(c.data), n / 4);
  });
  measure("bytes", inverted, [&] { invertBytes<<<blocks, 256>>>(bytes.data, inverted.data, n); });
}

static void matrices(int width, int small) {
  const std::size_t n = static_cast<std::size_t>(width) * width;
  const Array<float> a(floats(n)), b(floats(n)), c(n);
  const dim3 grid(width / tile, width / tile), block(tile, 8);
  measure("transpose_naive", c, [&] { transposeNaive<<<grid, block>>>(a.data, c.data, width); });
  measure("transpose_tiled", c, [&] { transposeTiled<0><<<grid, block>>>(a.data, c.data, width); });
  measure("transpose_padded", c, [&] { transposeTiled<1><<<grid, block>>>(a.data, c.data, width); });
  const dim3 tiles(small / 16, small / 16), threads(16, 16);
  measure("multiply_naive", c, [&] { multiplyNaive<<<tiles, threads>>>(a.data, b.data, c.data, small); });
  measure("multiply_tiled", c, [&] { multiplyTiled<<<tiles, threads>>>(a.data, b.data, c.data, small); });
  // More records than the pool holds.
  const dim3 many(tiles.x * 2, tiles.y * 2);
  measure("beyond_pool", c, [&] { multiplyNaive<<<many, threads>>>(a.data, b.data, c.data, 2 * small); });
}

static void irregular(int n, int width) {
  const Array<int> image(static_cast<std::size_t>(width) * width);
  measure("mandelbrot", image,
          [&] { mandelbrot<<<dim3(width / 16, width / 16), dim3(16, 16)>>>(image.data, width); });
  const int many = 4 * width;
  const Array<float> positions(floats(4 * many)), forces(4 * many);
  measure("nbody", forces, [&] {
    bodies<<<many / 128, 128>>>(reinterpret_cast<const float4*>(positions.data),
                                reinterpret_cast<float4*>(forces.data), many);
  });
  const int sorted = n / 64;
  const Array<int> values(noise(sorted, 1 << 20));
  measure("bitonic_sort", values, [&] {
    for (int size = 2; size <= sorted; size *= 2)
      for (int distance = size / 2; distance > 0; distance /= 2)
        bitonicStep<<<sorted / 256, 256>>>(values.data, distance, size);
  });
  const int rows = n / 16;
  std::vector<int> rowBegin(rows + 1);
  const std::vector<int> lengths = noise(rows, 32);
  for (int row = 0; row < rows; ++row) rowBegin[row + 1] = rowBegin[row] + lengths[row];
  const int entries = rowBegin[rows];
  const Array<int> begins(rowBegin), columns(noise(entries, rows));
  const Array<float> entryValues(floats(entries)), x(floats(rows)), y(rows);
  measure("sparse", y, [&] {
    multiplySparse<<<rows / 256, 256>>>(begins.data, columns.data, entryValues.data, x.data, y.data, rows);
  });
  std::vector<int> nodes((1 << 16) - 1);
  plant(nodes, 0, 0, static_cast<int>(nodes.size()));
  const Array<int> tree(nodes), keys(noise(n / 16, 1 << 30)), depths(n / 16);
  measure("tree_walk", depths, [&] {
    walkTree<<<n / 16 / 256, 256>>>(tree.data, keys.data, depths.data, static_cast<int>(nodes.size()),
                                    n / 16);
  });
}

static void storm(int launches) {
  const Array<float> a(1024), b(1024), c(1024);
  measure("launch_storm", c, [&] {
    for (int i = 0; i < launches; ++i) vectorAdd<<<1, 128>>>(a.data, b.data, c.data, 128);
  });
}

/// More of them than what waits on the device has room for, once, if asked for: until the loop ends, and until the
/// device has done them all and the host has what they recorded.
static void stormOnce(int launches) {
  using Clock = std::chrono::steady_clock;
  const Array<float> a(1024), b(1024), c(1024);
  const auto launch = [&] { vectorAdd<<<1, 128>>>(a.data, b.data, c.data, 128); };
  launch();
  CHECK(cudaDeviceSynchronize());
  const auto begin = Clock::now();
  for (int i = 0; i < launches; ++i) launch();
  const auto made = Clock::now();
  CHECK(cudaDeviceSynchronize());
  const auto done = Clock::now();
  const auto ms = [&](Clock::time_point end) {
    return std::chrono::duration<double, std::milli>(end - begin).count();
  };
  std::printf("made,%.6f,%llx\ndone,%.6f,%llx\n", ms(made), c.checksum(), ms(done), c.checksum());
}

/// Once, and only if asked for: its trace alone is larger than all others.
static void sustained(int n, int rounds) {
  const Array<float> a(floats(n)), c(n);
  readAgain<<<n / 256, 256>>>(a.data, c.data, n, rounds);
  CHECK(cudaDeviceSynchronize());
  std::printf("sustained,0,%llx\n", c.checksum());
}

int main(int argc, char** argv) {
  // "large": sixteen times the elements, which no cache holds and which keep a GPU busy for longer. "small":
  // the elements of a test.
  const bool large = argc > 1 && std::strcmp(argv[1], "large") == 0;
  const bool small = argc > 1 && std::strcmp(argv[1], "small") == 0;
  if (argc > (large || small ? 2 : 1)) only = argv + (large || small ? 2 : 1);
  if (only != nullptr && chosen("storm")) return stormOnce(100000), 0;
  if (only != nullptr && chosen("sustained")) return sustained(1 << 20, 4096), 0;
  const int elements = 1 << (large ? 26 : small ? 14 : 22), width = large ? 8192 : small ? 128 : 2048;
  streaming(elements);
  matrices(width, large ? 640 : small ? 64 : 256);
  irregular(elements, width);
  storm(small ? 10 : 10000);
  return 0;
}
