-- Which allocation each parameter stood for.
SELECT s.base, t.name FROM site_allocation t JOIN site s USING (site_id) ORDER BY s.base
