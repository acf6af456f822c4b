-- Every launch, also those that failed.
SELECT launch_id, grid_x, grid_y, block_x, block_z, dynamic_shared_bytes, error, error_name, entered FROM launch ORDER BY launch_id
