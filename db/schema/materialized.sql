-- The single accesses as plain tables, for any SQLite client. In traces up to the materialization limit
-- (a million warp records by default), and in larger ones after `cuinstrument materialize`. Where they
-- are not materialized these tables do not exist; trace_stat says so and site_metric is exact regardless.

-- One row per warp access.
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

-- Lanes of irregular accesses, and of accesses with values; access_lane is what to query.
CREATE TABLE access_lane_detail(
  launch_id INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  address INTEGER NOT NULL,
  value,                               -- number where the site's type is arithmetic, else the bytes
  PRIMARY KEY(launch_id, sequence, lane)
) WITHOUT ROWID;

-- The numbers 0 to 31.
CREATE TABLE lane(lane INTEGER PRIMARY KEY);
INSERT INTO lane
WITH RECURSIVE number(n) AS (VALUES(0) UNION ALL SELECT n + 1 FROM number WHERE n < 31) SELECT n FROM number;

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
