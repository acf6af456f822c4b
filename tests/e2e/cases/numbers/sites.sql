-- Every access of the program.
SELECT line, "column", kind, expression, status FROM site ORDER BY line, "column"
