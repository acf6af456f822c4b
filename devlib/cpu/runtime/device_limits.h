// The device that the CPU backend describes: compute capability 9.0 with the documented limits, and as many
// multiprocessors as an H200 unless CUINSTRUMENT_CPU_MULTIPROCESSORS says otherwise. The numbers shape
// launches (programs size grids by them); they say nothing about speed.
#pragma once

#include <cstddef>

namespace cui::cpu::limits {

constexpr int computeMajor = 9;
constexpr int computeMinor = 0;
constexpr int multiprocessors = 132;
constexpr int warpSize = 32;
constexpr int threadsPerBlock = 1024;
constexpr int blockExtent[3] = {1024, 1024, 64};
constexpr int gridExtent[3] = {2147483647, 65535, 65535};
constexpr int threadsPerMultiprocessor = 2048;
constexpr int blocksPerMultiprocessor = 32;
constexpr int registersPerBlock = 65536;
constexpr int registersPerMultiprocessor = 65536;
constexpr std::size_t sharedPerBlock = 48ul * 1024;
constexpr std::size_t sharedPerBlockOptin = 227ul * 1024;
constexpr std::size_t sharedPerMultiprocessor = 228ul * 1024;
constexpr std::size_t reservedSharedPerBlock = 1024;
constexpr std::size_t sharedGranularity = 128;
constexpr std::size_t constantBytes = 64ul * 1024;
constexpr std::size_t l2Bytes = 60ul * 1024 * 1024;
constexpr std::size_t persistingL2Bytes = l2Bytes / 16 * 11;
constexpr std::size_t accessWindowBytes = 128ul * 1024 * 1024;

}  // namespace cui::cpu::limits
