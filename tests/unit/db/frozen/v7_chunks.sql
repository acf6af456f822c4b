-- A trace of schema version 7 without plain tables, as dumped by sqlite3.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE meta(
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO meta VALUES('backend','cpu');
INSERT INTO meta VALUES('begin_monotonic_ns','25235865795819');
INSERT INTO meta VALUES('begin_realtime_ns','1795288548591198953');
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
, pid INTEGER NOT NULL DEFAULT 0);
INSERT INTO process VALUES(15124,'/tmp/frz/gather','./gather','/tmp/frz','vm','cpu',25235865795819,25235893011201,15124);
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
, process_id INTEGER REFERENCES process);
INSERT INTO device VALUES(0,'cuinstrument CPU backend','cpu','13.0','13.0',9,0,132,25276510208,62914560,49152,15124);
CREATE TABLE unit(
  unit_id TEXT PRIMARY KEY,            -- 16 hexadecimal digits: hash of main file and tables
  main_file TEXT NOT NULL,
  rewriter_version TEXT NOT NULL,
  site_count INTEGER NOT NULL          -- sites in the unit's own table
) WITHOUT ROWID;
INSERT INTO unit VALUES('52c8ec2d32bea031','gather.cu','0.1.0',5);
CREATE TABLE source_file(
  source_file_id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,                  -- as named on the command line or in #include
  absolute_path TEXT NOT NULL,
  text_hash TEXT NOT NULL,             -- FNV-1a 64 of the file's bytes, 16 hexadecimal digits
  UNIQUE(absolute_path, text_hash)
);
INSERT INTO source_file VALUES(1,'gather.cu','/tmp/frz/gather.cu','e627456bebe6cece');
CREATE TABLE function(
  function_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  is_kernel INTEGER NOT NULL,          -- 1: __global__
  source_file_id INTEGER REFERENCES source_file,
  line INTEGER,                        -- of the kernel's declaration; NULL for other functions
  column INTEGER
);
INSERT INTO function VALUES(1,'gather',1,1,4,17);
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
INSERT INTO site VALUES(2322460967140356944,4,'gather','gather.cu',10,12,10,46,'load','shared','float',4,'tile[blockDim.x - 1 - threadIdx.x]','tile','blockDim.x - 1 - threadIdx.x','instrumented','','','N=64',0,1,1);
INSERT INTO site VALUES(3796109647240214747,3,'gather','gather.cu',10,3,10,9,'store','generic','float',4,'out[i]','out','i','instrumented','','','N=64',0,1,1);
INSERT INTO site VALUES(7201897712187332623,2,'gather','gather.cu',8,26,8,34,'load','generic','int',4,'index[i]','index','i','instrumented','','','N=64',0,1,1);
INSERT INTO site VALUES(7771767342630127626,0,'gather','gather.cu',8,3,8,20,'store','shared','float',4,'tile[threadIdx.x]','tile','threadIdx.x','instrumented','','','N=64',0,1,1);
INSERT INTO site VALUES(8582776772088492492,1,'gather','gather.cu',8,23,8,35,'load','generic','float',4,'in[index[i]]','in','index[i]','instrumented','','','N=64',0,1,1);
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
, process_id INTEGER REFERENCES process);
INSERT INTO launch VALUES(1,'gather<64>',4,1,1,64,1,1,0,0,0,25235892052625,25235892438403,25235892071169,25235892435118,0,'',1,1,'main','gather.cu',25,3,15124);
INSERT INTO launch VALUES(2,'gather<64>',2,1,1,64,1,1,0,0,0,25235892439062,25235892456762,25235892439987,25235892455952,0,'',1,1,'main','gather.cu',26,3,15124);
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
, process_id INTEGER REFERENCES process);
INSERT INTO allocation VALUES(1,'cudaMalloc',139088220913664,1024,'dIn','float',4,'global','gather.cu',20,25235881763099,25235892458806,'cudaFree',0,0,'main',3,15124);
INSERT INTO allocation VALUES(2,'cudaMalloc',139088220921856,1024,'dOut','float',4,'global','gather.cu',21,25235881767273,25235892489714,'cudaFree',0,0,'main',3,15124);
INSERT INTO allocation VALUES(3,'cudaMalloc',139088220930048,1024,'dIndex','int',4,'global','gather.cu',22,25235881781551,25235892510383,'cudaFree',0,0,'main',3,15124);
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
INSERT INTO shared_variable VALUES(1,'tile','gather','float[N] | float[64]','float',4,0,0,'gather.cu',6,20);
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
, process_id INTEGER REFERENCES process);
INSERT INTO memory_operation VALUES(1,'cudaMemcpy','host_to_device',139088220913664,94369918512768,1024,0,0,25235881781646,25235881788715,0,'main','gather.cu',23,3,15124);
INSERT INTO memory_operation VALUES(2,'cudaMemcpy','host_to_device',139088220930048,94369918695152,1024,0,0,25235892032258,25235892035795,0,'main','gather.cu',24,3,15124);
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
, process_id INTEGER REFERENCES process);
INSERT INTO synchronization VALUES(1,'cudaDeviceSynchronize',0,0,25235892457732,25235892458002,0,'main','gather.cu',27,3,15124);
CREATE TABLE phase(
  phase_id INTEGER PRIMARY KEY,
  parent_id INTEGER REFERENCES phase,
  name TEXT NOT NULL,
  begin_ns INTEGER NOT NULL,
  end_ns INTEGER
, process_id INTEGER REFERENCES process);
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
INSERT INTO site_metric VALUES(1,2322460967140356944,8,256,1024,0,0,8,8,0,0,255,0,8,0);
INSERT INTO site_metric VALUES(1,3796109647240214747,8,256,1024,32,32,0,0,0,139088220921856,139088220922879,8,0,1024);
INSERT INTO site_metric VALUES(1,7201897712187332623,8,256,1024,32,32,0,0,0,139088220930048,139088220931071,8,0,1024);
INSERT INTO site_metric VALUES(1,7771767342630127626,8,256,1024,0,0,8,8,0,0,255,0,8,0);
INSERT INTO site_metric VALUES(1,8582776772088492492,8,256,1024,128,32,0,0,0,139088220913664,139088220914687,8,0,1024);
INSERT INTO site_metric VALUES(2,2322460967140356944,4,128,512,0,0,4,4,0,0,255,0,4,0);
INSERT INTO site_metric VALUES(2,3796109647240214747,4,128,512,16,16,0,0,0,139088220921856,139088220922367,4,0,512);
INSERT INTO site_metric VALUES(2,7201897712187332623,4,128,512,16,16,0,0,0,139088220930048,139088220930559,4,0,512);
INSERT INTO site_metric VALUES(2,7771767342630127626,4,128,512,0,0,4,4,0,0,255,0,4,0);
INSERT INTO site_metric VALUES(2,8582776772088492492,4,128,512,64,16,0,0,0,139088220913664,139088220914687,4,0,512);
CREATE TABLE site_counter(
  launch_id INTEGER NOT NULL,
  site_id INTEGER NOT NULL REFERENCES site,
  requests INTEGER NOT NULL,
  thread_accesses INTEGER NOT NULL,
  PRIMARY KEY(launch_id, site_id)
) WITHOUT ROWID;
INSERT INTO site_counter VALUES(1,2322460967140356944,8,256);
INSERT INTO site_counter VALUES(1,3796109647240214747,8,256);
INSERT INTO site_counter VALUES(1,7201897712187332623,8,256);
INSERT INTO site_counter VALUES(1,7771767342630127626,8,256);
INSERT INTO site_counter VALUES(1,8582776772088492492,8,256);
INSERT INTO site_counter VALUES(2,2322460967140356944,4,128);
INSERT INTO site_counter VALUES(2,3796109647240214747,4,128);
INSERT INTO site_counter VALUES(2,7201897712187332623,4,128);
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
INSERT INTO access_chunk VALUES(1,2,0,20,0,4,0,1,0,139088220930559,2,X'02090500000012000000140000002100000014000000210000001400000021000000270000003400000028000000310000002400000031000000000a000011010000040000001100000028b52ffd24052900000201000403b4c4b97d28b52ffd2414a1000000020203020202020102070202030202020201022f3362fb28b52ffd2414a100000000000000000000000002000000000000000000cacb7d6628b52ffd2414a1000060e02041c1416060414140c0000181010040010113063f8428b52ffd24273901008080828080a03f8080808080a03f8002800a8002f8038080818080a03fff018002800480048004596a468328b52ffd2428250100e0ffffffff0f900408ffffffff0f940400a0040807ffffffff0f90040802002087b56509b668832928b52ffd24242101000a00b5034a804020100a00b5034a080402810a00b5034a402010040a00b5034a02814020d72cee1428b52ffd6400091d0800b6df382900c5b703c0d0127b1730ac68a45a39c8b05bda124900504da02b1aa95684206006504d20a92e687b532c002d002d000bfde51b47f8ddcb3e75a0b73ce306affbd8a3eef3955f9ce0730ffbd3799ef28a0b3cee5f6fbace4f3ef101fdce76ad23bde6217778dfd79ef5a3d31ce40de7bbdab16ef4997f9ce17b4ffbd5891ef38e2b3cef67af12297a77face514ef180c3ddeb4ccfb9c9251ee06feffad2715ef28803b8dbb9aef49b931ce27f6ffbd6936ef391870332f7f8c2f58e76ab0f1de61c4f38decd4ef5a0bb5ce307b73bd9a5fe739663bce074173bd47bae728b0f5c0e2c07007d40850e29f400834b353dc060a1463fa8d1030c2ed510f2530e0d13df814628b52ffd240421000000000000b4def25c');
INSERT INTO access_chunk VALUES(2,1,0,40,0,4,0,3,0,139088220931071,2,X'02090500000012000000280000001e0000002800000024000000280000003500000029000000360000002800000031000000480000004800000000140000dd010000080000001500000028b52ffd24052900000201000403b4c4b97d28b52ffd24288d00005800020203020202020102070100bd8b17140cf52428b52ffd2428bd000080000002000200020000000000000000000354020005011fdc0c7028b52ffd242841010060e02041c1416060414140c0000181010040010100800001c1010000010100800001810100000101640941ec28b52ffd24294901008080828080a03f8080808080a03f8002800a8002f8038080818080a03fff018002800480048004ff0f5eb00b8a28b52ffd2428250100e0ffffffff0f900408ffffffff0f940400a0040807ffffffff0f90040802002087b56509b668832928b52ffd2448dd0100f4020a00b5034a804020100a00b5034a0804028140201004028140201008040280201008040281400a00b5034a20100804050402800002082058c251448f2828b52ffd6400137d0e00f6be640a10f86c07ffff2e5f2e055f00610060007f76552f7430e7f10b8f77663f7541eff21ca770774f7652ff732db7f1085f77630f753ebff2197770741f764f7f7e7e9e53398c2f78b903fba6db7994b738828b7baf63fa9c3bb98a17f8b7eb7aa5c3f9929fb88073fbad4b7a9b2339890f6b1cc2d5bdd8417dcfad5cc61bfcdc85bdd3f17cca5f5cc1c9fdd735bdcea19cc50f3cdc79fdd2e5bcc9539cc0bde53aa5bfb9929b78806fbbad473a9b1ff988f73bb6cfbaa3a7399183b8be573bac2fba99077987dfbbb4b73aa28fb90f0da717a7f3275f710307f75db7f4386772141ff06ec7f54977f3242f7100d7f65a87f435377211e7f76b97f54647f321ff90efd4feea8a5ee640cee1f61eedac7ee862fef70c9f77674f7542fff21db770785f76530f742ec7f1096f77641f753f590ed94eeb8faee6451ee2fb6eedb1cee8672ee41e8eefd3eeea894ee63fbee1f50eedab6ee861dee3182eefcd8eea83ee45c72bfcdd95bdd4017dcb6f5cc2d9fdd845bdcfb19cc61f3cdd89fdd3f5bcca639cc1cd3dd839fdcea5dcc5137cdc7d650a0f007d40850e29f400834b353dc060a1461f50a3430a3dc0e0524d0f3058a8d107d4e890420f30b854d3030c166af4831a3dc0e0520d213fe5d03633c33d28b52ffd24084100000000000000000000bb1bdbca');
CREATE TABLE trace_stat(
  name TEXT NOT NULL,
  severity TEXT NOT NULL,              -- info; data_loss: the trace lacks something; error
  value INTEGER NOT NULL,
  launch_id INTEGER,                   -- NULL: the whole trace
  detail TEXT NOT NULL
);
INSERT INTO trace_stat VALUES('access_not_materialized','info',1,NULL,'run cuinstrument materialize to make the tables');
CREATE TABLE access_chunk_site(
  site_number INTEGER NOT NULL,
  access_chunk_id INTEGER NOT NULL REFERENCES access_chunk,
  record_count INTEGER NOT NULL,
  min_block INTEGER NOT NULL,          -- linear block index
  max_block INTEGER NOT NULL,
  min_address INTEGER NOT NULL,        -- lowest and highest byte touched, as signed numbers
  max_address INTEGER NOT NULL,
  PRIMARY KEY(site_number, access_chunk_id)
) WITHOUT ROWID;
INSERT INTO access_chunk_site VALUES(0,1,4,0,1,0,255);
INSERT INTO access_chunk_site VALUES(0,2,8,0,3,0,255);
INSERT INTO access_chunk_site VALUES(1,1,4,0,1,139088220913664,139088220914687);
INSERT INTO access_chunk_site VALUES(1,2,8,0,3,139088220913664,139088220914687);
INSERT INTO access_chunk_site VALUES(2,1,4,0,1,139088220930048,139088220930559);
INSERT INTO access_chunk_site VALUES(2,2,8,0,3,139088220930048,139088220931071);
INSERT INTO access_chunk_site VALUES(3,1,4,0,1,139088220921856,139088220922367);
INSERT INTO access_chunk_site VALUES(3,2,8,0,3,139088220921856,139088220922879);
INSERT INTO access_chunk_site VALUES(4,1,4,0,1,0,255);
INSERT INTO access_chunk_site VALUES(4,2,8,0,3,0,255);
CREATE TABLE barrier(
  launch_id INTEGER NOT NULL,
  block INTEGER NOT NULL,              -- linear block index
  sequence INTEGER NOT NULL, grid INTEGER NOT NULL DEFAULT 0,           -- the block's accesses from this access.sequence on came after it
  PRIMARY KEY(launch_id, block, sequence)
) WITHOUT ROWID;
INSERT INTO barrier VALUES(1,0,6,0);
INSERT INTO barrier VALUES(1,1,16,0);
INSERT INTO barrier VALUES(1,2,26,0);
INSERT INTO barrier VALUES(1,3,36,0);
INSERT INTO barrier VALUES(2,0,6,0);
INSERT INTO barrier VALUES(2,1,16,0);
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
CREATE TABLE warp_time(
  launch_id INTEGER NOT NULL,
  block INTEGER NOT NULL,              -- linear block index
  warp INTEGER NOT NULL,               -- in the block
  sm_id INTEGER NOT NULL,              -- multiprocessor (%smid)
  accesses INTEGER NOT NULL,           -- with a time
  begin_ns INTEGER NOT NULL,           -- %globaltimer, moved to the host's clock by one comparison
  end_ns INTEGER NOT NULL,
  begin_clock INTEGER NOT NULL,        -- cycles of the multiprocessor (%clock64, low 56 bits); not comparable between multiprocessors
  end_clock INTEGER NOT NULL,
  PRIMARY KEY(launch_id, block, warp)
) WITHOUT ROWID;
CREATE TABLE access_time(
  launch_id INTEGER NOT NULL,
  sequence INTEGER NOT NULL,           -- of the access
  time_ns INTEGER NOT NULL,            -- as in warp_time
  clock INTEGER NOT NULL,
  PRIMARY KEY(launch_id, sequence)
) WITHOUT ROWID;
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
CREATE VIEW ncu_metric AS
WITH op(kind, ld, st) AS (VALUES('load', 1, 0), ('store', 0, 1), ('rmw', 1, 1)),
total AS (
  SELECT m.launch_id,
         sum(o.ld * m.sector_requests) AS ld_requests, sum(o.st * m.sector_requests) AS st_requests,
         sum(o.ld * m.sectors) AS ld_sectors, sum(o.st * m.sectors) AS st_sectors,
         sum(o.ld * m.useful_bytes) AS ld_bytes, sum(o.st * m.useful_bytes) AS st_bytes,
         sum(o.ld * m.wavefronts) AS ld_wavefronts, sum(o.st * m.wavefronts) AS st_wavefronts,
         sum(o.ld * m.bank_conflicts) AS ld_conflicts, sum(o.st * m.bank_conflicts) AS st_conflicts
  FROM site_metric m JOIN site s USING(site_id) JOIN op o USING(kind)
  WHERE s.space <> 'local'
  GROUP BY m.launch_id
)
SELECT launch_id, 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum' AS metric, ld_requests AS value FROM total
UNION ALL SELECT launch_id, 'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum', st_requests FROM total
UNION ALL SELECT launch_id, 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum', ld_sectors FROM total
UNION ALL SELECT launch_id, 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum', st_sectors FROM total
UNION ALL SELECT launch_id, 'l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio',
                 ld_sectors * 1.0 / nullif(ld_requests, 0) FROM total
UNION ALL SELECT launch_id, 'l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio',
                 st_sectors * 1.0 / nullif(st_requests, 0) FROM total
UNION ALL SELECT launch_id, 'smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio',
                 ld_bytes * 1.0 / nullif(ld_sectors, 0) FROM total
UNION ALL SELECT launch_id, 'smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio',
                 st_bytes * 1.0 / nullif(st_sectors, 0) FROM total
UNION ALL SELECT launch_id, 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum', ld_wavefronts FROM total
UNION ALL SELECT launch_id, 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum', st_wavefronts FROM total
UNION ALL SELECT launch_id, 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum', ld_conflicts FROM total
UNION ALL SELECT launch_id, 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum', st_conflicts FROM total;
CREATE VIEW StringIds AS
SELECT 0 AS id, 'cudaLaunchKernel' AS value
UNION ALL SELECT 8 * min(launch_id) + 1, kernel FROM launch GROUP BY kernel
UNION ALL SELECT 8 * function_id + 2, name FROM function
UNION ALL SELECT 8 * min(memory_operation_id) + 3, api FROM memory_operation GROUP BY api
UNION ALL SELECT 8 * min(synchronization_id) + 4, api FROM synchronization GROUP BY api
UNION ALL SELECT 8 * min(allocation_id) + 5, api FROM allocation GROUP BY api
UNION ALL SELECT 8 * min(phase_id) + 6, name FROM phase GROUP BY name;
CREATE VIEW TARGET_INFO_GPU AS
SELECT device_id AS id, name, multiprocessors AS smCount, memory_bytes AS totalMemory, l2_bytes AS l2CacheSize,
       compute_major AS computeMajor, compute_minor AS computeMinor, device_id AS cuDevice
FROM device;
CREATE VIEW TARGET_INFO_SESSION_START_TIME AS
SELECT CAST((SELECT value FROM meta WHERE key = 'begin_realtime_ns') AS INTEGER) AS utcEpochNs;
CREATE VIEW ENUM_CUDA_MEMCPY_OPER AS
SELECT column1 AS id, column2 AS name, column3 AS label
FROM (VALUES(0, 'CUDA_MEMCPY_KIND_UNKNOWN', 'Unknown'), (1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'),
            (2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host'), (8, 'CUDA_MEMCPY_KIND_DTOD', 'Device-to-Device'),
            (9, 'CUDA_MEMCPY_KIND_HTOH', 'Host-to-Host'));
CREATE VIEW ENUM_CUPTI_SYNC_TYPE AS
SELECT column1 AS id, column2 AS name, column3 AS label
FROM (VALUES(0, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN', 'Unknown'),
            (1, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE', 'Event synchronize'),
            (2, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT', 'Stream wait event'),
            (3, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE', 'Stream synchronize'),
            (4, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE', 'Context synchronize'));
CREATE VIEW recording AS SELECT min(begin_ns) AS begin_ns FROM process;
CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS
SELECT ifnull(l.gpu_begin_ns, l.host_begin_ns) - o.begin_ns AS start,
       coalesce(l.gpu_end_ns, l.host_end_ns, l.host_begin_ns) - o.begin_ns AS "end",
       l.device_id AS deviceId, 1 AS contextId, NULL AS greenContextId, l.stream_id AS streamId,
       4 * l.launch_id AS correlationId, p.process_id << 24 AS globalPid,
       8 * n.first + 1 AS demangledName, ifnull(8 * l.function_id + 2, 8 * n.first + 1) AS shortName,
       8 * n.first + 1 AS mangledName, 1 AS launchType, NULL AS cacheConfig, NULL AS registersPerThread,
       l.grid_x AS gridX, l.grid_y AS gridY, l.grid_z AS gridZ,
       l.block_x AS blockX, l.block_y AS blockY, l.block_z AS blockZ,
       (SELECT ifnull(sum(v.bytes), 0) FROM launch_shared_variable v JOIN shared_variable d USING(shared_variable_id)
        WHERE v.launch_id = l.launch_id AND d.dynamic = 0) AS staticSharedMemory,
       l.dynamic_shared_bytes AS dynamicSharedMemory, NULL AS localMemoryPerThread, NULL AS localMemoryTotal,
       l.launch_id AS gridId, NULL AS sharedMemoryExecuted, NULL AS graphNodeId, NULL AS sharedMemoryLimitConfig
FROM launch l JOIN process p USING(process_id) CROSS JOIN recording o
JOIN (SELECT kernel, min(launch_id) AS first FROM launch GROUP BY kernel) n USING(kernel)
WHERE l.error = 0;
CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS
SELECT m.begin_ns - o.begin_ns AS start, m.end_ns - o.begin_ns AS "end", m.device_id AS deviceId, 1 AS contextId,
       NULL AS greenContextId, m.stream_id AS streamId, 4 * m.memory_operation_id + 1 AS correlationId,
       p.process_id << 24 AS globalPid, m.bytes,
       CASE m.direction WHEN 'host_to_device' THEN 1 WHEN 'device_to_host' THEN 2 WHEN 'device_to_device' THEN 8
         WHEN 'host_to_host' THEN 9 ELSE 0 END AS copyKind,
       NULL AS deprecatedSrcId,
       CASE substr(m.direction, 1, 4) WHEN 'host' THEN 1 WHEN 'devi' THEN 3 ELSE 0 END AS srcKind,
       CASE WHEN m.direction LIKE '%_to_host' THEN 1 WHEN m.direction LIKE '%_to_device' THEN 3 ELSE 0 END AS dstKind,
       NULL AS srcDeviceId, NULL AS srcContextId, NULL AS dstDeviceId, NULL AS dstContextId, NULL AS migrationCause,
       NULL AS graphNodeId, NULL AS virtualAddress, 1 AS copyCount
FROM memory_operation m JOIN process p USING(process_id) CROSS JOIN recording o
WHERE m.direction <> 'set' AND m.error = 0;
CREATE VIEW CUPTI_ACTIVITY_KIND_MEMSET AS
SELECT m.begin_ns - o.begin_ns AS start, m.end_ns - o.begin_ns AS "end", m.device_id AS deviceId, 1 AS contextId,
       NULL AS greenContextId, m.stream_id AS streamId, 4 * m.memory_operation_id + 1 AS correlationId,
       p.process_id << 24 AS globalPid, NULL AS value, m.bytes, NULL AS graphNodeId, 3 AS memKind
FROM memory_operation m JOIN process p USING(process_id) CROSS JOIN recording o
WHERE m.direction = 'set' AND m.error = 0;
CREATE VIEW CUPTI_ACTIVITY_KIND_SYNCHRONIZATION AS
SELECT s.begin_ns - o.begin_ns AS start, s.end_ns - o.begin_ns AS "end", s.device_id AS deviceId, 1 AS contextId,
       NULL AS greenContextId, s.stream_id AS streamId, 4 * s.synchronization_id + 2 AS correlationId,
       p.process_id << 24 AS globalPid,
       CASE WHEN s.api LIKE '%StreamWaitEvent%' THEN 2 WHEN s.api LIKE '%Event%' THEN 1 WHEN s.api LIKE '%Stream%' THEN 3
         WHEN s.api LIKE '%Device%' THEN 4 ELSE 0 END AS syncType,
       NULL AS eventId, NULL AS eventSyncId
FROM synchronization s JOIN process p USING(process_id) CROSS JOIN recording o;
CREATE VIEW CUPTI_ACTIVITY_KIND_RUNTIME AS
SELECT l.host_begin_ns - o.begin_ns AS start, ifnull(l.host_end_ns, l.host_begin_ns) - o.begin_ns AS "end",
       0 AS eventClass, p.process_id << 24 AS globalTid, 4 * l.launch_id AS correlationId, 0 AS nameId,
       l.error AS returnValue, NULL AS callchainId
FROM launch l JOIN process p USING(process_id) CROSS JOIN recording o
UNION ALL
SELECT m.begin_ns - o.begin_ns, m.end_ns - o.begin_ns, 0, p.process_id << 24, 4 * m.memory_operation_id + 1,
       8 * n.first + 3, m.error, NULL
FROM memory_operation m JOIN process p USING(process_id) CROSS JOIN recording o
JOIN (SELECT api, min(memory_operation_id) AS first FROM memory_operation GROUP BY api) n USING(api)
UNION ALL
SELECT s.begin_ns - o.begin_ns, s.end_ns - o.begin_ns, 0, p.process_id << 24, 4 * s.synchronization_id + 2,
       8 * n.first + 4, s.error, NULL
FROM synchronization s JOIN process p USING(process_id) CROSS JOIN recording o
JOIN (SELECT api, min(synchronization_id) AS first FROM synchronization GROUP BY api) n USING(api);
CREATE VIEW CUDA_GPU_MEMORY_USAGE_EVENTS AS
SELECT a.allocated_ns - o.begin_ns AS start, p.process_id << 24 AS globalPid, a.device_id AS deviceId,
       1 AS contextId, a.address, NULL AS pc, a.bytes, 3 AS memKind, 0 AS memoryOperationType, a.name,
       4 * a.allocation_id + 3 AS correlationId, NULL AS streamId
FROM allocation a JOIN process p USING(process_id) CROSS JOIN recording o WHERE a.api NOT IN ('__device__', '__constant__')
UNION ALL
SELECT a.freed_ns - o.begin_ns, p.process_id << 24, a.device_id, 1, a.address, NULL, a.bytes, 3, 1, a.name,
       4 * a.allocation_id + 3, NULL
FROM allocation a JOIN process p USING(process_id) CROSS JOIN recording o WHERE a.freed_ns IS NOT NULL AND a.api NOT IN ('__device__', '__constant__');
CREATE VIEW NVTX_EVENTS AS
SELECT h.begin_ns - o.begin_ns AS start, h.end_ns - o.begin_ns AS "end", 59 AS eventType, NULL AS rangeId,
       NULL AS category, NULL AS color, h.name AS text, p.process_id << 24 AS globalTid,
       p.process_id << 24 AS endGlobalTid, NULL AS textId, 0 AS domainId, NULL AS uint64Value, NULL AS int64Value,
       NULL AS doubleValue, NULL AS uint32Value, NULL AS int32Value, NULL AS floatValue, NULL AS jsonTextId,
       NULL AS jsonText, NULL AS binaryData
FROM phase h JOIN process p USING(process_id) CROSS JOIN recording o;
COMMIT;
PRAGMA application_id = 1668639060;
PRAGMA user_version = 7;
