// CUB on the CPU backend. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "block/block_adjacent_difference.cuh"
#include "block/block_exchange.cuh"
#include "block/block_histogram.cuh"
#include "block/block_load.cuh"
#include "block/block_radix_sort.cuh"
#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "block/block_store.cuh"
#include "cui_common.cuh"
#include "device/device_histogram.cuh"
#include "device/device_radix_sort.cuh"
#include "device/device_reduce.cuh"
#include "device/device_scan.cuh"
#include "device/device_select.cuh"
#include "iterator/counting_input_iterator.cuh"
#include "warp/warp_exchange.cuh"
#include "warp/warp_reduce.cuh"
