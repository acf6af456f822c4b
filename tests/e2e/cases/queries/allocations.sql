-- Allocations and file-scope variables, with what the source says about them.
SELECT api, name, type, element_bytes, bytes, space, line, caller, address % 256 AS misaligned, ifnull(freed_api, '') AS freed_api
FROM allocation
ORDER BY allocation_id
