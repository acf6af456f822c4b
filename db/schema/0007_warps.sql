-- What a GPU's warps have passed, and when. A GPU's trace has each warp's accesses in order, but not those of different warps.

-- Barriers of its block (__syncthreads and its forms, sync() of a group that holds whole blocks) that a warp has passed. Accesses of the warp whose lowest active lane is `lane`, from `sequence` on, come after this many; before a lane's first row, after none. CUDA backend with CUINSTRUMENT_BARRIERS=on only; `barrier` has the CPU backend's.
CREATE TABLE warp_barrier(
  launch_id INTEGER NOT NULL,
  sequence INTEGER NOT NULL,           -- from this access.sequence on
  block INTEGER NOT NULL,              -- linear block index
  warp INTEGER NOT NULL,               -- in the block
  lane INTEGER NOT NULL,
  passed INTEGER NOT NULL,             -- barriers since the kernel began
  grid INTEGER NOT NULL,               -- of these, where all blocks of the launch met (grid.sync())
  PRIMARY KEY(launch_id, sequence, block, warp, lane)
) WITHOUT ROWID;

-- Where and when a warp made its accesses, from the first one recorded to the last. CUDA backend with CUINSTRUMENT_TIMESTAMPS only.
CREATE TABLE warp_time(
  launch_id INTEGER NOT NULL,
  block INTEGER NOT NULL,              -- linear block index
  warp INTEGER NOT NULL,               -- in the block
  sm_id INTEGER NOT NULL,              -- multiprocessor (%smid)
  accesses INTEGER NOT NULL,           -- with a time
  begin_ns INTEGER NOT NULL,           -- %globaltimer, moved to the host's clock by comparison at the start
  end_ns INTEGER NOT NULL,
  begin_clock INTEGER NOT NULL,        -- cycles of the multiprocessor (%clock64, low 56 bits); not comparable between multiprocessors
  end_clock INTEGER NOT NULL,
  PRIMARY KEY(launch_id, block, warp)
) WITHOUT ROWID;

-- When a warp access was recorded, which is right before it was made. CUDA backend with CUINSTRUMENT_TIMESTAMPS=accesses only. Where lanes of a warp meet at one instruction with different sites or spaces, only the access that has the lowest lane has a row.
CREATE TABLE access_time(
  launch_id INTEGER NOT NULL,
  sequence INTEGER NOT NULL,           -- of the access
  time_ns INTEGER NOT NULL,            -- as in warp_time
  clock INTEGER NOT NULL,
  PRIMARY KEY(launch_id, sequence)
) WITHOUT ROWID;
