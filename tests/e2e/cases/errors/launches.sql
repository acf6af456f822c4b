-- Every launch, also those that failed.
SELECT launch_id, grid_x, grid_y, block_x, block_z, dynamic_shared_bytes, error, CASE WHEN error THEN error_name END AS error_name, entered FROM launch ORDER BY launch_id
