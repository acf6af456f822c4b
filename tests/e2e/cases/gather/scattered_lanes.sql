-- Element of the table each of the first lanes read, scattered.
SELECT l.lane, (l.address - v.address) / 4 AS element, a.stride
FROM access a JOIN access_lane l USING (launch_id, sequence) JOIN site s USING (site_id) JOIN allocation v ON v.name = 'deviceTable'
WHERE a.launch_id = 1 AND s.base = 'table' AND a.block_x = 0 AND a.warp = 0 AND l.lane < 6
ORDER BY l.lane
