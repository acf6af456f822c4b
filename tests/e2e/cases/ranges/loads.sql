-- What each loop loads: first and last byte, relative to the allocation or variable.
SELECT s.line, s.kind, s.expression, s.bytes, m.requests, m.thread_accesses AS lanes, v.name,
       m.min_address - v.address AS first, m.max_address - v.address AS last
FROM site_metric m JOIN site s USING (site_id) LEFT JOIN site_allocation USING (launch_id, site_id) LEFT JOIN allocation v USING (allocation_id)
ORDER BY s.line, s."column", s.kind
