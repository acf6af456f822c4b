-- Shared variables per launch: where each lay in the block's shared memory.
SELECT l.launch_id AS launch, v.name, v.function, v.type, v.element_type, v.element_bytes, v.dynamic, v.line, v."column", l.address, l.bytes
FROM launch_shared_variable l JOIN shared_variable v USING (shared_variable_id)
ORDER BY l.launch_id, l.address, v.line
