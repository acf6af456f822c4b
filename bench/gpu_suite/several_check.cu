// Are the kernels of several.cuh right? Each on few elements, by grids whose threads go round several times,
// against what the host computes. Without a GPU: `cuinstrument cpu bench/gpu_suite/several_check.cu -o check
// && ./check`.
#include <cmath>

#include "measure.cuh"
#include "several.cuh"

constexpr int n = 1 << 14, blocks = 3, width = 64;
static int wrong = 0;

template <class T>
static std::vector<T> read(const Array<T>& from) {
  std::vector<T> host(from.count);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host.data(), from.data, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}
static void compare(const char* name, int i, double got, double expected) {
  if (std::fabs(got - expected) <= 1e-5 * std::fabs(expected)) return;
  if (++wrong < 20) std::printf("%s: [%d] is %g, not %g\n", name, i, got, expected);
}
/// The elements from `begin` to `end`, against expected(i).
template <class T, class Expected>
static void compare(const char* name, const Array<T>& result, int begin, int end, Expected expected) {
  const std::vector<T> host = read(result);
  for (int i = begin; i < end; ++i) compare(name, i, host[i], expected(i));
}

static const std::vector<float> a = floats(n);
static const std::vector<int> numbers = noise(n, n);

static void streaming() {
  const Array<float> in(a), out(n), sums(blocks);
  auto* in4 = reinterpret_cast<const float4*>(in.data);
  auto* out4 = reinterpret_cast<float4*>(out.data);
  vectorAdd<<<blocks, 256>>>(in.data, in.data, out.data, n);
  compare("vectorAdd", out, 0, n, [](int i) { return 2 * a[i]; });
  structOfArrays<<<blocks, 256>>>(out.data, in.data, n);
  compare("structOfArrays", out, 0, n, [](int i) { return 3 * a[i]; });
  stencil<<<blocks, 256>>>(in.data, out.data, n);
  compare("stencil", out, 2, n - 2, [](int i) { return a[i - 2] + a[i - 1] + a[i] + a[i + 1] + a[i + 2]; });
  streamVectors<<<blocks, 256>>>(in4, out4, n / 4);
  compare("streamVectors", out, 0, n, [](int i) { return a[i]; });
  scanTiles<<<blocks, 256>>>(in4, out4, n / 2048);
  double sum = 0;
  compare("scanTiles", out, 0, n, [&](int i) { return sum = a[i] + (i % 2048 == 0 ? 0 : sum); });
  reduce<<<blocks, 256>>>(in4, sums.data, n / 4);
  double all = 0;
  for (float each : a) all += each;
  const std::vector<float> parts = read(sums);
  compare("reduce", 0, static_cast<double>(parts[0]) + parts[1] + parts[2], all);
  const Array<Particle> particles(std::vector<Particle>(n, {1, 2, 3, 4}));
  arrayOfStructs<<<blocks, 256>>>(particles.data, n);
  const std::vector<Particle> moved = read(particles);
  for (int i = 0; i < n; ++i) compare("arrayOfStructs", i, moved[i].x + 10 * moved[i].y, 25);
  const Array<unsigned char> bytes(std::vector<unsigned char>(n, 3)), inverted(n);
  invertBytes<<<blocks, 256>>>(bytes.data, inverted.data, n);
  compare("invertBytes", inverted, 0, n, [](int) { return 252; });
  const Array<int> counter(1);
  countLarger<<<blocks, 256>>>(in.data, 0.75f, counter.data, n);
  compare("countLarger", counter, 0, 1,
          [](int) { return std::count_if(a.begin(), a.end(), [](float v) { return v > 0.75f; }); });
  const int nx = 64, ny = 16, nz = n / nx / ny, plane = nx * ny;
  stencilMarch<<<dim3(nx / 32, ny / 8), dim3(32, 8)>>>(in.data, out.data, nx, ny, nz);
  const std::vector<float> marched = read(out);
  for (int i = plane; i < n - plane; ++i) {
    const int x = i % nx, y = i / nx % ny;
    if (x == 0 || x == nx - 1 || y == 0 || y == ny - 1) continue;
    const double around = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - plane] + a[i + plane];
    compare("stencilMarch", i, marched[i], 0.5 * a[i] + 0.125 * around);
  }
}

static void withoutRule() {
  const Array<float> in(a), out(n);
  const Array<int> index(numbers), bins(256), more(256), sorted(n), depths(n);
  gather<<<blocks, 256>>>(in.data, index.data, out.data, n);
  compare("gather", out, 0, n, [](int i) { return a[numbers[i]]; });
  std::vector<int> turned(n);
  for (int i = 0; i < n; ++i) turned[i] = n - 1 - i;
  const Array<int> targets(turned);
  scatter<<<blocks, 256>>>(in.data, targets.data, out.data, n);
  compare("scatter", out, 0, n, [](int i) { return a[n - 1 - i]; });
  histogramGlobal<<<blocks, 256>>>(index.data, bins.data, n);
  histogramShared<<<blocks, 128>>>(index.data, more.data, n);
  std::vector<int> expected(256);
  for (int number : numbers) ++expected[number & 255];
  compare("histogramGlobal", bins, 0, 256, [&](int i) { return expected[i]; });
  compare("histogramShared", more, 0, 256, [&](int i) { return expected[i]; });
  sortTiles<<<blocks, 256>>>(index.data, sorted.data, n / sortedTile);
  std::vector<int> order = numbers;
  for (int i = 0; i < n; i += sortedTile) std::sort(&order[i], &order[i] + sortedTile);
  compare("sortTiles", sorted, 0, n, [&](int i) { return order[i]; });
  std::vector<int> nodes(1023);
  plant(nodes, 0, 0, 1023);
  const Array<int> tree(nodes);
  walkTree<<<blocks, 256>>>(tree.data, index.data, depths.data, 1023, n);
  compare("walkTree", depths, 0, n, [&](int i) {
    int node = static_cast<int>(std::find(nodes.begin(), nodes.end(), numbers[i] % 1023) - nodes.begin());
    int depth = 0;
    for (; node > 0; node = (node - 1) / 2) ++depth;
    return depth;
  });
}

static void matrices() {
  const Array<float> in(a), c(width * width);
  const dim3 grid(width / tile, width / tile), block(tile, rowsOfThreads);
  const auto transposed = [](int i) { return a[i % width * width + i / width]; };
  const auto product = [](int i) {
    double sum = 0;
    for (int k = 0; k < width; ++k) sum += a[i / width * width + k] * a[k * width + i % width];
    return sum;
  };
  const auto check = [&](const char* name, auto expected, auto launch) {
    CHECK(cudaMemset(c.data, 0, c.count * sizeof(float)));
    launch();
    compare(name, c, 0, width * width, expected);
  };
  check("transposeNaive", transposed, [&] { transposeNaive<<<grid, block>>>(in.data, c.data, width); });
  check("transposeTiled<0>", transposed, [&] { transposeTiled<0><<<grid, block>>>(in.data, c.data, width); });
  check("transposeTiled<1>", transposed, [&] { transposeTiled<1><<<grid, block>>>(in.data, c.data, width); });
  check("multiplyNaive", product, [&] { multiplyNaive<<<grid, block>>>(in.data, in.data, c.data, width); });
  check("multiplyTiled", product, [&] { multiplyTiled<<<grid, block>>>(in.data, in.data, c.data, width); });
}

static void sparse() {
  const int rows = n / 32;
  std::vector<int> begins(rows + 1), columns(n);
  const std::vector<int> lengths = noise(rows, 32);
  for (int row = 0; row < rows; ++row) begins[row + 1] = begins[row] + lengths[row];
  for (int i = 0; i < n; ++i) columns[i] = numbers[i] % rows;
  const Array<int> rowBegin(begins), column(columns);
  const Array<float> in(a), y(rows), yWarps(rows);
  multiplySparse<<<1, 96>>>(rowBegin.data, column.data, in.data, in.data, y.data, rows);
  multiplySparseByWarps<<<blocks, 96>>>(rowBegin.data, column.data, in.data, in.data, yWarps.data, rows);
  const auto expected = [&](int row) {
    double sum = 0;
    for (int k = begins[row]; k < begins[row + 1]; ++k) sum += a[k] * a[columns[k]];
    return sum;
  };
  compare("multiplySparse", y, 0, rows, expected);
  compare("multiplySparseByWarps", yWarps, 0, rows, expected);
}

static void computing() {
  const Array<int> image(width * width);
  mandelbrot<<<blocks, 256>>>(image.data, width);
  const std::vector<int> steps = read(image);
  compare("mandelbrot, outside", 0, steps[0], 1);
  compare("mandelbrot, inside", 0, steps[width / 2 * width + width * 2 / 3], 256);
  const int many = 256;
  const Array<float> in(a), forces(4 * many);
  auto* in4 = reinterpret_cast<const float4*>(in.data);
  bodies<<<many / 64, 64, 64 * sizeof(float4)>>>(in4, reinterpret_cast<float4*>(forces.data), many);
  const std::vector<float> got = read(forces);
  for (int i = 0; i < many; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      double sum = 0, size = 0;
      for (int j = 0; j < many; ++j) {
        const double dx = a[4 * j] - a[4 * i], dy = a[4 * j + 1] - a[4 * i + 1],
                     dz = a[4 * j + 2] - a[4 * i + 2];
        const double part =
            (a[4 * j + axis] - a[4 * i + axis]) / std::pow(dx * dx + dy * dy + dz * dz + 0.01, 1.5);
        sum += part, size += std::fabs(part);
      }
      compare("bodies", i, got[4 * i + axis] / size + 2, sum / size + 2);
    }
}

int main() {
  streaming();
  withoutRule();
  matrices();
  sparse();
  computing();
  std::printf("%d wrong\n", wrong);
  return wrong > 0;
}
