-- Launches, in order, and whether they were in a stream of the program's own.
SELECT launch_id, kernel, grid_x, block_x, dynamic_shared_bytes, stream_id <> 0 AS has_stream, error, caller, line
FROM launch
ORDER BY launch_id
