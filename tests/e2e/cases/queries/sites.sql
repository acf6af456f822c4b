-- Every access expression of the program's main file.
SELECT line, "column", kind, space, type, bytes, base, expression, loop_depth, function
FROM site
ORDER BY file, line, "column", kind, expression
