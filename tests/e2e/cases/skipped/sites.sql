-- Sites, with why they were left alone.
SELECT line, "column", kind, expression, status, reason FROM site ORDER BY line, "column"
