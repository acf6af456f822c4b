-- Allocations (aligned to 256 bytes) and file-scope variables, with what the source says about them.
SELECT api, name, type, element_bytes, bytes, space, line, caller, CASE WHEN api LIKE 'cuda%' THEN address % 256 ELSE 0 END AS misaligned, ifnull(freed_api, '') AS freed_api
FROM allocation
ORDER BY allocation_id
