-- Every access expression, with the instantiations it was seen in.
SELECT line, "column", kind, type, bytes, base, expression, function, template_context FROM site ORDER BY line, "column"
