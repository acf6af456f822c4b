-- What orders the accesses of a block.

-- Barriers that all threads of a block have passed (__syncthreads and its forms). Recorded by the CPU backend; warp_barrier has those of a GPU.
CREATE TABLE barrier(
  launch_id INTEGER NOT NULL,
  block INTEGER NOT NULL,              -- linear block index
  sequence INTEGER NOT NULL,           -- the block's accesses from this access.sequence on came after it
  PRIMARY KEY(launch_id, block, sequence)
) WITHOUT ROWID;
