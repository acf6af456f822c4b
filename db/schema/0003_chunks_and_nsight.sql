-- What lets a look-up of single accesses skip chunks, and the trace in the words of Nsight Compute and Nsight Systems,
-- for scripts that know those (docs/sql.md says what differs).

-- What each chunk holds of each site. A search for a site, a block or an address range reads only the chunks
-- that can have a match, also where the sites of a chunk access arrays far apart.
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

-- Per launch, what Nsight Compute calls the metric that corresponds. Loads and stores as in the source: a read-modify-write
-- counts as both, atomics and struct copies as neither.
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

-- Nsight Systems: names of kernels and runtime functions, which its tables give by number.
CREATE VIEW StringIds AS
SELECT 0 AS id, 'cudaLaunchKernel' AS value
UNION ALL SELECT 8 * min(launch_id) + 1, kernel FROM launch GROUP BY kernel
UNION ALL SELECT 8 * function_id + 2, name FROM function
UNION ALL SELECT 8 * min(memory_operation_id) + 3, api FROM memory_operation GROUP BY api
UNION ALL SELECT 8 * min(synchronization_id) + 4, api FROM synchronization GROUP BY api
UNION ALL SELECT 8 * min(allocation_id) + 5, api FROM allocation GROUP BY api
UNION ALL SELECT 8 * min(phase_id) + 6, name FROM phase GROUP BY name;

-- Nsight Systems: kernels that ran. Times are nanoseconds from the start of the recording, here and below; where the
-- device's are not known, the host call's. NULL: what a source-level trace does not have.
CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS
SELECT ifnull(l.gpu_begin_ns, l.host_begin_ns) - p.begin_ns AS start,
       coalesce(l.gpu_end_ns, l.host_end_ns, l.host_begin_ns) - p.begin_ns AS "end",
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
FROM launch l CROSS JOIN process p
JOIN (SELECT kernel, min(launch_id) AS first FROM launch GROUP BY kernel) n USING(kernel)
WHERE l.error = 0;

-- Nsight Systems: copies. copyKind as in ENUM_CUDA_MEMCPY_OPER; srcKind and dstKind 1: host memory, 3: device memory.
-- Times are the host call's.
CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS
SELECT m.begin_ns - p.begin_ns AS start, m.end_ns - p.begin_ns AS "end", m.device_id AS deviceId, 1 AS contextId,
       NULL AS greenContextId, m.stream_id AS streamId, 4 * m.memory_operation_id + 1 AS correlationId,
       p.process_id << 24 AS globalPid, m.bytes,
       CASE m.direction WHEN 'host_to_device' THEN 1 WHEN 'device_to_host' THEN 2 WHEN 'device_to_device' THEN 8
         WHEN 'host_to_host' THEN 9 ELSE 0 END AS copyKind,
       NULL AS deprecatedSrcId,
       CASE substr(m.direction, 1, 4) WHEN 'host' THEN 1 WHEN 'devi' THEN 3 ELSE 0 END AS srcKind,
       CASE WHEN m.direction LIKE '%_to_host' THEN 1 WHEN m.direction LIKE '%_to_device' THEN 3 ELSE 0 END AS dstKind,
       NULL AS srcDeviceId, NULL AS srcContextId, NULL AS dstDeviceId, NULL AS dstContextId, NULL AS migrationCause,
       NULL AS graphNodeId, NULL AS virtualAddress, 1 AS copyCount
FROM memory_operation m CROSS JOIN process p
WHERE m.direction <> 'set' AND m.error = 0;

-- Nsight Systems: fills. The value is not recorded.
CREATE VIEW CUPTI_ACTIVITY_KIND_MEMSET AS
SELECT m.begin_ns - p.begin_ns AS start, m.end_ns - p.begin_ns AS "end", m.device_id AS deviceId, 1 AS contextId,
       NULL AS greenContextId, m.stream_id AS streamId, 4 * m.memory_operation_id + 1 AS correlationId,
       p.process_id << 24 AS globalPid, NULL AS value, m.bytes, NULL AS graphNodeId, 3 AS memKind
FROM memory_operation m CROSS JOIN process p
WHERE m.direction = 'set' AND m.error = 0;

-- Nsight Systems: waits of the host. syncType as in ENUM_CUPTI_SYNC_TYPE.
CREATE VIEW CUPTI_ACTIVITY_KIND_SYNCHRONIZATION AS
SELECT s.begin_ns - p.begin_ns AS start, s.end_ns - p.begin_ns AS "end", s.device_id AS deviceId, 1 AS contextId,
       NULL AS greenContextId, s.stream_id AS streamId, 4 * s.synchronization_id + 2 AS correlationId,
       p.process_id << 24 AS globalPid,
       CASE WHEN s.api LIKE '%StreamWaitEvent%' THEN 2 WHEN s.api LIKE '%Event%' THEN 1 WHEN s.api LIKE '%Stream%' THEN 3
         WHEN s.api LIKE '%Device%' THEN 4 ELSE 0 END AS syncType,
       NULL AS eventId, NULL AS eventSyncId
FROM synchronization s CROSS JOIN process p;

-- Nsight Systems: the runtime calls of the other tables, by correlationId. returnValue is the runtime's error code.
CREATE VIEW CUPTI_ACTIVITY_KIND_RUNTIME AS
SELECT l.host_begin_ns - p.begin_ns AS start, ifnull(l.host_end_ns, l.host_begin_ns) - p.begin_ns AS "end",
       0 AS eventClass, p.process_id << 24 AS globalTid, 4 * l.launch_id AS correlationId, 0 AS nameId,
       l.error AS returnValue, NULL AS callchainId
FROM launch l CROSS JOIN process p
UNION ALL
SELECT m.begin_ns - p.begin_ns, m.end_ns - p.begin_ns, 0, p.process_id << 24, 4 * m.memory_operation_id + 1,
       8 * n.first + 3, m.error, NULL
FROM memory_operation m CROSS JOIN process p
JOIN (SELECT api, min(memory_operation_id) AS first FROM memory_operation GROUP BY api) n USING(api)
UNION ALL
SELECT s.begin_ns - p.begin_ns, s.end_ns - p.begin_ns, 0, p.process_id << 24, 4 * s.synchronization_id + 2,
       8 * n.first + 4, s.error, NULL
FROM synchronization s CROSS JOIN process p
JOIN (SELECT api, min(synchronization_id) AS first FROM synchronization GROUP BY api) n USING(api);

-- Nsight Systems: allocations and frees (memoryOperationType 0 and 1; memKind 3: device memory).
CREATE VIEW CUDA_GPU_MEMORY_USAGE_EVENTS AS
SELECT a.allocated_ns - p.begin_ns AS start, p.process_id << 24 AS globalPid, a.device_id AS deviceId,
       1 AS contextId, a.address, NULL AS pc, a.bytes, 3 AS memKind, 0 AS memoryOperationType, a.name,
       4 * a.allocation_id + 3 AS correlationId, NULL AS streamId
FROM allocation a CROSS JOIN process p WHERE a.api NOT IN ('__device__', '__constant__')
UNION ALL
SELECT a.freed_ns - p.begin_ns, p.process_id << 24, a.device_id, 1, a.address, NULL, a.bytes, 3, 1, a.name,
       4 * a.allocation_id + 3, NULL
FROM allocation a CROSS JOIN process p WHERE a.freed_ns IS NOT NULL AND a.api NOT IN ('__device__', '__constant__');

-- Nsight Systems: the program's phases, as push/pop ranges (eventType 59).
CREATE VIEW NVTX_EVENTS AS
SELECT h.begin_ns - p.begin_ns AS start, h.end_ns - p.begin_ns AS "end", 59 AS eventType, NULL AS rangeId,
       NULL AS category, NULL AS color, h.name AS text, p.process_id << 24 AS globalTid,
       p.process_id << 24 AS endGlobalTid, NULL AS textId, 0 AS domainId, NULL AS uint64Value, NULL AS int64Value,
       NULL AS doubleValue, NULL AS uint32Value, NULL AS int32Value, NULL AS floatValue, NULL AS jsonTextId,
       NULL AS jsonText, NULL AS binaryData
FROM phase h CROSS JOIN process p;

-- Nsight Systems: the devices.
CREATE VIEW TARGET_INFO_GPU AS
SELECT device_id AS id, name, multiprocessors AS smCount, memory_bytes AS totalMemory, l2_bytes AS l2CacheSize,
       compute_major AS computeMajor, compute_minor AS computeMinor, device_id AS cuDevice
FROM device;

-- Nsight Systems: when the recording started.
CREATE VIEW TARGET_INFO_SESSION_START_TIME AS
SELECT CAST((SELECT value FROM meta WHERE key = 'begin_realtime_ns') AS INTEGER) AS utcEpochNs;

-- Nsight Systems: what the numbers in copyKind mean.
CREATE VIEW ENUM_CUDA_MEMCPY_OPER AS
SELECT column1 AS id, column2 AS name, column3 AS label
FROM (VALUES(0, 'CUDA_MEMCPY_KIND_UNKNOWN', 'Unknown'), (1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'),
            (2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host'), (8, 'CUDA_MEMCPY_KIND_DTOD', 'Device-to-Device'),
            (9, 'CUDA_MEMCPY_KIND_HTOH', 'Host-to-Host'));

-- Nsight Systems: what the numbers in syncType mean.
CREATE VIEW ENUM_CUPTI_SYNC_TYPE AS
SELECT column1 AS id, column2 AS name, column3 AS label
FROM (VALUES(0, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN', 'Unknown'),
            (1, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE', 'Event synchronize'),
            (2, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT', 'Stream wait event'),
            (3, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE', 'Stream synchronize'),
            (4, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE', 'Context synchronize'));
