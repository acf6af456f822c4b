-- The tree of one block, step by step: active lanes per warp.
SELECT a.warp, a.active_mask, a.address, a.stride
FROM access a JOIN site s USING (site_id)
WHERE s.kind = 'rmw' AND a.block_x = 63 ORDER BY a.address, a.warp, a.active_mask DESC
