-- Sites, with why they were left alone.
SELECT line, kind, expression, function, status, reason FROM site ORDER BY line
