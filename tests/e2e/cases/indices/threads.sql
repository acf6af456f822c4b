-- Some threads by their coordinates: the first of warp 1 of each block in the middle row, and the last thread.
SELECT a.block_x, a.block_y, a.block_z, a.warp, l.lane, l.thread_x, l.thread_y, l.thread_z, l.address - m.address AS offset
FROM access a JOIN access_lane l USING (launch_id, sequence), allocation m
WHERE a.block_y = 1 AND a.warp = 1 AND l.lane IN (0, 7)
ORDER BY a.block_z, a.block_x, l.lane
