-- Requests, lanes and sectors of each access that is recorded.
SELECT s.line, s.kind, s.expression, m.requests, m.thread_accesses, m.sectors
FROM site_metric m JOIN site s USING (site_id) ORDER BY s.line, s."column"
