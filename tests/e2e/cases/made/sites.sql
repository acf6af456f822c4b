-- Sites, by line.
SELECT line, "column", kind, type, bytes, base, expression, function FROM site ORDER BY 1, 2
