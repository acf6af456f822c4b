-- Launches, in order.
SELECT launch_id, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic_shared_bytes, stream_id, error, caller, line, "column"
FROM launch
ORDER BY launch_id
