-- Barriers per launch, and the accesses of the block before each.
SELECT launch_id, block, sequence, grid FROM barrier ORDER BY launch_id, block, sequence
