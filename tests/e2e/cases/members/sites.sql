-- Sites, without their spaces.
SELECT line, "column", kind, type, bytes, base, expression, function FROM site ORDER BY line, "column", kind
