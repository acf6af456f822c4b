-- Where the plain tables exist, these views complete them.

-- One row per thread access. value: NULL unless values were recorded; a number where the type is
-- arithmetic ('NaN' for one that is not a number), else a blob of the bytes.
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
LEFT JOIN access_lane_detail d ON d.launch_id = a.launch_id AND d.sequence = a.sequence AND d.lane = n.lane;

-- One row per thread access, with what access and access_lane say of it.
CREATE VIEW thread_access AS
SELECT n.launch_id, n.sequence, n.lane, a.site_id, a.block_x, a.block_y, a.block_z, a.warp,
       n.thread_x, n.thread_y, n.thread_z, n.address, a.bytes, a.kind, a.space, n.value
FROM access a CROSS JOIN access_lane n USING(launch_id, sequence);
