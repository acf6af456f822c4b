-- Copies and fills, in order.
SELECT api, direction, bytes, error, line, caller
FROM memory_operation
ORDER BY memory_operation_id
