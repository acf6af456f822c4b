-- A trace of schema version 2 without plain tables, as dumped by sqlite3.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta(
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO meta VALUES('backend','cpu');
INSERT INTO meta VALUES('begin_monotonic_ns','4180398563579');
INSERT INTO meta VALUES('begin_realtime_ns','1795267493123966722');
INSERT INTO meta VALUES('complete','1');
INSERT INTO meta VALUES('format_version','1');
INSERT INTO meta VALUES('materialized','0');
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
INSERT INTO process VALUES(31629,'/tmp/old/old','./old','/tmp/old','vm','cpu',4180398563579,4180422896573);
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
INSERT INTO unit VALUES('b987d4fd199d2da9','old.cu','0.1.0',5);
CREATE TABLE source_file(
  source_file_id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,                  -- as named on the command line or in #include
  absolute_path TEXT NOT NULL,
  text_hash TEXT NOT NULL,             -- FNV-1a 64 of the file's bytes, 16 hexadecimal digits
  UNIQUE(absolute_path, text_hash)
);
INSERT INTO source_file VALUES(1,'old.cu','/tmp/old/old.cu','20a08576db3acd02');
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
INSERT INTO site VALUES(3796109647240214747,3,'gather','old.cu',7,14,7,20,'store','generic','float',4,'out[i]','out','i','instrumented','','','',0,1,1);
INSERT INTO site VALUES(7201897712187332623,2,'gather','old.cu',5,37,5,45,'load','generic','int',4,'index[i]','index','i','instrumented','','','',0,1,1);
INSERT INTO site VALUES(7382985860188298779,4,'gather','old.cu',7,23,7,45,'load','shared','float',4,'tile[63 - threadIdx.x]','tile','63 - threadIdx.x','instrumented','','','',0,1,1);
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
INSERT INTO launch VALUES(1,'gather',4,1,1,64,1,1,0,0,0,4180421816891,4180422260584,4180421837536,4180422257816,0,'',1,1,'main','old.cu',20,3);
INSERT INTO launch VALUES(2,'gather',2,1,1,64,1,1,0,0,0,4180422261249,4180422278735,4180422261995,4180422278008,0,'',1,1,'main','old.cu',21,3);
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
INSERT INTO allocation VALUES(1,'cudaMalloc',139088220913664,1024,'in','float',4,'global','old.cu',13,4180404958905,4180422279864,'cudaFree',0,0,'main',3);
INSERT INTO allocation VALUES(2,'cudaMalloc',139088220921856,1024,'out','float',4,'global','old.cu',14,4180404964171,NULL,NULL,0,0,'main',3);
INSERT INTO allocation VALUES(3,'cudaMalloc',139088220930048,1024,'index','int',4,'global','old.cu',15,4180404971036,NULL,NULL,0,0,'main',3);
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
INSERT INTO shared_variable VALUES(1,'tile','gather','float[64]','float',4,256,0,'old.cu',3,20);
CREATE TABLE launch_shared_variable(
  launch_id INTEGER NOT NULL,
  shared_variable_id INTEGER NOT NULL REFERENCES shared_variable,
  address INTEGER NOT NULL,
  bytes INTEGER NOT NULL,              -- dynamic arrays: what the launch asked for
  PRIMARY KEY(launch_id, shared_variable_id, address)
) WITHOUT ROWID;
INSERT INTO launch_shared_variable VALUES(1,1,0,256);
INSERT INTO launch_shared_variable VALUES(2,1,0,256);
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
INSERT INTO memory_operation VALUES(1,'cudaMemcpy','host_to_device',139088220930048,140736045737264,1024,0,0,4180404971207,4180404975790,0,'main','old.cu',18,3);
INSERT INTO memory_operation VALUES(2,'cudaMemset','set',139088220913664,0,1024,0,0,4180421812428,4180421815287,0,'main','old.cu',19,3);
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
INSERT INTO synchronization VALUES(1,'cudaDeviceSynchronize',0,0,4180422278957,4180422279272,0,'main','old.cu',22,3);
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
INSERT INTO site_metric VALUES(1,3796109647240214747,8,256,1024,32,32,0,0,0,139088220921856,139088220922879,8,0,1024);
INSERT INTO site_metric VALUES(1,7201897712187332623,8,256,1024,32,32,0,0,0,139088220930048,139088220931071,8,0,1024);
INSERT INTO site_metric VALUES(1,7382985860188298779,8,256,1024,0,0,8,8,0,0,255,0,8,0);
INSERT INTO site_metric VALUES(1,7771767342630127626,8,256,1024,0,0,8,8,0,0,255,0,8,0);
INSERT INTO site_metric VALUES(1,8582776772088492492,8,256,1024,128,32,0,0,0,139088220913664,139088220914687,8,0,1024);
INSERT INTO site_metric VALUES(2,3796109647240214747,4,128,512,16,16,0,0,0,139088220921856,139088220922367,4,0,512);
INSERT INTO site_metric VALUES(2,7201897712187332623,4,128,512,16,16,0,0,0,139088220930048,139088220930559,4,0,512);
INSERT INTO site_metric VALUES(2,7382985860188298779,4,128,512,0,0,4,4,0,0,255,0,4,0);
INSERT INTO site_metric VALUES(2,7771767342630127626,4,128,512,0,0,4,4,0,0,255,0,4,0);
INSERT INTO site_metric VALUES(2,8582776772088492492,4,128,512,64,16,0,0,0,139088220913664,139088220914687,4,0,512);
CREATE TABLE site_counter(
  launch_id INTEGER NOT NULL,
  site_id INTEGER NOT NULL REFERENCES site,
  requests INTEGER NOT NULL,
  thread_accesses INTEGER NOT NULL,
  PRIMARY KEY(launch_id, site_id)
) WITHOUT ROWID;
INSERT INTO site_counter VALUES(1,3796109647240214747,8,256);
INSERT INTO site_counter VALUES(1,7201897712187332623,8,256);
INSERT INTO site_counter VALUES(1,7382985860188298779,8,256);
INSERT INTO site_counter VALUES(1,7771767342630127626,8,256);
INSERT INTO site_counter VALUES(1,8582776772088492492,8,256);
INSERT INTO site_counter VALUES(2,3796109647240214747,4,128);
INSERT INTO site_counter VALUES(2,7201897712187332623,4,128);
INSERT INTO site_counter VALUES(2,7382985860188298779,4,128);
INSERT INTO site_counter VALUES(2,7771767342630127626,4,128);
INSERT INTO site_counter VALUES(2,8582776772088492492,4,128);
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
INSERT INTO access_chunk VALUES(1,2,0,20,0,4,0,1,0,139088220930559,1,X'0108050000001200000014000000210000001400000021000000140000002100000027000000340000002800000031000000960000003a000000000a0000fe00000028b52ffd24052900000201000403b4c4b97d28b52ffd2414a1000000020203020202020102070202030202020201022f3362fb28b52ffd2414a100000000000000000000000002000000000000000000cacb7d6628b52ffd2414a1000060602041414160604141404000010101004001010d75c7c128b52ffd24273901008080828080a03f8080808080a03f8002800a8002f8038080818080a03fff018002800480048004596a468328b52ffd2428250100e0ffffffff0f900408ffffffff0f940400a0040807ffffffff0f90040802002087b56509b668832928b52ffd24966d01009802004ab5034a020002000200b5034ab5034a4a0b004b0100828690005a00094080e0083c6b5cf900da10c0101d9db8f728b52ffd640009850700869f372800bbddd8926d02a0182d512ac292d802a826859d06806a02bd3600a88cd27d0280982d512a2ad2a52b002c002c007fcef28c1b7cee617f7acf557e7182c7fdeb4ddf39ca2b2ef0b7777de93937f9c401def6ad27fde6248ff81bae77b45b9de832ff38c3f37ef6aa0f3de61e5f38decd4e75a1c3bce30abf7bd9a71e74976f1ce1751f7b54b9ae749c975ce2bfb35deb48b7f9c821def7b567fde83517f9c3f9ae76ac1b9de62177f8ded37ef5a2cf1c245fcef184db9dec52077acb357e70ba8b1dea3e5f39c60b2e77b03b9de729b7f8c0e1ee75a6ebfce4140fb85b04501900febfcaff53febfcaff53013f6ae65b');
INSERT INTO access_chunk VALUES(2,1,0,40,0,4,0,3,0,139088220931071,1,X'01080500000012000000280000001e00000028000000240000002800000035000000290000003600000028000000310000002b0100005d00000000140000ba01000028b52ffd24052900000201000403b4c4b97d28b52ffd24288d00005800020203020202020102070100bd8b17140cf52428b52ffd2428bd000080000002000200020000000000000000000354020005011fdc0c7028b52ffd242841010060602041414160604141404000010101004001010000000141010000010100000001010100000101b1f2a68128b52ffd24294901008080828080a03f8080808080a03f8002800a8002f8038080818080a03fff018002800480048004ff0f5eb00b8a28b52ffd2428250100e0ffffffff0f900408ffffffff0f940400a0040807ffffffff0f90040802002087b56509b668832928b52ffd642b007d02009002004ab5034a020002000200b5034a4a02001b0033114000340c336e61e5004f02d0eca8b331e0062a0e96720016022c883238e100b4b0140020680809a005900004088ec0b3c6950fa00d010c01984cceb128b52ffd640013650d00063f640a10f86c07ffff3f5a32055f0060006000339cde9f5dd50b1dcc77dcc2e39dd94f5dd0bb1cc727dcdd939dd4ff5ccb6b1cc2d7ddd8439dcfaf5cc61b1cdd87ddd33ca7f21757f07207f64db7f32867f10317f75ec7f43977f21427f06fd7f54a87f32537f100e7f65b97f43647f2111fb39cc61f5cdd8b1dd4f7dcca639cc1cf5dd83b1dcfa7dcc5139cdc7f5dd3eb1cca57dcc0c39dd72f5dce9b1cc507dcdb5ca7f43757f21207f06db7f54867f32317f17ec7f65977f43427f20fd7f76a87f54537f320e7f07b97f65647f431f711339dce9f5cc50b1cdc77ddd2e39cc94f5cc0bb1dd727ddcd939cc4ffaeedb50ee96b6ee421ceefd72eeb8d8ee643ee61be53fbab2b7a9903f986db7bb4b3faa18b798f63f8bc3b7baa13fa97eb7885c3fbb29b7aa073f98d4b78bb23fba8fb09b39dd61f5dcd8b1cc4f7ddda639dd1cf5cc83b1cdfa7ddd5139dcc7f5cc3eb1dda57ddd0c39cc72f5cde9b1dd507ddcb1ca7f07757f65207f42db7f10867f76317f53ec7f21977f07427f64fd7f32a87f10537f760e7f43b97f21647f071f71508501900febfcaff53febfcaff53febfcaff53febfcaff5301bb7eaaf8');
CREATE TABLE trace_stat(
  name TEXT NOT NULL,
  severity TEXT NOT NULL,              -- info; data_loss: the trace lacks something; error
  value INTEGER NOT NULL,
  launch_id INTEGER,                   -- NULL: the whole trace
  detail TEXT NOT NULL
);
INSERT INTO trace_stat VALUES('access_not_materialized','info',1,NULL,'run cuinstrument materialize to make the tables');
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
COMMIT;
PRAGMA application_id = 0x63756954;
PRAGMA user_version = 2;
