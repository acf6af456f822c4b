-- The tables every trace has. Comments are the documentation: docs/schema.md is made from them
-- (a comment above a table describes it, one behind a column the column).

-- Facts about the trace as a whole. Keys: tool_version, format_version, complete ('1' once the recording
-- process has closed the trace, '0' before and after a crash), materialized ('1': the tables access and
-- access_lane are in this file), mode ('profile': sums without accesses), begin_realtime_ns and begin_monotonic_ns
-- (one instant on both clocks).
CREATE TABLE meta(
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- The traced process. All *_ns columns of the trace are nanoseconds of CLOCK_MONOTONIC on its host.
CREATE TABLE process(
  process_id INTEGER PRIMARY KEY,      -- the operating system's process id
  program TEXT NOT NULL,               -- path of the executable
  command_line TEXT NOT NULL,          -- arguments, separated by blanks
  working_directory TEXT NOT NULL,
  host TEXT NOT NULL,                  -- host name
  backend TEXT NOT NULL,               -- cuda or cpu
  begin_ns INTEGER NOT NULL,           -- when recording started
  end_ns INTEGER                       -- when the trace was closed; NULL after a crash
);

-- The devices the program used.
CREATE TABLE device(
  device_id INTEGER PRIMARY KEY,       -- ordinal in the process
  name TEXT NOT NULL,
  backend TEXT NOT NULL,               -- cuda or cpu
  driver_version TEXT NOT NULL,
  runtime_version TEXT NOT NULL,
  compute_major INTEGER NOT NULL,
  compute_minor INTEGER NOT NULL,
  multiprocessors INTEGER NOT NULL,
  memory_bytes INTEGER NOT NULL,
  l2_bytes INTEGER NOT NULL,
  shared_bytes_per_block INTEGER NOT NULL
);

-- Instrumented translation units that were registered.
CREATE TABLE unit(
  unit_id TEXT PRIMARY KEY,            -- 16 hexadecimal digits: hash of main file and tables
  main_file TEXT NOT NULL,
  rewriter_version TEXT NOT NULL,
  site_count INTEGER NOT NULL          -- sites in the unit's own table
) WITHOUT ROWID;

-- Source files that sites, launches and calls are in.
CREATE TABLE source_file(
  source_file_id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,                  -- as named on the command line or in #include
  absolute_path TEXT NOT NULL,
  text_hash TEXT NOT NULL,             -- FNV-1a 64 of the file's bytes, 16 hexadecimal digits
  UNIQUE(absolute_path, text_hash)
);

-- Functions with sites, and kernels. Names are qualified and without template arguments.
CREATE TABLE function(
  function_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  is_kernel INTEGER NOT NULL,          -- 1: __global__
  source_file_id INTEGER REFERENCES source_file,
  line INTEGER,                        -- of the kernel's declaration; NULL for other functions
  column INTEGER
);

-- One row per access expression in device code, instrumented or skipped. In a macro body: one per line
-- that expands it.
CREATE TABLE site(
  site_id INTEGER PRIMARY KEY,         -- stable over rebuilds: hash of function, expression and ordinal
  site_number INTEGER NOT NULL UNIQUE, -- dense, only for this trace: what access_chunk stores
  function TEXT NOT NULL,              -- qualified, without template arguments
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  column INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  end_column INTEGER NOT NULL,
  kind TEXT NOT NULL,                  -- load store rmw atomic copy
  space TEXT NOT NULL,                 -- global shared constant local; generic where only run time can tell
  type TEXT NOT NULL,                  -- accessed type as written
  bytes INTEGER NOT NULL,              -- per lane; 0: differs between template instantiations
  expression TEXT NOT NULL,
  base TEXT NOT NULL,                  -- the array or object
  index_expression TEXT NOT NULL,      -- '' where there is none
  status TEXT NOT NULL,                -- instrumented skipped
  reason TEXT NOT NULL,                -- why skipped
  macro TEXT NOT NULL,                 -- outermost macro whose body holds the access
  template_context TEXT NOT NULL,      -- instantiations seen: T=float | T=int
  loop_depth INTEGER NOT NULL,         -- enclosing loops in the function
  function_id INTEGER REFERENCES function,
  source_file_id INTEGER REFERENCES source_file
);
CREATE INDEX site_by_line ON site(file, line);

-- Kernel launches, in host order.
CREATE TABLE launch(
  launch_id INTEGER PRIMARY KEY,       -- 1, 2, …
  kernel TEXT NOT NULL,                -- as the compiler resolved it: scale<float, 32>
  grid_x INTEGER NOT NULL,
  grid_y INTEGER NOT NULL,
  grid_z INTEGER NOT NULL,
  block_x INTEGER NOT NULL,
  block_y INTEGER NOT NULL,
  block_z INTEGER NOT NULL,
  dynamic_shared_bytes INTEGER NOT NULL,
  device_id INTEGER NOT NULL,
  stream_id INTEGER NOT NULL,          -- the stream handle's value; 0: default stream
  host_begin_ns INTEGER NOT NULL,      -- the launch call …
  host_end_ns INTEGER,                 -- … returned; NULL: it never did
  gpu_begin_ns INTEGER,                -- execution interval, where known
  gpu_end_ns INTEGER,
  error INTEGER NOT NULL DEFAULT 0,    -- runtime error code of a refused launch
  error_name TEXT NOT NULL DEFAULT '',
  function_id INTEGER REFERENCES function, -- the kernel
  entered INTEGER NOT NULL DEFAULT 0,  -- 1: the kernel's first thread reported itself
  caller TEXT NOT NULL,                -- host function that launches
  file TEXT NOT NULL,                  -- of the launch expression
  line INTEGER NOT NULL,
  column INTEGER NOT NULL
);
CREATE INDEX launch_by_kernel ON launch(kernel);

-- Device memory: allocations, and file-scope variables (api __device__, __constant__).
CREATE TABLE allocation(
  allocation_id INTEGER PRIMARY KEY,
  api TEXT NOT NULL,                   -- cudaMalloc, …; __device__ or __constant__ for a variable
  address INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  name TEXT NOT NULL,                  -- the variable it was assigned to; '' if the source shows none
  type TEXT NOT NULL,                  -- element type
  element_bytes INTEGER NOT NULL,      -- 0: unknown
  space TEXT NOT NULL,                 -- global constant; generic: host memory the device may reach
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  allocated_ns INTEGER NOT NULL,
  freed_ns INTEGER,                    -- NULL: never freed
  freed_api TEXT,
  pitch INTEGER NOT NULL,              -- bytes per row of a pitched allocation, else 0
  device_id INTEGER NOT NULL,
  caller TEXT NOT NULL,                -- host function
  column INTEGER NOT NULL
);
CREATE INDEX allocation_by_address ON allocation(address);

-- __shared__ declarations.
CREATE TABLE shared_variable(
  shared_variable_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  function TEXT NOT NULL,              -- '' at file scope
  type TEXT NOT NULL,
  element_type TEXT NOT NULL,
  element_bytes INTEGER NOT NULL,      -- 0: depends on a template argument
  bytes INTEGER NOT NULL,              -- 0: dynamic, or depends on a template argument
  dynamic INTEGER NOT NULL,            -- 1: extern __shared__
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  column INTEGER NOT NULL,
  UNIQUE(file, line, column, name, function)
);

-- Where a launch's shared variables lay: the address is an offset in the block's shared window, as in
-- access.address of shared accesses.
CREATE TABLE launch_shared_variable(
  launch_id INTEGER NOT NULL,
  shared_variable_id INTEGER NOT NULL REFERENCES shared_variable,
  address INTEGER NOT NULL,
  bytes INTEGER NOT NULL,              -- dynamic arrays: what the launch asked for
  PRIMARY KEY(launch_id, shared_variable_id, address)
) WITHOUT ROWID;

-- Copies and fills by the runtime.
CREATE TABLE memory_operation(
  memory_operation_id INTEGER PRIMARY KEY,
  api TEXT NOT NULL,
  direction TEXT NOT NULL,             -- host_to_host host_to_device device_to_host device_to_device default set
  destination INTEGER NOT NULL,        -- address
  source INTEGER NOT NULL,             -- address; 0 for a fill
  bytes INTEGER NOT NULL,
  device_id INTEGER NOT NULL,
  stream_id INTEGER NOT NULL,
  begin_ns INTEGER NOT NULL,           -- the host call's interval
  end_ns INTEGER NOT NULL,
  error INTEGER NOT NULL,
  caller TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  column INTEGER NOT NULL
);

-- Waits of the host.
CREATE TABLE synchronization(
  synchronization_id INTEGER PRIMARY KEY,
  api TEXT NOT NULL,
  device_id INTEGER NOT NULL,
  stream_id INTEGER NOT NULL,
  begin_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  error INTEGER NOT NULL,
  caller TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  column INTEGER NOT NULL
);

-- Named intervals the user's program marks with NVTX; those with a parent were begun within it. NULL: not ended.
CREATE TABLE phase(
  phase_id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES phase,
  name TEXT NOT NULL,
  begin_ns INTEGER NOT NULL,
  end_ns INTEGER
);

-- Host call paths of launches and allocations. No recorder writes them yet: always empty.
CREATE TABLE call_frame(
  call_frame_id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES call_frame,
  function TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL
);

-- What each site did in each launch, exact for the whole trace whatever became of the single accesses.
-- docs/metrics.md defines the terms.
CREATE TABLE site_metric(
  launch_id INTEGER NOT NULL,
  site_id INTEGER NOT NULL REFERENCES site,
  requests INTEGER NOT NULL,           -- warp accesses
  thread_accesses INTEGER NOT NULL,    -- active lanes, summed
  bytes INTEGER NOT NULL,              -- lanes times size
  sectors INTEGER NOT NULL,            -- 32-byte sectors touched; global, local and generic space, else 0
  ideal_sectors INTEGER NOT NULL,
  wavefronts INTEGER NOT NULL,         -- passes through shared memory's banks; shared space, else 0
  ideal_wavefronts INTEGER NOT NULL,
  bank_conflicts INTEGER NOT NULL,     -- wavefronts - ideal_wavefronts
  min_address INTEGER NOT NULL,        -- lowest byte touched
  max_address INTEGER NOT NULL,        -- highest byte touched
  sector_requests INTEGER NOT NULL,    -- the requests counted in sectors
  wavefront_requests INTEGER NOT NULL, -- the requests counted in wavefronts
  useful_bytes INTEGER NOT NULL,       -- distinct bytes per request, summed, of the sector_requests
  PRIMARY KEY(launch_id, site_id)
) WITHOUT ROWID;
CREATE INDEX site_metric_by_site ON site_metric(site_id);

-- The device's own counts, taken independently of the records: what `cuinstrument validate` compares.
CREATE TABLE site_counter(
  launch_id INTEGER NOT NULL,
  site_id INTEGER NOT NULL REFERENCES site,
  requests INTEGER NOT NULL,
  thread_accesses INTEGER NOT NULL,
  PRIMARY KEY(launch_id, site_id)
) WITHOUT ROWID;

-- The accesses, compressed. Records of one launch, in sequence; the ranges allow to skip chunks.
CREATE TABLE access_chunk(
  access_chunk_id INTEGER PRIMARY KEY,
  launch_id INTEGER NOT NULL,
  first_sequence INTEGER NOT NULL,
  record_count INTEGER NOT NULL,
  min_site_number INTEGER NOT NULL,
  max_site_number INTEGER NOT NULL,
  min_block INTEGER NOT NULL,          -- linear block index
  max_block INTEGER NOT NULL,
  min_address INTEGER NOT NULL,        -- lowest and highest byte touched, over all spaces
  max_address INTEGER NOT NULL,
  codec_version INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE INDEX access_chunk_by_launch ON access_chunk(launch_id, first_sequence);

-- Anything a reader of the trace must know about its making. The store's own names: access_not_materialized,
-- unknown_free, unknown_access_size (info); malformed_record, unknown_site (data_loss); unknown_kernel,
-- unknown_shared_variable, unknown_variable, site_id_collision (error). The recorders add theirs.
CREATE TABLE trace_stat(
  name TEXT NOT NULL,
  severity TEXT NOT NULL,              -- info; data_loss: the trace lacks something; error
  value INTEGER NOT NULL,
  launch_id INTEGER,                   -- NULL: the whole trace
  detail TEXT NOT NULL
);
CREATE UNIQUE INDEX trace_stat_key ON trace_stat(name, severity, ifnull(launch_id, 0));
