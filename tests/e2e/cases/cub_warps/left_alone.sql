-- Sites that are not recorded, and why.
SELECT line, "column", kind, expression, reason FROM site WHERE status = 'skipped' ORDER BY line, "column", kind
