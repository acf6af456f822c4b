-- Which buffer each step read and wrote.
SELECT DISTINCT t.launch_id AS launch, s.base, t.name
FROM site_allocation t JOIN site s USING (site_id) ORDER BY 1, 2
