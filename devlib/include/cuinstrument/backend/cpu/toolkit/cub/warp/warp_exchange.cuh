// cub::WarpExchange: as BlockExchange, among the lanes of a logical warp. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../block/block_exchange.cuh"
#include "warp_reduce.cuh"

namespace cub {

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int items, int Lanes = 32, WarpExchangeAlgorithm Algorithm = WARP_EXCHANGE_SMEM>
class WarpExchange : public cui_detail::Exchange<T, items, cui_detail::LogicalWarp<Lanes>> {
  using cui_detail::Exchange<T, items, cui_detail::LogicalWarp<Lanes>>::Exchange;
};

}  // namespace cub
