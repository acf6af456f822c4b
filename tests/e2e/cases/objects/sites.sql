-- Sites with their files. Those of the shared header are one row each, although two units contain them.
SELECT replace(file, rtrim(file, replace(file, '/', '')), '') AS file, line, "column", kind, type, bytes, base, expression, function
FROM site ORDER BY 1, 2, 3
