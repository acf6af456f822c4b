-- One column read of each tiled kernel: the first of block (3, 5), warp 2.
SELECT a.launch_id, a.block_x, a.block_y, a.block_z, a.warp, a.active_mask, a.address, a.stride, a.bytes, a.kind, a.space
FROM access a JOIN site s USING (site_id)
WHERE s.base = 'tile' AND s.kind = 'load' AND a.block_x = 3 AND a.block_y = 5 AND a.warp = 2
GROUP BY a.launch_id HAVING a.sequence = min(a.sequence)
ORDER BY a.launch_id
