-- Which process a row is from, in a trace that `cuinstrument merge` made of several.

ALTER TABLE process ADD COLUMN pid INTEGER NOT NULL DEFAULT 0; -- the operating system's process id; process_id is another number where merged traces have the same one
UPDATE process SET pid = process_id;

ALTER TABLE device ADD COLUMN process_id INTEGER REFERENCES process;
UPDATE device SET process_id = (SELECT min(process_id) FROM process);
ALTER TABLE launch ADD COLUMN process_id INTEGER REFERENCES process;
UPDATE launch SET process_id = (SELECT min(process_id) FROM process);
ALTER TABLE allocation ADD COLUMN process_id INTEGER REFERENCES process;
UPDATE allocation SET process_id = (SELECT min(process_id) FROM process);
ALTER TABLE memory_operation ADD COLUMN process_id INTEGER REFERENCES process;
UPDATE memory_operation SET process_id = (SELECT min(process_id) FROM process);
ALTER TABLE synchronization ADD COLUMN process_id INTEGER REFERENCES process;
UPDATE synchronization SET process_id = (SELECT min(process_id) FROM process);
ALTER TABLE phase ADD COLUMN process_id INTEGER REFERENCES process;
UPDATE phase SET process_id = (SELECT min(process_id) FROM process);

-- When the recording started; of merged traces, the first.
CREATE VIEW recording AS SELECT min(begin_ns) AS begin_ns FROM process;

DROP VIEW CUPTI_ACTIVITY_KIND_KERNEL;
DROP VIEW CUPTI_ACTIVITY_KIND_MEMCPY;
DROP VIEW CUPTI_ACTIVITY_KIND_MEMSET;
DROP VIEW CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
DROP VIEW CUPTI_ACTIVITY_KIND_RUNTIME;
DROP VIEW CUDA_GPU_MEMORY_USAGE_EVENTS;
DROP VIEW NVTX_EVENTS;

-- Nsight Systems: kernels that ran. Times are nanoseconds from the start of the recording, here and below; where the
-- device's are not known, the host call's. NULL: what a source-level trace does not have.
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

-- Nsight Systems: copies. copyKind as in ENUM_CUDA_MEMCPY_OPER; srcKind and dstKind 1: host memory, 3: device memory.
-- Times are the host call's.
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

-- Nsight Systems: fills. The value is not recorded.
CREATE VIEW CUPTI_ACTIVITY_KIND_MEMSET AS
SELECT m.begin_ns - o.begin_ns AS start, m.end_ns - o.begin_ns AS "end", m.device_id AS deviceId, 1 AS contextId,
       NULL AS greenContextId, m.stream_id AS streamId, 4 * m.memory_operation_id + 1 AS correlationId,
       p.process_id << 24 AS globalPid, NULL AS value, m.bytes, NULL AS graphNodeId, 3 AS memKind
FROM memory_operation m JOIN process p USING(process_id) CROSS JOIN recording o
WHERE m.direction = 'set' AND m.error = 0;

-- Nsight Systems: waits of the host. syncType as in ENUM_CUPTI_SYNC_TYPE.
CREATE VIEW CUPTI_ACTIVITY_KIND_SYNCHRONIZATION AS
SELECT s.begin_ns - o.begin_ns AS start, s.end_ns - o.begin_ns AS "end", s.device_id AS deviceId, 1 AS contextId,
       NULL AS greenContextId, s.stream_id AS streamId, 4 * s.synchronization_id + 2 AS correlationId,
       p.process_id << 24 AS globalPid,
       CASE WHEN s.api LIKE '%StreamWaitEvent%' THEN 2 WHEN s.api LIKE '%Event%' THEN 1 WHEN s.api LIKE '%Stream%' THEN 3
         WHEN s.api LIKE '%Device%' THEN 4 ELSE 0 END AS syncType,
       NULL AS eventId, NULL AS eventSyncId
FROM synchronization s JOIN process p USING(process_id) CROSS JOIN recording o;

-- Nsight Systems: the runtime calls of the other tables, by correlationId. returnValue is the runtime's error code.
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

-- Nsight Systems: allocations and frees (memoryOperationType 0 and 1; memKind 3: device memory).
CREATE VIEW CUDA_GPU_MEMORY_USAGE_EVENTS AS
SELECT a.allocated_ns - o.begin_ns AS start, p.process_id << 24 AS globalPid, a.device_id AS deviceId,
       1 AS contextId, a.address, NULL AS pc, a.bytes, 3 AS memKind, 0 AS memoryOperationType, a.name,
       4 * a.allocation_id + 3 AS correlationId, NULL AS streamId
FROM allocation a JOIN process p USING(process_id) CROSS JOIN recording o WHERE a.api NOT IN ('__device__', '__constant__')
UNION ALL
SELECT a.freed_ns - o.begin_ns, p.process_id << 24, a.device_id, 1, a.address, NULL, a.bytes, 3, 1, a.name,
       4 * a.allocation_id + 3, NULL
FROM allocation a JOIN process p USING(process_id) CROSS JOIN recording o WHERE a.freed_ns IS NOT NULL AND a.api NOT IN ('__device__', '__constant__');

-- Nsight Systems: the program's phases, as push/pop ranges (eventType 59).
CREATE VIEW NVTX_EVENTS AS
SELECT h.begin_ns - o.begin_ns AS start, h.end_ns - o.begin_ns AS "end", 59 AS eventType, NULL AS rangeId,
       NULL AS category, NULL AS color, h.name AS text, p.process_id << 24 AS globalTid,
       p.process_id << 24 AS endGlobalTid, NULL AS textId, 0 AS domainId, NULL AS uint64Value, NULL AS int64Value,
       NULL AS doubleValue, NULL AS uint32Value, NULL AS int32Value, NULL AS floatValue, NULL AS jsonTextId,
       NULL AS jsonText, NULL AS binaryData
FROM phase h JOIN process p USING(process_id) CROSS JOIN recording o;
