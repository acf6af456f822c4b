// Times each kernel of several.cuh, whose threads do several elements each, on some ten times the elements of
// suite.cu, and with its kernels' names. Built plain and instrumented from this one source; gpu_suite.py sets
// the times side by side. `small`: the elements of a test.
#include "measure.cuh"
#include "several.cuh"

static int multiprocessors = 0;  ///< grids are a few blocks for each

/// All numbers below 2^bits in an order without a rule: each step has an inverse.
static std::vector<int> shuffled(int bits) {
  const unsigned mask = (1u << bits) - 1;
  std::vector<int> values(std::size_t{1} << bits);
  for (unsigned i = 0; i <= mask; ++i) {
    unsigned mixed = i * 0x9e3779b1u & mask;
    mixed ^= mixed >> (bits / 2);
    mixed = mixed * 0x85ebca6bu & mask;
    mixed ^= mixed >> (bits / 2 - 1);
    values[i] = static_cast<int>(mixed);
  }
  return values;
}

static const float4* fours(const Array<float>& from) {
  return reinterpret_cast<const float4*>(from.data);
}
static float4* fours(Array<float>& from) {
  return reinterpret_cast<float4*>(from.data);
}

static void streaming(const Array<float>& a, const Array<float>& b, Array<float>& c, int bits) {
  const int n = 1 << bits, blocks = 8 * multiprocessors;
  Array<float> x(n);
  measure("vector_add", c, [&] { vectorAdd<<<blocks, 256>>>(a.data, b.data, c.data, n); });
  measure("struct_of_arrays", x, [&] { structOfArrays<<<blocks, 256>>>(x.data, b.data, n); });
  measure("stencil", c, [&] { stencil<<<blocks, 256>>>(a.data, c.data, n); });
  const int nx = 1 << (bits + 2) / 3, ny = 1 << (bits + 1) / 3, nz = 1 << bits / 3;
  measure("stencil_march", x,
          [&] { stencilMarch<<<dim3(nx / 32, ny / 8), dim3(32, 8)>>>(a.data, x.data, nx, ny, nz); });
  measure("scan", c, [&] { scanTiles<<<blocks, 256>>>(fours(a), fours(c), n / 2048); });
  Array<float> sums(blocks);
  measure("reduction", sums, [&] { reduce<<<blocks, 256>>>(fours(a), sums.data, n / 4); });
  measure("float4_stream", c, [&] { streamVectors<<<blocks, 256>>>(fours(a), fours(c), n / 4); });
  const auto* bytes = reinterpret_cast<const unsigned char*>(a.data);
  auto* inverted = reinterpret_cast<unsigned char*>(x.data);
  measure("bytes", x, [&] { invertBytes<<<blocks, 256>>>(bytes, inverted, 2 * n); });
  Array<int> counter(1);
  measure("one_address", counter, [&] { countLarger<<<blocks, 256>>>(a.data, 0.75f, counter.data, n); });
  const Array<Particle> particles(n / 2);
  measure("array_of_structs", particles, [&] { arrayOfStructs<<<blocks, 256>>>(particles.data, n / 2); });
}

static void withoutRule(const Array<float>& a, Array<float>& c, int bits) {
  const int n = 1 << bits, blocks = 8 * multiprocessors;
  {
    const Array<int> index(shuffled(bits - 1)), targets(shuffled(bits - 2));
    measure("gather", c, [&] { gather<<<blocks, 256>>>(a.data, index.data, c.data, n / 2); });
    measure("scatter", c, [&] { scatter<<<blocks, 256>>>(a.data, targets.data, c.data, n / 4); });
  }
  const Array<int> values(noise(n, 1 << 30)), bins(256), small(n / 32);
  measure("histogram_shared", bins, [&] { histogramShared<<<blocks, 256>>>(values.data, bins.data, n); });
  const int few = 2 * multiprocessors;
  measure("histogram_global", bins, [&] { histogramGlobal<<<few, 256>>>(values.data, bins.data, n / 32); });
  measure("bitonic_sort", small,
          [&] { sortTiles<<<4 * multiprocessors, 256>>>(values.data, small.data, n / 32 / sortedTile); });
  std::vector<int> nodes((1 << 16) - 1);
  plant(nodes, 0, 0, static_cast<int>(nodes.size()));
  const int keys = n / 8, size = static_cast<int>(nodes.size());
  const Array<int> tree(nodes), depths(keys);
  measure("tree_walk", depths,
          [&] { walkTree<<<blocks, 256>>>(tree.data, values.data, depths.data, size, keys); });
}

static void matrices(const Array<float>& a, const Array<float>& b, int width, int small) {
  const Array<float> c(static_cast<std::size_t>(width) * width), product(small * small);
  const dim3 grid(width / tile, width / tile), block(tile, rowsOfThreads);
  measure("transpose_naive", c, [&] { transposeNaive<<<grid, block>>>(a.data, c.data, width); });
  measure("transpose_tiled", c, [&] { transposeTiled<0><<<grid, block>>>(a.data, c.data, width); });
  measure("transpose_padded", c, [&] { transposeTiled<1><<<grid, block>>>(a.data, c.data, width); });
  const dim3 tiles(small / tile, small / tile);
  measure("multiply_naive", product,
          [&] { multiplyNaive<<<tiles, block>>>(a.data, b.data, product.data, small); });
  measure("multiply_tiled", product,
          [&] { multiplyTiled<<<tiles, block>>>(a.data, b.data, product.data, small); });
}

/// Rows of 15 entries in the mean; for a warp each, sixteen of them together.
static void sparse(const Array<float>& a, int rows) {
  std::vector<int> begins(rows + 1), begins16(rows / 16 + 1);
  const std::vector<int> lengths = noise(rows, 32);
  for (int row = 0; row < rows; ++row) begins[row + 1] = begins[row] + lengths[row];
  for (int row = 0; row <= rows / 16; ++row) begins16[row] = begins[16 * row];
  const Array<int> rowBegin(begins), rowBegin16(begins16), columns(noise(begins[rows], rows));
  const Array<float> y(rows), y16(rows / 16);
  const int blocks = 8 * multiprocessors;
  measure("sparse", y, [&] {
    multiplySparse<<<blocks, 256>>>(rowBegin.data, columns.data, a.data, a.data, y.data, rows);
  });
  measure("sparse_warps", y16, [&] {
    multiplySparseByWarps<<<blocks, 256>>>(rowBegin16.data, columns.data, a.data, a.data, y16.data,
                                           rows / 16);
  });
}

static void computing(const Array<float>& a, int width, int many) {
  const Array<int> image(static_cast<std::size_t>(width) * width);
  measure("mandelbrot", image, [&] { mandelbrot<<<8 * multiprocessors, 256>>>(image.data, width); });
  Array<float> forces(4 * many);
  measure("nbody", forces,
          [&] { bodies<<<many / 128, 128, 128 * sizeof(float4)>>>(fours(a), fours(forces), many); });
}

int main(int argc, char** argv) {
  const bool small = argc > 1 && std::strcmp(argv[1], "small") == 0;
  if (argc > (small ? 2 : 1)) only = argv + (small ? 2 : 1);
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  if (small) multiprocessors = 4;  // the same grids on every device
  const int bits = small ? 16 : 25, width = small ? 128 : 4096;
  const std::vector<float> numbers = floats(std::size_t{1} << bits);
  const Array<float> a(numbers), b(numbers);
  Array<float> c(numbers.size());
  streaming(a, b, c, bits);
  withoutRule(a, c, bits);
  matrices(a, b, width, small ? 64 : 512);
  sparse(a, 1 << (bits - 5));
  computing(a, width, small ? 256 : 1 << 14);
  return 0;
}
