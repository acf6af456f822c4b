-- First and last byte of each site, relative to the allocation, and the bytes of one lane.
SELECT s.line, s."column", s.kind, s.expression, s.bytes, m.requests, m.thread_accesses AS lanes, v.name,
       m.min_address - v.address AS first, m.max_address - v.address AS last
FROM site_metric m JOIN site s USING (site_id) JOIN site_allocation USING (launch_id, site_id) JOIN allocation v USING (allocation_id)
ORDER BY s.line, s."column", s.kind, s.bytes, m.launch_id
