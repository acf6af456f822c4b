// standard: 17 20
// Cooperative groups: those that hold whole blocks meet at a barrier of the block, those of a warp do not. What
// a function is given as thread_group only run time knows.
// expect: CUI_BARRIER(block.sync());
// expect: CUI_BARRIER(cg::sync(block));
// expect: CUI_BARRIER(cg::wait(block));
// expect: CUI_GRID_BARRIER(cg::this_grid().sync());
// expect: CUI_BARRIER(block.barrier_wait(block.barrier_arrive()));
// expect:   tile.sync();
// expect: { several.sync(); }
// expect: "barrier: of threads that only run time knows"
// expect: "barrier: of other threads in other instantiations"
// expect: CUI_BARRIER(always.sync());
// cpu: no, barrier_arrive is the toolkit's
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__device__ void any(cg::thread_group group) { group.sync(); }
template <class Group>
__device__ void some(Group group) { group.sync(); }
template <class Group>
__device__ void blocks(Group always) { always.sync(); }
template <class Tile>
__device__ void warps(Tile several) { several.sync(); }
__global__ void groups(int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  block.sync();
  cg::sync(block);
  cg::wait(block);
  block.barrier_wait(block.barrier_arrive());
  tile.sync();
  cg::this_grid().sync();
  any(block);
  some(block);
  some(tile);
  blocks(block);
  warps(cg::tiled_partition<64>(block));
  out[0] = 1;
}
void launch(int* out) { groups<<<1, 64>>>(out); }
