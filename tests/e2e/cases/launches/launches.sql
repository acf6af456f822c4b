-- Every launch: which kernel, from where, how.
SELECT launch_id, kernel, grid_x, block_x, dynamic_shared_bytes, stream_id <> 0 AS has_stream, error, line FROM launch ORDER BY launch_id
