-- First and last byte of each site in the first launch that ran it, relative to the allocation.
SELECT s.line, s.expression, v.name, min(m.min_address - v.address) AS first, max(m.max_address - v.address) AS last
FROM site_metric m JOIN site s USING (site_id) JOIN site_allocation USING (launch_id, site_id) JOIN allocation v USING (allocation_id)
WHERE s.line IN (37, 38, 39, 45, 51) OR s.expression LIKE 'rows%'
GROUP BY s.site_id ORDER BY s.line, s."column", s.expression
