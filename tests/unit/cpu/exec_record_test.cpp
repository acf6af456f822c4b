// What a record says: address forms, spaces, shared offsets, values, order.
#include "cuinstrument/instrument.h"
CUI_UNIT(0x5, 12)

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "fake_host.h"

__shared__ float fileScope[40];
extern __shared__ float fileScopeDynamic[] CUI_DYNAMIC_SHARED;

template <class T>
__global__ void globalTemplate(T* out) {
  extern __shared__ float scratch[] CUI_DYNAMIC_SHARED;
  CUI_SHARED_DYNAMIC(2, scratch);
  CUI_ACCESS(0, scratch[threadIdx.x]) = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = static_cast<T>(CUI_ACCESS(1, scratch[31 - threadIdx.x]));
}

namespace {

template <class T>
__global__ void unnamedTemplate(T* out) {
  extern __shared__ T more[] CUI_DYNAMIC_SHARED;
  CUI_SHARED_DYNAMIC(2, more);
  CUI_ACCESS(0, more[threadIdx.x]) = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = CUI_ACCESS(1, more[31 - threadIdx.x]);
}

using cui::format::AddressForm;
using cui::format::RecordType;
using cui::format::Space;
using cui::test::Access;
using cui::test::host;

#define RUN(kernel, grid, block, ...)                         \
  host().clear();                                             \
  CUI_LAUNCH(0, kernel CUI_LAUNCH_OPEN(< < <) CUI_GRID(grid), \
             CUI_BLOCK(block) CUI_LAUNCH_CLOSE(>>>)(__VA_ARGS__))
#define RUN_SHARED(kernel, grid, block, bytes, ...)                             \
  host().clear();                                                               \
  CUI_LAUNCH(0, kernel CUI_LAUNCH_OPEN(< < <) CUI_GRID(grid), CUI_BLOCK(block), \
             CUI_SHARED_BYTES(bytes) CUI_LAUNCH_CLOSE(>>>)(__VA_ARGS__))

std::vector<Access> at(unsigned site) {
  return host().accesses(cui::unitState.firstSite + site);
}
std::uint64_t number(const volatile void* p) {
  return reinterpret_cast<std::uint64_t>(p);
}

__global__ void forms(double* p, const int* index, char* far) {
  const int i = threadIdx.x;
  CUI_ACCESS(0, p[31 - i]) = 1;
  CUI_ACCESS(1, p[index[i]]) = 1;
  char* q = i == 3 ? far : reinterpret_cast<char*>(p) + i;
  CUI_ACCESS(2, *q) = 1;
  if (i == 9 || i == 12) CUI_ACCESS(3, p[i]) = 1;
  if (i == 4) CUI_ACCESS(4, p[i]) = 1;
  if (i == 9 || i == 12) CUI_ACCESS(5, reinterpret_cast<char*>(p)[i == 9 ? 0 : 8]) = 1;  // 8 over 3 lanes
}
TEST(Record, AddressForms) {
  static char storage[2];
  static double p[64];
  int index[32];
  for (int i = 0; i < 32; ++i) index[i] = i * i % 37;
  // A second region more than 2 GB away from p.
  char* far = reinterpret_cast<char*>(number(storage) > (1ull << 40) ? 0 : 1);
  std::vector<char> heap(1 << 20);
  far = heap.data();
  RUN(forms, 1, 32, p, index, far);

  ASSERT_EQ(at(0).size(), 1u);
  EXPECT_EQ(at(0)[0].form, AddressForm::affine);
  EXPECT_EQ(at(0)[0].stride, -8);
  EXPECT_EQ(at(0)[0].address, number(p + 31));
  EXPECT_EQ(at(0)[0].bytes, 8u);

  EXPECT_EQ(at(1)[0].form, AddressForm::offsets32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(at(1)[0].lane[i], number(p + index[i]));

  const bool isFar = number(far) - number(p) + (1ull << 31) >= 1ull << 32;
  EXPECT_EQ(at(2)[0].form, isFar ? AddressForm::full64 : AddressForm::offsets32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(at(2)[0].lane[i], i == 3 ? number(far) : number(p) + i);

  EXPECT_EQ(at(3)[0].mask, 1u << 9 | 1u << 12);
  EXPECT_EQ(at(3)[0].form, AddressForm::affine);
  EXPECT_EQ(at(3)[0].address, number(p + 9));
  EXPECT_EQ(at(3)[0].stride, 8);

  EXPECT_EQ(at(4)[0].mask, 1u << 4);
  EXPECT_EQ(at(4)[0].stride, 0);
  EXPECT_EQ(at(5)[0].form, AddressForm::offsets32);
}

__constant__ int table[32];
__global__ void spaces(int* global, unsigned seed) {
  __shared__ int block[32];
  CUI_SHARED(0, block);
  const int i = threadIdx.x;
  int local[8];
  CUI_ACCESS(0, global[i]) = 1;
  CUI_ACCESS(1, block[i]) = 1;
  CUI_ACCESS(2, local[(i + seed) % 8]) = 1;
  CUI_ACCESS(10, local[(i + seed) % 8]) = 1;
  global[i] += CUI_ACCESS(11, table[i]);
  int* pointer = i < 8 ? &block[i] : i < 16 ? &local[i % 8] : &global[i];
  CUI_ACCESS(3, *pointer) = 2;
}
TEST(Record, SpacesAreToldApartByAddress) {
  int global[32];
  RUN(spaces, 1, 32, global, 1u);
  EXPECT_EQ(at(0)[0].space, Space::global);
  EXPECT_EQ(at(1)[0].space, Space::shared);
  EXPECT_EQ(at(1)[0].address, 0u);
  EXPECT_EQ(at(11)[0].space, Space::constant);
  // What is a thread's own is recorded where the site says that it is.
  EXPECT_TRUE(at(2).empty());
  ASSERT_FALSE(at(10).empty());
  for (const Access& a : at(10)) EXPECT_EQ(a.space, Space::local);
  ASSERT_EQ(at(3).size(), 2u);
  EXPECT_EQ(at(3)[0].space, Space::shared);
  EXPECT_EQ(at(3)[0].mask, 0xffu);
  EXPECT_EQ(at(3)[1].space, Space::global);
  EXPECT_EQ(at(3)[1].mask, 0xffff0000u);
  EXPECT_EQ(at(3)[1].address, number(global + 16));
}

__global__ void layout() {
  __shared__ float first[33];
  CUI_SHARED(0, first);
  __shared__ float second[8];
  CUI_SHARED(1, second);
  extern __shared__ float dynamic[] CUI_DYNAMIC_SHARED;
  CUI_SHARED_DYNAMIC(2, dynamic);
  CUI_ACCESS(0, first[2]) = 0;
  CUI_ACCESS(1, second[2]) = 0;
  CUI_ACCESS(2, dynamic[2]) = 0;
}
TEST(Record, SharedOffsetsFollowDeclarations) {
  RUN_SHARED(layout, 3, 64, 1024);
  // first takes 132 bytes, so second starts at 256; dynamic memory comes after both.
  EXPECT_EQ(at(0)[0].address, 8u);
  EXPECT_EQ(at(1)[0].address, 256u + 8u);
  EXPECT_EQ(at(2)[0].address, 384u + 8u);
  EXPECT_EQ(at(2)[0].space, Space::shared);
  const auto announced = host().announcements();
  ASSERT_EQ(announced.size(), 3u);  // once per launch, not per block or thread
  for (int v = 0; v < 3; ++v) {
    EXPECT_EQ(announced[v].type, RecordType::sharedVariable);
    EXPECT_EQ(announced[v].number, v);
    EXPECT_EQ(announced[v].firstSite, cui::unitState.firstSite);
  }
  EXPECT_EQ(announced[0].threadsOrBytes, 132u);
  EXPECT_EQ(announced[1].address, 256u);
  EXPECT_EQ(announced[2].address, 384u);
  EXPECT_EQ(announced[2].threadsOrBytes, 0u);
}

__global__ void announcesAgain(bool* known) {
  __shared__ float variable[4];
  for (int i = 0; i < 2; ++i) {
    known[i] = cuiAnnouncedShared[5].address == variable;
    CUI_SHARED(5, variable);
  }
}
TEST(Record, ABlockKnowsWhatItHasAnnounced) {
  bool known[2] = {true, false};
  RUN(announcesAgain, 1, 1, known);
  EXPECT_FALSE(known[0]);
  EXPECT_TRUE(known[1]);
}

__global__ void dynamicOnly() {
  extern __shared__ double numbers[] CUI_DYNAMIC_SHARED;
  CUI_ACCESS(0, numbers[threadIdx.x]) = 1;
  CUI_ACCESS(1, fileScopeDynamic[threadIdx.x]) = 1;
}
TEST(Record, DynamicMemoryAloneStartsAtZeroWhateverItsName) {
  RUN_SHARED(dynamicOnly, 1, 32, 256);
  EXPECT_EQ(at(0)[0].address, 0u);
  EXPECT_EQ(at(0)[0].stride, 8);
  EXPECT_EQ(at(1)[0].address, 0u);
  EXPECT_EQ(at(1)[0].stride, 4);
}

TEST(Record, DynamicMemoryInTemplates) {
  float f[32];
  int n[32];
  RUN_SHARED(globalTemplate<float>, 1, 32, 128, f);
  EXPECT_EQ(at(0)[0].address, 0u);
  EXPECT_EQ(at(1)[0].address, 31u * 4);
  EXPECT_EQ(at(1)[0].space, Space::shared);
  RUN_SHARED(unnamedTemplate<int>, 1, 32, 128, n);
  EXPECT_EQ(at(0)[0].address, 0u);
  EXPECT_EQ(at(1)[0].space, Space::shared);
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(f[i], 31 - i);
    EXPECT_EQ(n[i], 31 - i);
  }
}

__global__ void fileScopeShared() {
  CUI_ACCESS(0, fileScope[39 - threadIdx.x]) = 1;
}
TEST(Record, FileScopeSharedVariablesGetAnOffsetOnFirstTouch) {
  RUN(fileScopeShared, 1, 32);
  EXPECT_EQ(at(0)[0].space, Space::shared);
  EXPECT_EQ(at(0)[0].address, 39u * 4);
  EXPECT_EQ(at(0)[0].stride, -4);
}

__global__ void values(float* f, int4* v) {
  const int i = threadIdx.x;
  if (i % 2) CUI_STORE(1, f[i]) = CUI_LOAD(0, f[i]) * 2;
  CUI_STORE(2, v[i]) = int4{i, i + 1, i + 2, i + 3};
}
TEST(Record, ValuesOfLoadsAndStores) {
  float f[32];
  int4 v[32];
  for (int i = 0; i < 32; ++i) f[i] = i + 0.5f;
  RUN(values, 1, 32, f, v);
  const Access load = at(0)[0], store = at(1)[0], wide = at(2)[0];
  ASSERT_EQ(load.values.size(), 128u);
  ASSERT_EQ(wide.values.size(), 512u);
  for (int i = 0; i < 32; ++i) {
    float before, after;
    int4 four;
    std::memcpy(&before, &load.values[i * 4], 4);
    std::memcpy(&after, &store.values[i * 4], 4);
    std::memcpy(&four, &wide.values[i * 16], 16);
    EXPECT_EQ(before, i % 2 ? i + 0.5f : 0.0f);
    EXPECT_EQ(after, i % 2 ? 2 * i + 1.0f : 0.0f);
    EXPECT_EQ(four.x, i);
    EXPECT_EQ(four.w, i + 3);
  }
}

struct Large {
  char bytes[3000];
};
__global__ void large(Large* p) {
  CUI_ACCESS(0, p[threadIdx.x]) = Large();
}
struct Restricted {
  float* __restrict__ values;
};
__global__ void restrictedMember(Restricted* pack) {
  CUI_ACCESS(1, CUI_ACCESS(0, pack->values)[threadIdx.x]) = 1;
}
TEST(Record, ObjectsMayBeRestrict) {
  float values[32] = {};
  Restricted pack = {values};
  RUN(restrictedMember, 1, 32, &pack);
  ASSERT_EQ(at(0).size(), 1u);
  EXPECT_EQ(at(0)[0].address, number(&pack));
  ASSERT_EQ(at(1).size(), 1u);
  EXPECT_EQ(at(1)[0].address, number(values));
}

TEST(Record, SizesThatDoNotFitSaySeeTheSite) {
  std::vector<Large> p(4);
  RUN(large, 1, 4, p.data());
  EXPECT_EQ(at(0)[0].bytes, 0u);
  EXPECT_EQ(at(0)[0].stride, 3000);
}

__host__ __device__ constexpr int square(const int& x) {
  return CUI_ACCESS(0, x) * x;
}
__global__ void both(int* out, const int* in) {
  out[0] = square(in[0]);
}
TEST(Record, HostCallsAndConstantsRecordNothing) {
  static constexpr int three = 3;
  static_assert(square(three) == 9, "still a constant expression");
  host().clear();
  int in = 5, out = 0;
  EXPECT_EQ(square(in), 25);
  EXPECT_TRUE(host().slots.empty());
  RUN(both, 1, 1, &out, &in);
  EXPECT_EQ(out, 25);
  EXPECT_EQ(at(0).size(), 1u);
}

// Blocks that do different amounts of work, with divergence, barriers and shared memory.
__global__ void mixed(unsigned* data, unsigned* histogram) {
  __shared__ unsigned tile[64];
  CUI_SHARED(0, tile);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  CUI_ACCESS(1, tile[threadIdx.x]) = CUI_ACCESS(0, data[i]);
  __syncthreads();
  for (unsigned j = 0; j < (i * 7 + blockIdx.x) % 50; ++j)
    CUI_ACCESS(3, data[i]) += CUI_ACCESS(2, tile[(threadIdx.x * j) % 64]);
  atomicAdd(CUI_POINTER(4, &histogram[i % 10]), 1u);
}
std::vector<cui::format::WarpRecord> streamOf(unsigned workers) {
  static unsigned data[40 * 64], histogram[10];
  for (unsigned i = 0; i < 40 * 64; ++i) data[i] = i;
  std::memset(histogram, 0, sizeof histogram);
  host().options.cpuThreads = workers;
  RUN(mixed, 40, 64, data, histogram);
  host().options.cpuThreads = 1;
  for (unsigned count : histogram) EXPECT_EQ(count, 256u);
  auto slots = host().slots;
  EXPECT_GT(slots.size(), 40u * 50);
  // The launch key is the launch's own; everything else must be equal.
  std::size_t headers = 0;
  for (std::size_t i = 0; i < slots.size(); ++headers) {
    slots[i].launch = 0;
    i += 1 + (cui::format::typeOf(slots[i].flags) == RecordType::access
                  ? cui::format::payloadSlots(slots[i].flags, cui::format::bytesOf(slots[i]))
                  : 0);
  }
  EXPECT_GT(headers, 0u);
  return slots;
}
TEST(Record, CountersAgreeWithTheRecords) {
  for (unsigned workers : {1u, 3u}) {
    streamOf(workers);
    ASSERT_EQ(host().counters.size(), 5u);
    for (const CuiCounter& counter : host().counters) {
      std::uint64_t lanes = 0;
      const auto records = host().accesses(counter.site);
      for (const Access& a : records) lanes += static_cast<unsigned>(__builtin_popcount(a.mask));
      EXPECT_EQ(counter.requests, records.size());
      EXPECT_EQ(counter.threadAccesses, lanes);
      EXPECT_EQ(counter.launchKey, records[0].launch);
    }
  }
}
TEST(Record, StreamIsTheSameInEveryRunAndForEveryNumberOfWorkers) {
  const auto first = streamOf(1);
  for (unsigned workers : {1u, 2u, 3u, 8u}) {
    const auto again = streamOf(workers);
    ASSERT_EQ(again.size(), first.size()) << workers << " workers";
    EXPECT_EQ(std::memcmp(again.data(), first.data(), first.size() * sizeof first[0]), 0)
        << workers << " workers";
  }
}

}  // namespace
#define CUI_TEST_GLOBAL ::fileScope
#include "test_tables.h"
