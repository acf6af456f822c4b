-- First address of each member, relative to its allocation.
SELECT s.expression, v.name, m.min_address - v.address AS first, m.max_address - v.address AS last
FROM site_metric m JOIN site s USING (site_id) JOIN site_allocation t USING (launch_id, site_id) JOIN allocation v USING (allocation_id)
ORDER BY s.line, s."column"
