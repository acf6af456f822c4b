-- The thread with the highest address per array.
SELECT s.base, a.block_x, a.warp, l.lane, l.thread_x, l.thread_y, l.thread_z, l.address - m.address AS offset
FROM access_lane l JOIN access a USING (launch_id, sequence) JOIN site s USING (site_id)
JOIN allocation m ON l.address BETWEEN m.address AND m.address + m.bytes - 1
WHERE l.address - m.address >= 39996
ORDER BY s.base
