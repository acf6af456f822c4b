-- The single accesses. Every trace answers queries on access, access_lane and thread_access: in traces up to the
-- materialization limit (a million warp records by default), and after `cuinstrument materialize`, these are plain
-- tables and views that any SQLite client reads; in larger ones they are virtual tables over the compressed chunks,
-- with the same names and columns, of `cuinstrument query` and of the extension libcuinstrument_sqlite
-- (docs/sql.md).

-- One row per warp access.
CREATE TABLE access(
  launch_id INTEGER NOT NULL,
  sequence INTEGER NOT NULL,           -- 0, 1, … in each launch; each warp's in their order
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
  space TEXT NOT NULL,                 -- as seen at run time: global shared constant local texture generic
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
