-- A trace of schema version 2 with plain tables, as dumped by sqlite3.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta(
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO meta VALUES('backend','cpu');
INSERT INTO meta VALUES('begin_monotonic_ns','4286103359888');
INSERT INTO meta VALUES('begin_realtime_ns','1795267598828763030');
INSERT INTO meta VALUES('complete','1');
INSERT INTO meta VALUES('format_version','1');
INSERT INTO meta VALUES('materialized','1');
INSERT INTO meta VALUES('tool_version','0.1.0');
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
INSERT INTO process VALUES(3020,'/tmp/old/old','./old','/tmp/old','vm','cpu',4286103359888,4286113209488);
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
INSERT INTO device VALUES(0,'cuinstrument CPU backend','cpu','13.0','13.0',9,0,132,25276510208,62914560,49152);
CREATE TABLE unit(
  unit_id TEXT PRIMARY KEY,            -- 16 hexadecimal digits: hash of main file and tables
  main_file TEXT NOT NULL,
  rewriter_version TEXT NOT NULL,
  site_count INTEGER NOT NULL          -- sites in the unit's own table
) WITHOUT ROWID;
INSERT INTO unit VALUES('8f0364e327292a87','old.cu','0.1.0',5);
CREATE TABLE source_file(
  source_file_id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,                  -- as named on the command line or in #include
  absolute_path TEXT NOT NULL,
  text_hash TEXT NOT NULL,             -- FNV-1a 64 of the file's bytes, 16 hexadecimal digits
  UNIQUE(absolute_path, text_hash)
);
INSERT INTO source_file VALUES(1,'old.cu','/tmp/old/old.cu','7e977e4b20881fa2');
CREATE TABLE function(
  function_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  is_kernel INTEGER NOT NULL,          -- 1: __global__
  source_file_id INTEGER REFERENCES source_file,
  line INTEGER,                        -- of the kernel's declaration; NULL for other functions
  column INTEGER
);
INSERT INTO function VALUES(1,'gather',1,1,2,17);
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
INSERT INTO site VALUES(2677252760410467761,4,'gather','old.cu',7,23,7,45,'load','shared','float',4,'tile[31 - threadIdx.x]','tile','31 - threadIdx.x','instrumented','','','',0,1,1);
INSERT INTO site VALUES(3796109647240214747,3,'gather','old.cu',7,14,7,20,'store','generic','float',4,'out[i]','out','i','instrumented','','','',0,1,1);
INSERT INTO site VALUES(7201897712187332623,2,'gather','old.cu',5,37,5,45,'load','generic','int',4,'index[i]','index','i','instrumented','','','',0,1,1);
INSERT INTO site VALUES(7771767342630127626,0,'gather','old.cu',5,14,5,31,'store','shared','float',4,'tile[threadIdx.x]','tile','threadIdx.x','instrumented','','','',0,1,1);
INSERT INTO site VALUES(8582776772088492492,1,'gather','old.cu',5,34,5,46,'load','generic','float',4,'in[index[i]]','in','index[i]','instrumented','','','',0,1,1);
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
INSERT INTO launch VALUES(1,'gather',1,1,1,32,1,1,0,0,0,4286112289648,4286112546571,4286112307625,4286112543607,0,'',1,1,'main','old.cu',20,3);
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
INSERT INTO allocation VALUES(1,'cudaMalloc',139088220913664,128,'in','float',4,'global','old.cu',13,4286105913506,4286112548143,'cudaFree',0,0,'main',3);
INSERT INTO allocation VALUES(2,'cudaMalloc',139088220921856,128,'out','float',4,'global','old.cu',14,4286105918790,NULL,NULL,0,0,'main',3);
INSERT INTO allocation VALUES(3,'cudaMalloc',139088220930048,128,'index','int',4,'global','old.cu',15,4286105927485,NULL,NULL,0,0,'main',3);
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
INSERT INTO shared_variable VALUES(1,'tile','gather','float[32]','float',4,128,0,'old.cu',3,20);
CREATE TABLE launch_shared_variable(
  launch_id INTEGER NOT NULL,
  shared_variable_id INTEGER NOT NULL REFERENCES shared_variable,
  address INTEGER NOT NULL,
  bytes INTEGER NOT NULL,              -- dynamic arrays: what the launch asked for
  PRIMARY KEY(launch_id, shared_variable_id, address)
) WITHOUT ROWID;
INSERT INTO launch_shared_variable VALUES(1,1,0,128);
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
INSERT INTO memory_operation VALUES(1,'cudaMemcpy','host_to_device',139088220930048,140720902901792,128,0,0,4286105927612,4286105932608,0,'main','old.cu',18,3);
INSERT INTO memory_operation VALUES(2,'cudaMemset','set',139088220913664,0,128,0,0,4286112266458,4286112269801,0,'main','old.cu',19,3);
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
INSERT INTO synchronization VALUES(1,'cudaDeviceSynchronize',0,0,4286112546878,4286112547167,0,'main','old.cu',21,3);
CREATE TABLE phase(
  phase_id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES phase,
  name TEXT NOT NULL,
  begin_ns INTEGER NOT NULL,
  end_ns INTEGER
);
CREATE TABLE call_frame(
  call_frame_id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES call_frame,
  function TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL
);
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
INSERT INTO site_metric VALUES(1,2677252760410467761,1,32,128,0,0,1,1,0,0,127,0,1,0);
INSERT INTO site_metric VALUES(1,3796109647240214747,1,32,128,4,4,0,0,0,139088220921856,139088220921983,1,0,128);
INSERT INTO site_metric VALUES(1,7201897712187332623,1,32,128,4,4,0,0,0,139088220930048,139088220930175,1,0,128);
INSERT INTO site_metric VALUES(1,7771767342630127626,1,32,128,0,0,1,1,0,0,127,0,1,0);
INSERT INTO site_metric VALUES(1,8582776772088492492,1,32,128,4,4,0,0,0,139088220913664,139088220913791,1,0,128);
CREATE TABLE site_counter(
  launch_id INTEGER NOT NULL,
  site_id INTEGER NOT NULL REFERENCES site,
  requests INTEGER NOT NULL,
  thread_accesses INTEGER NOT NULL,
  PRIMARY KEY(launch_id, site_id)
) WITHOUT ROWID;
INSERT INTO site_counter VALUES(1,2677252760410467761,1,32);
INSERT INTO site_counter VALUES(1,3796109647240214747,1,32);
INSERT INTO site_counter VALUES(1,7201897712187332623,1,32);
INSERT INTO site_counter VALUES(1,7771767342630127626,1,32);
INSERT INTO site_counter VALUES(1,8582776772088492492,1,32);
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
INSERT INTO access_chunk VALUES(1,1,0,5,0,4,0,0,0,139088220930175,1,X'01080500000012000000050000001200000005000000120000000500000012000000170000002400000028000000310000002100000025000000800200004300000028b52ffd24052900000201000403b4c4b97d28b52ffd24052900000002020202bafc134628b52ffd2405290000000000000048c6a8b728b52ffd24052900006060206060a9a15b2328b52ffd2417b900008080828080a03f8080808080a03ff8018080818080a03f2161375e28b52ffd2428250100e0ffffffff0f900408ffffffff0f940400a0040807ffffffff0f90040802002087b56509b668832928b52ffd2421c500007802000a350a350a350a350a0a0a0a0a041000810f1b6e876025a4d128b52ffd648001ad0100e2070b0710f8cc01132353b3537faebc38f0edd6a3333f2ebc3bf6e9ce93137fd75e1dfa72e3c1b95f97de1cf9f0010100febf0aa2c1a476cf');
CREATE TABLE trace_stat(
  name TEXT NOT NULL,
  severity TEXT NOT NULL,              -- info; data_loss: the trace lacks something; error
  value INTEGER NOT NULL,
  launch_id INTEGER,                   -- NULL: the whole trace
  detail TEXT NOT NULL
);
CREATE TABLE access(
  launch_id INTEGER NOT NULL,
  sequence INTEGER NOT NULL,           -- 0, 1, … in each launch, in order of arrival
  site_id INTEGER NOT NULL,
  block_x INTEGER NOT NULL,
  block_y INTEGER NOT NULL,
  block_z INTEGER NOT NULL,
  warp INTEGER NOT NULL,               -- in the block: linear thread index / 32
  active_mask INTEGER NOT NULL,        -- bit i: lane i took part
  address INTEGER NOT NULL,            -- the lowest active lane's; shared: offset in the shared window
  stride INTEGER,                      -- bytes from lane to lane; NULL: the lanes are not affine
  bytes INTEGER NOT NULL,              -- per lane
  kind TEXT NOT NULL,                  -- load store rmw atomic copy
  space TEXT NOT NULL,                 -- as seen at run time: global shared constant local generic
  first_lane INTEGER NOT NULL,         -- the lowest active lane
  PRIMARY KEY(launch_id, sequence)
) WITHOUT ROWID;
INSERT INTO access VALUES(1,0,7201897712187332623,0,0,0,0,4294967295,139088220930048,4,4,'load','global',0);
INSERT INTO access VALUES(1,1,8582776772088492492,0,0,0,0,4294967295,139088220913664,NULL,4,'load','global',0);
INSERT INTO access VALUES(1,2,7771767342630127626,0,0,0,0,4294967295,0,4,4,'store','shared',0);
INSERT INTO access VALUES(1,3,2677252760410467761,0,0,0,0,4294967295,124,-4,4,'load','shared',0);
INSERT INTO access VALUES(1,4,3796109647240214747,0,0,0,0,4294967295,139088220921856,4,4,'store','global',0);
CREATE TABLE access_lane_detail(
  launch_id INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  address INTEGER NOT NULL,
  value,                               -- number where the site's type is arithmetic, else the bytes
  PRIMARY KEY(launch_id, sequence, lane)
) WITHOUT ROWID;
INSERT INTO access_lane_detail VALUES(1,0,0,139088220930048,0);
INSERT INTO access_lane_detail VALUES(1,0,1,139088220930052,5);
INSERT INTO access_lane_detail VALUES(1,0,2,139088220930056,10);
INSERT INTO access_lane_detail VALUES(1,0,3,139088220930060,15);
INSERT INTO access_lane_detail VALUES(1,0,4,139088220930064,20);
INSERT INTO access_lane_detail VALUES(1,0,5,139088220930068,25);
INSERT INTO access_lane_detail VALUES(1,0,6,139088220930072,30);
INSERT INTO access_lane_detail VALUES(1,0,7,139088220930076,3);
INSERT INTO access_lane_detail VALUES(1,0,8,139088220930080,8);
INSERT INTO access_lane_detail VALUES(1,0,9,139088220930084,13);
INSERT INTO access_lane_detail VALUES(1,0,10,139088220930088,18);
INSERT INTO access_lane_detail VALUES(1,0,11,139088220930092,23);
INSERT INTO access_lane_detail VALUES(1,0,12,139088220930096,28);
INSERT INTO access_lane_detail VALUES(1,0,13,139088220930100,1);
INSERT INTO access_lane_detail VALUES(1,0,14,139088220930104,6);
INSERT INTO access_lane_detail VALUES(1,0,15,139088220930108,11);
INSERT INTO access_lane_detail VALUES(1,0,16,139088220930112,16);
INSERT INTO access_lane_detail VALUES(1,0,17,139088220930116,21);
INSERT INTO access_lane_detail VALUES(1,0,18,139088220930120,26);
INSERT INTO access_lane_detail VALUES(1,0,19,139088220930124,31);
INSERT INTO access_lane_detail VALUES(1,0,20,139088220930128,4);
INSERT INTO access_lane_detail VALUES(1,0,21,139088220930132,9);
INSERT INTO access_lane_detail VALUES(1,0,22,139088220930136,14);
INSERT INTO access_lane_detail VALUES(1,0,23,139088220930140,19);
INSERT INTO access_lane_detail VALUES(1,0,24,139088220930144,24);
INSERT INTO access_lane_detail VALUES(1,0,25,139088220930148,29);
INSERT INTO access_lane_detail VALUES(1,0,26,139088220930152,2);
INSERT INTO access_lane_detail VALUES(1,0,27,139088220930156,7);
INSERT INTO access_lane_detail VALUES(1,0,28,139088220930160,12);
INSERT INTO access_lane_detail VALUES(1,0,29,139088220930164,17);
INSERT INTO access_lane_detail VALUES(1,0,30,139088220930168,22);
INSERT INTO access_lane_detail VALUES(1,0,31,139088220930172,27);
INSERT INTO access_lane_detail VALUES(1,1,0,139088220913664,0.0);
INSERT INTO access_lane_detail VALUES(1,1,1,139088220913684,0.0);
INSERT INTO access_lane_detail VALUES(1,1,2,139088220913704,0.0);
INSERT INTO access_lane_detail VALUES(1,1,3,139088220913724,0.0);
INSERT INTO access_lane_detail VALUES(1,1,4,139088220913744,0.0);
INSERT INTO access_lane_detail VALUES(1,1,5,139088220913764,0.0);
INSERT INTO access_lane_detail VALUES(1,1,6,139088220913784,0.0);
INSERT INTO access_lane_detail VALUES(1,1,7,139088220913676,0.0);
INSERT INTO access_lane_detail VALUES(1,1,8,139088220913696,0.0);
INSERT INTO access_lane_detail VALUES(1,1,9,139088220913716,0.0);
INSERT INTO access_lane_detail VALUES(1,1,10,139088220913736,0.0);
INSERT INTO access_lane_detail VALUES(1,1,11,139088220913756,0.0);
INSERT INTO access_lane_detail VALUES(1,1,12,139088220913776,0.0);
INSERT INTO access_lane_detail VALUES(1,1,13,139088220913668,0.0);
INSERT INTO access_lane_detail VALUES(1,1,14,139088220913688,0.0);
INSERT INTO access_lane_detail VALUES(1,1,15,139088220913708,0.0);
INSERT INTO access_lane_detail VALUES(1,1,16,139088220913728,0.0);
INSERT INTO access_lane_detail VALUES(1,1,17,139088220913748,0.0);
INSERT INTO access_lane_detail VALUES(1,1,18,139088220913768,0.0);
INSERT INTO access_lane_detail VALUES(1,1,19,139088220913788,0.0);
INSERT INTO access_lane_detail VALUES(1,1,20,139088220913680,0.0);
INSERT INTO access_lane_detail VALUES(1,1,21,139088220913700,0.0);
INSERT INTO access_lane_detail VALUES(1,1,22,139088220913720,0.0);
INSERT INTO access_lane_detail VALUES(1,1,23,139088220913740,0.0);
INSERT INTO access_lane_detail VALUES(1,1,24,139088220913760,0.0);
INSERT INTO access_lane_detail VALUES(1,1,25,139088220913780,0.0);
INSERT INTO access_lane_detail VALUES(1,1,26,139088220913672,0.0);
INSERT INTO access_lane_detail VALUES(1,1,27,139088220913692,0.0);
INSERT INTO access_lane_detail VALUES(1,1,28,139088220913712,0.0);
INSERT INTO access_lane_detail VALUES(1,1,29,139088220913732,0.0);
INSERT INTO access_lane_detail VALUES(1,1,30,139088220913752,0.0);
INSERT INTO access_lane_detail VALUES(1,1,31,139088220913772,0.0);
INSERT INTO access_lane_detail VALUES(1,2,0,0,0.0);
INSERT INTO access_lane_detail VALUES(1,2,1,4,0.0);
INSERT INTO access_lane_detail VALUES(1,2,2,8,0.0);
INSERT INTO access_lane_detail VALUES(1,2,3,12,0.0);
INSERT INTO access_lane_detail VALUES(1,2,4,16,0.0);
INSERT INTO access_lane_detail VALUES(1,2,5,20,0.0);
INSERT INTO access_lane_detail VALUES(1,2,6,24,0.0);
INSERT INTO access_lane_detail VALUES(1,2,7,28,0.0);
INSERT INTO access_lane_detail VALUES(1,2,8,32,0.0);
INSERT INTO access_lane_detail VALUES(1,2,9,36,0.0);
INSERT INTO access_lane_detail VALUES(1,2,10,40,0.0);
INSERT INTO access_lane_detail VALUES(1,2,11,44,0.0);
INSERT INTO access_lane_detail VALUES(1,2,12,48,0.0);
INSERT INTO access_lane_detail VALUES(1,2,13,52,0.0);
INSERT INTO access_lane_detail VALUES(1,2,14,56,0.0);
INSERT INTO access_lane_detail VALUES(1,2,15,60,0.0);
INSERT INTO access_lane_detail VALUES(1,2,16,64,0.0);
INSERT INTO access_lane_detail VALUES(1,2,17,68,0.0);
INSERT INTO access_lane_detail VALUES(1,2,18,72,0.0);
INSERT INTO access_lane_detail VALUES(1,2,19,76,0.0);
INSERT INTO access_lane_detail VALUES(1,2,20,80,0.0);
INSERT INTO access_lane_detail VALUES(1,2,21,84,0.0);
INSERT INTO access_lane_detail VALUES(1,2,22,88,0.0);
INSERT INTO access_lane_detail VALUES(1,2,23,92,0.0);
INSERT INTO access_lane_detail VALUES(1,2,24,96,0.0);
INSERT INTO access_lane_detail VALUES(1,2,25,100,0.0);
INSERT INTO access_lane_detail VALUES(1,2,26,104,0.0);
INSERT INTO access_lane_detail VALUES(1,2,27,108,0.0);
INSERT INTO access_lane_detail VALUES(1,2,28,112,0.0);
INSERT INTO access_lane_detail VALUES(1,2,29,116,0.0);
INSERT INTO access_lane_detail VALUES(1,2,30,120,0.0);
INSERT INTO access_lane_detail VALUES(1,2,31,124,0.0);
INSERT INTO access_lane_detail VALUES(1,3,0,124,0.0);
INSERT INTO access_lane_detail VALUES(1,3,1,120,0.0);
INSERT INTO access_lane_detail VALUES(1,3,2,116,0.0);
INSERT INTO access_lane_detail VALUES(1,3,3,112,0.0);
INSERT INTO access_lane_detail VALUES(1,3,4,108,0.0);
INSERT INTO access_lane_detail VALUES(1,3,5,104,0.0);
INSERT INTO access_lane_detail VALUES(1,3,6,100,0.0);
INSERT INTO access_lane_detail VALUES(1,3,7,96,0.0);
INSERT INTO access_lane_detail VALUES(1,3,8,92,0.0);
INSERT INTO access_lane_detail VALUES(1,3,9,88,0.0);
INSERT INTO access_lane_detail VALUES(1,3,10,84,0.0);
INSERT INTO access_lane_detail VALUES(1,3,11,80,0.0);
INSERT INTO access_lane_detail VALUES(1,3,12,76,0.0);
INSERT INTO access_lane_detail VALUES(1,3,13,72,0.0);
INSERT INTO access_lane_detail VALUES(1,3,14,68,0.0);
INSERT INTO access_lane_detail VALUES(1,3,15,64,0.0);
INSERT INTO access_lane_detail VALUES(1,3,16,60,0.0);
INSERT INTO access_lane_detail VALUES(1,3,17,56,0.0);
INSERT INTO access_lane_detail VALUES(1,3,18,52,0.0);
INSERT INTO access_lane_detail VALUES(1,3,19,48,0.0);
INSERT INTO access_lane_detail VALUES(1,3,20,44,0.0);
INSERT INTO access_lane_detail VALUES(1,3,21,40,0.0);
INSERT INTO access_lane_detail VALUES(1,3,22,36,0.0);
INSERT INTO access_lane_detail VALUES(1,3,23,32,0.0);
INSERT INTO access_lane_detail VALUES(1,3,24,28,0.0);
INSERT INTO access_lane_detail VALUES(1,3,25,24,0.0);
INSERT INTO access_lane_detail VALUES(1,3,26,20,0.0);
INSERT INTO access_lane_detail VALUES(1,3,27,16,0.0);
INSERT INTO access_lane_detail VALUES(1,3,28,12,0.0);
INSERT INTO access_lane_detail VALUES(1,3,29,8,0.0);
INSERT INTO access_lane_detail VALUES(1,3,30,4,0.0);
INSERT INTO access_lane_detail VALUES(1,3,31,0,0.0);
INSERT INTO access_lane_detail VALUES(1,4,0,139088220921856,0.0);
INSERT INTO access_lane_detail VALUES(1,4,1,139088220921860,0.0);
INSERT INTO access_lane_detail VALUES(1,4,2,139088220921864,0.0);
INSERT INTO access_lane_detail VALUES(1,4,3,139088220921868,0.0);
INSERT INTO access_lane_detail VALUES(1,4,4,139088220921872,0.0);
INSERT INTO access_lane_detail VALUES(1,4,5,139088220921876,0.0);
INSERT INTO access_lane_detail VALUES(1,4,6,139088220921880,0.0);
INSERT INTO access_lane_detail VALUES(1,4,7,139088220921884,0.0);
INSERT INTO access_lane_detail VALUES(1,4,8,139088220921888,0.0);
INSERT INTO access_lane_detail VALUES(1,4,9,139088220921892,0.0);
INSERT INTO access_lane_detail VALUES(1,4,10,139088220921896,0.0);
INSERT INTO access_lane_detail VALUES(1,4,11,139088220921900,0.0);
INSERT INTO access_lane_detail VALUES(1,4,12,139088220921904,0.0);
INSERT INTO access_lane_detail VALUES(1,4,13,139088220921908,0.0);
INSERT INTO access_lane_detail VALUES(1,4,14,139088220921912,0.0);
INSERT INTO access_lane_detail VALUES(1,4,15,139088220921916,0.0);
INSERT INTO access_lane_detail VALUES(1,4,16,139088220921920,0.0);
INSERT INTO access_lane_detail VALUES(1,4,17,139088220921924,0.0);
INSERT INTO access_lane_detail VALUES(1,4,18,139088220921928,0.0);
INSERT INTO access_lane_detail VALUES(1,4,19,139088220921932,0.0);
INSERT INTO access_lane_detail VALUES(1,4,20,139088220921936,0.0);
INSERT INTO access_lane_detail VALUES(1,4,21,139088220921940,0.0);
INSERT INTO access_lane_detail VALUES(1,4,22,139088220921944,0.0);
INSERT INTO access_lane_detail VALUES(1,4,23,139088220921948,0.0);
INSERT INTO access_lane_detail VALUES(1,4,24,139088220921952,0.0);
INSERT INTO access_lane_detail VALUES(1,4,25,139088220921956,0.0);
INSERT INTO access_lane_detail VALUES(1,4,26,139088220921960,0.0);
INSERT INTO access_lane_detail VALUES(1,4,27,139088220921964,0.0);
INSERT INTO access_lane_detail VALUES(1,4,28,139088220921968,0.0);
INSERT INTO access_lane_detail VALUES(1,4,29,139088220921972,0.0);
INSERT INTO access_lane_detail VALUES(1,4,30,139088220921976,0.0);
INSERT INTO access_lane_detail VALUES(1,4,31,139088220921980,0.0);
CREATE TABLE lane(lane INTEGER PRIMARY KEY);
INSERT INTO lane VALUES(0);
INSERT INTO lane VALUES(1);
INSERT INTO lane VALUES(2);
INSERT INTO lane VALUES(3);
INSERT INTO lane VALUES(4);
INSERT INTO lane VALUES(5);
INSERT INTO lane VALUES(6);
INSERT INTO lane VALUES(7);
INSERT INTO lane VALUES(8);
INSERT INTO lane VALUES(9);
INSERT INTO lane VALUES(10);
INSERT INTO lane VALUES(11);
INSERT INTO lane VALUES(12);
INSERT INTO lane VALUES(13);
INSERT INTO lane VALUES(14);
INSERT INTO lane VALUES(15);
INSERT INTO lane VALUES(16);
INSERT INTO lane VALUES(17);
INSERT INTO lane VALUES(18);
INSERT INTO lane VALUES(19);
INSERT INTO lane VALUES(20);
INSERT INTO lane VALUES(21);
INSERT INTO lane VALUES(22);
INSERT INTO lane VALUES(23);
INSERT INTO lane VALUES(24);
INSERT INTO lane VALUES(25);
INSERT INTO lane VALUES(26);
INSERT INTO lane VALUES(27);
INSERT INTO lane VALUES(28);
INSERT INTO lane VALUES(29);
INSERT INTO lane VALUES(30);
INSERT INTO lane VALUES(31);
CREATE INDEX site_by_line ON site(file, line);
CREATE INDEX launch_by_kernel ON launch(kernel);
CREATE INDEX allocation_by_address ON allocation(address);
CREATE INDEX site_metric_by_site ON site_metric(site_id);
CREATE INDEX access_chunk_by_launch ON access_chunk(launch_id, first_sequence);
CREATE UNIQUE INDEX trace_stat_key ON trace_stat(name, severity, ifnull(launch_id, 0));
CREATE VIEW site_summary AS
SELECT s.site_id, s.function, s.file, s.line, s.column, s.expression, s.base, s.kind, s.space, s.type,
       s.bytes AS bytes_per_lane,
       count(m.launch_id) AS launches,
       ifnull(sum(m.requests), 0) AS requests,
       ifnull(sum(m.thread_accesses), 0) AS thread_accesses,
       ifnull(sum(m.bytes), 0) AS bytes,
       ifnull(sum(m.sectors), 0) AS sectors,
       ifnull(sum(m.ideal_sectors), 0) AS ideal_sectors,
       ifnull(sum(m.sectors - m.ideal_sectors), 0) AS excessive_sectors,
       sum(m.sectors) * 1.0 / nullif(sum(m.sector_requests), 0) AS sectors_per_request,
       sum(m.ideal_sectors) * 1.0 / nullif(sum(m.sector_requests), 0) AS ideal_sectors_per_request,
       sum(m.useful_bytes) * 1.0 / nullif(sum(m.sectors), 0) AS bytes_per_sector,
       ifnull(sum(m.wavefronts), 0) AS wavefronts,
       ifnull(sum(m.ideal_wavefronts), 0) AS ideal_wavefronts,
       ifnull(sum(m.wavefronts - m.ideal_wavefronts), 0) AS excessive_wavefronts,
       sum(m.wavefronts) * 1.0 / nullif(sum(m.wavefront_requests), 0) AS wavefronts_per_request,
       ifnull(sum(m.bank_conflicts), 0) AS bank_conflicts,
       sum(m.thread_accesses) * 1.0 / nullif(sum(m.requests), 0) AS avg_active_threads,
       min(m.min_address) AS min_address,
       max(m.max_address) AS max_address,
       ifnull(sum(m.sectors + 4 * m.wavefronts), 0) AS cost -- in sectors; a wavefront moves 128 bytes = 4
FROM site s LEFT JOIN site_metric m USING(site_id)
WHERE s.status = 'instrumented'
GROUP BY s.site_id
;
CREATE VIEW hot_site AS
SELECT site_id, function, file, line, column, expression, base, kind, space, requests,
       sectors_per_request, ideal_sectors_per_request, sectors, ideal_sectors, excessive_sectors,
       wavefronts_per_request, wavefronts, ideal_wavefronts, excessive_wavefronts, bank_conflicts,
       bytes, bytes_per_sector, avg_active_threads, cost,
       cost * 1.0 / nullif((SELECT sum(sectors + 4 * wavefronts) FROM site_metric), 0) AS share
FROM site_summary
WHERE requests > 0
ORDER BY cost DESC, file, line, column, site_id;
CREATE VIEW hot_line AS
SELECT file, line, group_concat(DISTINCT function) AS functions, count(*) AS sites,
       sum(requests) AS requests,
       sum(sectors) AS sectors, sum(ideal_sectors) AS ideal_sectors,
       sum(excessive_sectors) AS excessive_sectors,
       sum(bank_conflicts) AS bank_conflicts, sum(bytes) AS bytes,
       sum(cost) AS cost, sum(share) AS share
FROM hot_site
GROUP BY file, line
ORDER BY cost DESC, file, line;
CREATE VIEW launch_summary AS
SELECT l.launch_id, l.kernel, l.file, l.line,
       l.grid_x * l.grid_y * l.grid_z AS blocks,
       l.block_x * l.block_y * l.block_z AS threads_per_block,
       l.dynamic_shared_bytes, l.device_id, l.stream_id, l.error, l.error_name,
       l.host_end_ns - l.host_begin_ns AS host_ns,
       l.gpu_end_ns - l.gpu_begin_ns AS gpu_ns,
       count(m.site_id) AS sites,
       ifnull(sum(m.requests), 0) AS requests,
       ifnull(sum(m.thread_accesses), 0) AS thread_accesses,
       ifnull(sum(m.bytes), 0) AS bytes,
       ifnull(sum(m.sectors), 0) AS sectors,
       ifnull(sum(m.ideal_sectors), 0) AS ideal_sectors,
       ifnull(sum(m.sectors - m.ideal_sectors), 0) AS excessive_sectors,
       sum(m.sectors) * 1.0 / nullif(sum(m.sector_requests), 0) AS sectors_per_request,
       ifnull(sum(m.wavefronts), 0) AS wavefronts,
       ifnull(sum(m.wavefronts - m.ideal_wavefronts), 0) AS excessive_wavefronts,
       ifnull(sum(m.bank_conflicts), 0) AS bank_conflicts,
       sum(m.thread_accesses) * 1.0 / nullif(sum(m.requests), 0) AS avg_active_threads,
       ifnull(sum(m.sectors + 4 * m.wavefronts), 0) AS cost
FROM launch l LEFT JOIN site_metric m USING(launch_id)
GROUP BY l.launch_id;
CREATE VIEW site_allocation AS
SELECT m.launch_id, m.site_id, a.allocation_id, a.name
FROM site_metric m
JOIN launch l USING(launch_id)
JOIN allocation a ON a.allocation_id = (
  SELECT b.allocation_id FROM allocation b -- live allocations do not overlap: the nearest one below, if any
  WHERE b.address <= m.min_address AND b.allocated_ns <= l.host_begin_ns
    AND (b.freed_ns IS NULL OR b.freed_ns >= l.host_begin_ns)
  ORDER BY b.address DESC LIMIT 1) AND m.max_address < a.address + a.bytes
WHERE m.sector_requests > 0 AND m.wavefront_requests = 0
;
CREATE VIEW allocation_summary AS
SELECT a.allocation_id, a.api, a.name, a.type, a.element_bytes, a.bytes, a.address, a.space, a.file, a.line,
       a.allocated_ns, a.freed_ns, a.freed_ns - a.allocated_ns AS life_ns,
       a.freed_ns IS NULL AND a.api NOT IN ('__device__', '__constant__') AS leaked,
       count(t.site_id) AS site_launches,
       ifnull(sum(m.requests), 0) AS requests,
       ifnull(sum(CASE WHEN s.kind = 'load' THEN m.bytes END), 0) AS loaded_bytes,
       ifnull(sum(CASE WHEN s.kind <> 'load' THEN m.bytes END), 0) AS stored_bytes,
       ifnull(sum(m.sectors), 0) AS sectors,
       ifnull(sum(m.sectors - m.ideal_sectors), 0) AS excessive_sectors
FROM allocation a
LEFT JOIN site_allocation t USING(allocation_id)
LEFT JOIN site_metric m ON m.launch_id = t.launch_id AND m.site_id = t.site_id
LEFT JOIN site s ON s.site_id = t.site_id
GROUP BY a.allocation_id;
CREATE VIEW access_lane AS
SELECT a.launch_id, a.sequence, n.lane,
       (a.warp * 32 + n.lane) % l.block_x AS thread_x,
       (a.warp * 32 + n.lane) / l.block_x % l.block_y AS thread_y,
       (a.warp * 32 + n.lane) / (l.block_x * l.block_y) AS thread_z,
       ifnull(d.address, a.address + a.stride * (n.lane - a.first_lane)) AS address,
       d.value
FROM access a
CROSS JOIN lane n ON (a.active_mask >> n.lane) & 1 -- CROSS: never the lanes in the outer loop
JOIN launch l ON l.launch_id = a.launch_id
LEFT JOIN access_lane_detail d ON d.launch_id = a.launch_id AND d.sequence = a.sequence AND d.lane = n.lane
;
CREATE INDEX access_by_site ON access(site_id, launch_id, sequence);
COMMIT;
PRAGMA application_id = 0x63756954;
PRAGMA user_version = 2;
