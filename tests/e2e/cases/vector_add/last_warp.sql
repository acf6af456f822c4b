-- The warps of the last block, with addresses relative to the array.
SELECT s.base, a.block_x, a.block_y, a.block_z, a.warp, a.active_mask, a.address - m.address AS offset, a.stride, a.bytes, a.kind, a.space
FROM access a JOIN site s USING (site_id)
JOIN allocation m ON a.address BETWEEN m.address AND m.address + m.bytes - 1
WHERE a.block_x = 39
ORDER BY s.base
