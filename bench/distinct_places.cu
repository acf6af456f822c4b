// What it costs a multiprocessor to find out how many different sectors, or passes through shared memory's
// banks, a warp's access takes, in the ways that a profile could ask (profile_aligned.h): lanes with the same
// number by `match.any`, places sorted by shuffles, asked for bit by bit, or written to a table in shared memory
// until each lane finds its own there.
//
//   nvcc -O3 -arch=sm_90 distinct_places.cu -o distinct_places && ./distinct_places
//
// Prints cycles of a multiprocessor kept busy by 32 warps, for each access, less what the loop takes that makes
// the places; all ways must agree. A table is the block's last dynamic shared memory, 128 bytes for each warp.
#include <cstdio>
#include <cstdlib>

namespace {

constexpr unsigned everyLane = 0xffffffffu, rounds = 2000, threads = 256, blocksOfMultiprocessor = 4;
constexpr unsigned tableBytes = 128, ways = 7;

__device__ unsigned laneIndex() {
  return threadIdx.x % 32;
}
/// The team's lanes that are the first with their number.
__device__ unsigned firstsOf(unsigned team, unsigned same) {
  return __ballot_sync(team, (same & ((1u << laneIndex()) - 1)) == 0);
}
__device__ unsigned leaderOf(unsigned team) {
  return static_cast<unsigned>(__ffs(static_cast<int>(team)) - 1);
}

// --- Passes through the banks of 32 words.
__device__ unsigned passesByMatch(unsigned team, unsigned word) {
  const unsigned firsts = firstsOf(team, __match_any_sync(team, word));
  return __reduce_max_sync(team, __popc(__match_any_sync(team, word % 32) & firsts));
}
__device__ unsigned withSameBit(unsigned team, unsigned lanes, unsigned number, unsigned bit) {
  const unsigned set = __ballot_sync(team, (number & bit) != 0);
  return lanes & ((number & bit) != 0 ? set : ~set);
}
__device__ unsigned passesByBits(unsigned team, unsigned word) {
  unsigned sameBank = team;
#pragma unroll
  for (unsigned bit = 1; bit < 32; bit *= 2) sameBank = withSameBit(team, sameBank, word, bit);
  unsigned sameWord = sameBank;
  const unsigned leaders = __shfl_sync(team, word, leaderOf(team));
#pragma unroll 1
  for (unsigned differs = __reduce_or_sync(team, (word ^ leaders) & ~31u); differs != 0; differs &= differs - 1)
    sameWord = withSameBit(team, sameWord, word, differs & (0u - differs));
  return __reduce_max_sync(team, __popc(sameBank & firstsOf(team, sameWord)));
}
__device__ unsigned passesByTable(unsigned team, volatile unsigned* table, unsigned word) {
  bool waits = true;
  unsigned passes = 0;
  do {
    if (waits) table[word % 32] = word;
    __syncwarp(team);
    waits = waits && table[word % 32] != word;
    ++passes;
  } while (__any_sync(team, waits));
  return passes;
}

// --- Sectors.
__device__ unsigned sectorsByMatch(unsigned team, unsigned address) {
  return __popc(firstsOf(team, __match_any_sync(team, address / 32)));
}
__device__ unsigned sectorsBySorting(unsigned address) {
  const unsigned lane = laneIndex();
#pragma unroll
  for (unsigned length = 2; length <= 32; length *= 2)
#pragma unroll
    for (unsigned apart = length / 2; apart != 0; apart /= 2) {
      const unsigned other = __shfl_xor_sync(everyLane, address, apart);
      address = ((lane & length) == 0) == ((lane & apart) == 0) ? min(address, other) : max(address, other);
    }
  const unsigned before = __shfl_up_sync(everyLane, address, 1);
  return __popc(__ballot_sync(everyLane, lane == 0 || (address ^ before) >= 32));
}
__device__ unsigned sectorsByTable(unsigned team, volatile unsigned* table, unsigned address) {
  const unsigned mine = (address & ~31u) | laneIndex(), place = (address / 32 * 0x9e3779b1u) >> 27;
  bool waits = true, wins = false;
  do {
    if (waits) table[place] = mine;
    __syncwarp(team);
    const unsigned differs = table[place] ^ mine;
    wins |= waits && differs == 0;
    waits = waits && differs >= 32;
  } while (__any_sync(team, waits));
  return __popc(__ballot_sync(team, wins));
}

/// `range`: words that places are among; `lanes`: that take part.
__global__ void ask(unsigned way, unsigned range, unsigned lanes, unsigned* sum) {
  extern __shared__ unsigned tables[];
  if (laneIndex() >= lanes) return;
  const unsigned team = lanes == 32 ? everyLane : (1u << lanes) - 1;
  volatile unsigned* const table = tables + threadIdx.x / 32 * (tableBytes / 4);
  unsigned random = threadIdx.x * 2654435761u + blockIdx.x * 40503u + 1, found = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    random = random * 1664525u + 1013904223u;
    const unsigned word = (random >> 8) % range;
    switch (way) {
      case 0: found += word & 1u; break;
      case 1: found += passesByMatch(team, word); break;
      case 2: found += passesByBits(team, word); break;
      case 3: found += passesByTable(team, table, word); break;
      case 4: found += sectorsByMatch(team, 4 * word); break;
      case 5: found += sectorsBySorting(4 * word); break;
      default: found += sectorsByTable(team, table, 4 * word); break;
    }
  }
  atomicAdd(sum, found);
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "distinct_places: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

}  // namespace

int main() {
  int multiprocessors = 0, kilohertz = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
  unsigned* sum = nullptr;
  check(cudaMallocManaged(&sum, sizeof *sum));
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  std::printf("words,lanes,passes match,passes bits,passes table,sectors match,sectors sorted,sectors table\n");
  for (const unsigned range : {1u, 64u, 256u, 4096u, 1u << 20})
    for (const unsigned lanes : {32u, 20u, 8u, 2u}) {
      std::printf("%u,%u", range, lanes);
      double loop = 0;
      unsigned results[ways] = {};
      for (unsigned way = 0; way < ways; ++way) {
        if (way == 5 && lanes != 32) {
          std::printf(",");
          continue;
        }
        float least = 0;
        for (int time = 0; time < 5; ++time) {
          *sum = 0;
          check(cudaEventRecord(begin));
          ask<<<multiprocessors * blocksOfMultiprocessor, threads, threads / 32 * tableBytes>>>(way, range, lanes, sum);
          check(cudaEventRecord(end));
          check(cudaEventSynchronize(end));
          float took = 0;
          check(cudaEventElapsedTime(&took, begin, end));
          if (time == 0 || took < least) least = took;
        }
        results[way] = *sum;
        const double cycles = static_cast<double>(least) * kilohertz / (rounds * blocksOfMultiprocessor * threads / 32);
        if (way == 0)
          loop = cycles;
        else
          std::printf(",%.1f", cycles - loop);
      }
      std::printf("\n");
      if (results[1] != results[2] || results[1] != results[3] || results[4] != results[6] ||
          (lanes == 32 && results[4] != results[5])) {
        std::fprintf(stderr, "distinct_places: the ways do not agree\n");
        return 1;
      }
    }
}
